"""From a dataset profile to the files of a run.

Belongs here: the data directory, the paths below it, and the fingerprint of what lies there. Does not belong here:
making a dataset (the simulator does), or cutting one to its first variants (the dataset asset does).
"""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from g_assets.artifacts.models import FingerprintPolicy, InputFile
from g_assets.profiles.models import DatasetProfile

DATA_DIRECTORY_VARIABLE = "GWAS_ENGINE_DATA_DIR"
FULL_FINGERPRINT_BYTES = 1 << 30
END_BYTES = 1 << 24


@dataclass(frozen=True, slots=True)
class TraitPaths:
    """One trait of a run: its table, its column, its predictions."""

    phenotype_file: Path
    column: str
    prediction_list: Path | None


@dataclass(frozen=True, slots=True)
class DatasetFiles:
    """Paths of a dataset, below the data directory as it was when the run started."""

    bgen: Path
    sample: Path
    covariate_file: Path | None
    covariate_columns: tuple[str, ...]
    binary: TraitPaths
    quantitative: TraitPaths

    def all_paths(self) -> tuple[Path, ...]:
        """Every file once, in a fixed order. The LOCO files that a prediction list names are not followed."""
        paths = [self.bgen, self.sample, self.covariate_file]
        for trait in (self.binary, self.quantitative):
            paths += [trait.phenotype_file, trait.prediction_list]
        return tuple(dict.fromkeys(path for path in paths if path is not None))


def data_directory() -> Path:
    """The data directory: ``GWAS_ENGINE_DATA_DIR``, else ``data``. Call it when a run starts, never at import."""
    return Path(os.environ.get(DATA_DIRECTORY_VARIABLE) or "data")


def dataset_files(profile: DatasetProfile, directory: Path, variant_limit: int | None) -> DatasetFiles:
    """Paths of a dataset's files; with a limit, the BGEN is the cached one of the first ``variant_limit`` variants."""

    def below(name: str) -> Path:
        return directory / name

    def trait_paths(phenotype_file: str, column: str, prediction_list: str | None) -> TraitPaths:
        predictions = None if prediction_list is None else below(prediction_list)
        return TraitPaths(phenotype_file=below(phenotype_file), column=column, prediction_list=predictions)

    bgen = below(profile.bgen)
    return DatasetFiles(
        bgen=bgen if variant_limit is None else limited_bgen(bgen, variant_limit),
        sample=below(profile.sample),
        covariate_file=None if profile.covariate_file is None else below(profile.covariate_file),
        covariate_columns=profile.covariate_columns,
        binary=trait_paths(profile.binary.phenotype_file, profile.binary.column, profile.binary.prediction_list),
        quantitative=trait_paths(
            profile.quantitative.phenotype_file, profile.quantitative.column, profile.quantitative.prediction_list
        ),
    )


def limited_bgen(bgen: Path, variant_limit: int) -> Path:
    """Where the BGEN of the first ``variant_limit`` variants is cached, beside the whole one."""
    return bgen.with_name(f"{bgen.stem}.first{variant_limit}.bgen")


def fingerprint_file(path: Path) -> InputFile:
    """Size and sha256 of a file: all of it up to 1 GiB, else its size and its two ends. Raises OSError."""
    size = path.stat().st_size
    policy = FingerprintPolicy.FULL if size <= FULL_FINGERPRINT_BYTES else FingerprintPolicy.ENDS_AND_SIZE
    with path.open("rb") as stream:
        if policy is FingerprintPolicy.FULL:
            digest = hashlib.file_digest(stream, "sha256")
        else:
            digest = hashlib.sha256(str(size).encode())
            digest.update(stream.read(END_BYTES))
            stream.seek(size - END_BYTES)
            digest.update(stream.read(END_BYTES))
    return InputFile(path=str(path), size_bytes=size, policy=policy, sha256=digest.hexdigest())


def dataset_fingerprint(files: DatasetFiles) -> str:
    """One sha256 over the content of every file of a dataset, whatever the files are called. Raises OSError."""
    digest = hashlib.sha256()
    for path in files.all_paths():
        digest.update(fingerprint_file(path).sha256.encode())
    return digest.hexdigest()
