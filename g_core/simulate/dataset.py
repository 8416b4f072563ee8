"""A whole simulated dataset: made in a temporary folder, renamed into place, reused when it is already there.

Belongs here: the order of the steps and the commit. Each step has a module of its own.
"""

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from g_core import _native
from g_core.errors import OutputError
from g_core.simulate import write
from g_core.simulate.cohort import Cohort, simulate_cohort
from g_core.simulate.genotypes import iterate_blocks
from g_core.simulate.manifest import (
    SIMULATOR_VERSION,
    DatasetManifest,
    describe_file,
    find_changed_files,
    read_manifest,
    write_manifest,
)
from g_core.simulate.predictions import simulate_loco_predictions
from g_core.simulate.sites import SiteTable, simulate_sites
from g_core.simulate.spec import SimulationSpec
from g_core.simulate.streams import Stream
from g_core.simulate.traits import (
    SimulatedTrait,
    choose_causal_variants,
    simulate_binary_trait,
    simulate_quantitative_trait,
)

QUANTITATIVE_NAME = "phenotype_continuous"
BINARY_NAME = "phenotype_binary"


@dataclass(frozen=True, slots=True)
class SimulatedDataset:
    """Where the files of a dataset are."""

    folder: Path
    manifest: DatasetManifest
    was_reused: bool

    @property
    def bgen(self) -> Path:
        """Genotypes."""
        return self.folder / f"{self.manifest.spec.name}.bgen"

    @property
    def sample(self) -> Path:
        """Samples and their sex."""
        return self.folder / f"{self.manifest.spec.name}.sample"

    @property
    def quantitative_phenotypes(self) -> Path:
        """Table with the column ``phenotype_continuous``."""
        return self.folder / "pheno_cont.txt"

    @property
    def binary_phenotypes(self) -> Path:
        """Table with the column ``phenotype_binary``."""
        return self.folder / "pheno_bin.txt"

    @property
    def covariates(self) -> Path:
        """Age, sex and principal components."""
        return self.folder / "covariates.txt"

    @property
    def quantitative_predictions(self) -> Path:
        """Prediction list of the quantitative trait."""
        return self.folder / "baselines" / "regenie_step1_qt_pred.list"

    @property
    def binary_predictions(self) -> Path:
        """Prediction list of the binary trait."""
        return self.folder / "baselines" / "regenie_step1_pred.list"

    @property
    def truth(self) -> Path:
        """Causal variants and their effects."""
        return self.folder / "truth.tsv"


def ensure_dataset(*, spec: SimulationSpec, folder: Path, threads: int) -> SimulatedDataset:
    """Return the dataset of ``spec`` in ``folder``; make it unless it is there and complete.

    A simulated dataset of another specification, of an older simulator or with a damaged file is replaced. A folder
    that holds anything else is left alone.

    Args:
        spec: What the dataset is.
        folder: Where it is or will be. Its parent is made where it is absent.
        threads: Threads that make and compress genotypes; they do not change a byte.

    Raises:
        InputError: The folder's manifest cannot be read.
        OutputError: The folder is in use by something else, or a file cannot be written.
    """
    existing = read_manifest(folder)
    if existing is not None and is_current(folder=folder, manifest=existing, spec=spec):
        return SimulatedDataset(folder=folder, manifest=existing, was_reused=True)
    if existing is None and folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        message = f"{folder} is there and is not a simulated dataset: name another folder, or move it away"
        raise OutputError(message)
    return simulate_dataset(spec=spec, folder=folder, threads=threads)


def is_current(*, folder: Path, manifest: DatasetManifest, spec: SimulationSpec) -> bool:
    """Return whether the dataset in ``folder`` is what ``spec`` gives today."""
    return (
        manifest.simulator_version == SIMULATOR_VERSION
        and manifest.spec == spec
        and not find_changed_files(folder=folder, manifest=manifest)
    )


def simulate_dataset(*, spec: SimulationSpec, folder: Path, threads: int) -> SimulatedDataset:
    """Make a dataset and put it at ``folder``, in place of an earlier dataset there.

    Arguments and errors as for ensure_dataset.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    except OSError as error:
        message = f"{folder.parent}: the simulated dataset cannot be written there: {error.strerror}"
        raise OutputError(message) from error
    try:
        temporary.chmod(0o755)
        manifest = write_dataset(spec=spec, folder=temporary, threads=threads)
        replace_folder(source=temporary, target=folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return SimulatedDataset(folder=folder, manifest=manifest, was_reused=False)


def write_dataset(*, spec: SimulationSpec, folder: Path, threads: int) -> DatasetManifest:
    """Write every file of the dataset into an empty folder and return its manifest."""
    sites = simulate_sites(spec)
    cohort = simulate_cohort(spec)
    quantitative_causal = choose_causal_variants(spec=spec, sites=sites, stream=Stream.QUANTITATIVE_TRAIT)
    binary_causal = choose_causal_variants(spec=spec, sites=sites, stream=Stream.BINARY_TRAIT)
    variants = np.union1d(quantitative_causal.variants, binary_causal.variants)
    bgen = folder / f"{spec.name}.bgen"
    dosages = write_genotypes(spec=spec, sites=sites, cohort=cohort, path=bgen, kept_variants=variants, threads=threads)
    quantitative = simulate_quantitative_trait(
        spec=spec,
        cohort=cohort,
        causal=quantitative_causal,
        causal_dosages=dosages[np.searchsorted(variants, quantitative_causal.variants)],
    )
    binary = simulate_binary_trait(
        spec=spec,
        cohort=cohort,
        causal=binary_causal,
        causal_dosages=dosages[np.searchsorted(variants, binary_causal.variants)],
    )
    paths = [
        bgen,
        *write_tables(spec=spec, sites=sites, cohort=cohort, folder=folder, quantitative=quantitative, binary=binary),
    ]
    manifest = DatasetManifest(
        format="g simulated dataset",
        simulator_version=SIMULATOR_VERSION,
        spec=spec,
        n_cases=int(binary.values.sum()),
        files=tuple(describe_file(folder=folder, path=path) for path in paths),
    )
    write_manifest(folder=folder, manifest=manifest)
    return manifest


def write_genotypes(
    *,
    spec: SimulationSpec,
    sites: SiteTable,
    cohort: Cohort,
    path: Path,
    kept_variants: npt.NDArray[np.int64],
    threads: int,
) -> npt.NDArray[np.float64]:
    """Write the BGEN block by block, and return the true first-allele counts of some variants.

    Args:
        spec: The dataset.
        sites: Its variants.
        cohort: Its samples.
        path: The BGEN.
        kept_variants: Variants whose true counts are wanted, ascending.
        threads: Threads that make and compress blocks.

    Returns:
        Shape (kept variants, n_samples).
    """
    writer = _native.BgenWriter(
        str(path),
        sample_ids=cohort.keys,
        n_samples=spec.n_samples,
        compression=spec.compression.value,
        level=spec.compression_level,
        threads=threads,
    )
    dosages = np.empty((kept_variants.size, spec.n_samples))
    for block in iterate_blocks(spec=spec, sites=sites, threads=threads):
        for row in np.flatnonzero((kept_variants >= block.start) & (kept_variants < block.stop)):
            dosages[row] = block.first_allele_copies(sites=sites, variant=int(kept_variants[row]))
        writer.write(
            chromosome=spec.chromosome,
            rsids=sites.identifiers[block.start : block.stop],
            positions=sites.positions[block.start : block.stop],
            first_alleles=sites.first_alleles[block.start : block.stop],
            second_alleles=sites.second_alleles[block.start : block.stop],
            probabilities=block.probabilities,
            missing=block.missing,
        )
    writer.finish()
    return dosages


def write_tables(
    *,
    spec: SimulationSpec,
    sites: SiteTable,
    cohort: Cohort,
    folder: Path,
    quantitative: SimulatedTrait,
    binary: SimulatedTrait,
) -> list[Path]:
    """Write the text files of the dataset and return their paths."""
    sample, covariates, truth = folder / f"{spec.name}.sample", folder / "covariates.txt", folder / "truth.tsv"
    continuous_table, binary_table = folder / "pheno_cont.txt", folder / "pheno_bin.txt"
    write.write_sample_file(path=sample, cohort=cohort)
    write.write_covariates(path=covariates, cohort=cohort)
    write.write_quantitative_trait(
        path=continuous_table, cohort=cohort, name=QUANTITATIVE_NAME, values=quantitative.values
    )
    write.write_binary_trait(path=binary_table, cohort=cohort, name=BINARY_NAME, values=binary.values)
    write.write_truth(path=truth, spec=spec, sites=sites, traits={QUANTITATIVE_NAME: quantitative, BINARY_NAME: binary})
    paths = [sample, covariates, truth, continuous_table, binary_table]
    for stem, name, trait, stream in (
        ("regenie_step1_qt", QUANTITATIVE_NAME, quantitative, Stream.QUANTITATIVE_PREDICTIONS),
        ("regenie_step1", BINARY_NAME, binary, Stream.BINARY_PREDICTIONS),
    ):
        loco, prediction_list = folder / "baselines" / f"{stem}_1.loco", folder / "baselines" / f"{stem}_pred.list"
        predictions = simulate_loco_predictions(spec=spec, trait=trait, stream=stream)
        write.write_loco_predictions(path=loco, cohort=cohort, predictions=predictions)
        write.write_prediction_list(path=prediction_list, name=name, loco_path=loco)
        paths.extend([loco, prediction_list])
    return paths


def replace_folder(*, source: Path, target: Path) -> None:
    """Rename ``source`` to ``target``; an earlier dataset at ``target`` is moved away first and then removed.

    Raises:
        OutputError: The rename failed. ``source`` is then still there.
    """
    replaced = source.with_name(f"{source.name}.replaced")
    try:
        if target.exists():
            target.rename(replaced)
        source.rename(target)
    except OSError as error:
        message = f"{target}: the new dataset cannot be put there: {error.strerror}"
        raise OutputError(message) from error
    shutil.rmtree(replaced, ignore_errors=True)
