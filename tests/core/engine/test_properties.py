"""What must not change a result, and what must turn it round, through the whole engine.

Belongs here: a property of a run's rows for quantitative and binary traits, three of each with values missing. Does
not belong here: what a run leaves on disk (test_run.py), and properties of one kernel (tests/core/kernels).
"""

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import g_core
from g_core import _native
from g_core.bgen import open_bgen
from g_core.config.build_plan import build_run_plan
from g_core.config.load import load_config
from g_core.engine.run import RunResult
from g_core.simulate.dataset import SimulatedDataset
from tests.core.engine.conftest import result_table

TRAITS = ("first", "second", "third")
STATISTICS = ("BETA", "SE", "CHISQ", "LOG10P")
REPOSITORY = Path(__file__).resolve().parents[3]


class Kind(StrEnum):
    """What is tested, and how."""

    QUANTITATIVE = "quantitative"
    BINARY = "binary"
    FIRTH = "firth"


TYPE_WORDS = {
    Kind.QUANTITATIVE: ("--qt",),
    Kind.BINARY: ("--bt",),
    Kind.FIRTH: ("--bt", "--firth", "--approx", "--pThresh", "0.5"),
}


@dataclass(frozen=True, slots=True)
class Study:
    """Files of a run over three traits, and the folder that its runs go to."""

    folder: Path
    dataset: SimulatedDataset

    def words(self, kind: Kind, *changes: str) -> list[str]:
        """Arguments; a flag among the changes takes the place of the usual one."""
        traits = self.folder / ("quantitative.txt" if kind is Kind.QUANTITATIVE else "binary.txt")
        usual = {
            "--bgen": str(self.dataset.bgen),
            "--sample": str(self.dataset.sample),
            "--phenoFile": str(traits),
            "--covarFile": str(self.dataset.covariates),
            "--pred": str(self.folder / "pred.list"),
        }
        given = [word for flag, value in usual.items() if flag not in changes for word in (flag, value)]
        return [*TYPE_WORDS[kind], *given, "--format", "parquet", "--format", "regenie", *changes]

    def run(self, kind: Kind, *changes: str) -> RunResult:
        """One run, in a directory of its own."""
        number = len(list(self.folder.glob("run*.g"))) + 1
        words = [*self.words(kind, *changes), "--out", str(self.folder / f"run{number}")]
        return g_core.run(build_run_plan(load_config(words)))


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory, dataset: SimulatedDataset) -> Study:
    """Three traits of each type; the second and third lack some samples, the same predictions serve all."""
    folder = tmp_path_factory.mktemp("properties")
    generator = np.random.default_rng(17)
    for name, source in (("quantitative", dataset.quantitative_phenotypes), ("binary", dataset.binary_phenotypes)):
        rows = [line.split() for line in source.read_text().splitlines()[1:]]
        lines = [f"FID IID {' '.join(TRAITS)}"]
        for family, individual, value in rows:
            other = f"{generator.normal():.6f}" if name == "quantitative" else str(int(generator.random() < 0.3))
            second = "NA" if generator.random() < 0.1 else other
            third = "NA" if generator.random() < 0.05 else value
            lines.append(f"{family} {individual} {value} {second} {third}")
        (folder / f"{name}.txt").write_text("\n".join(lines) + "\n")
    loco = dataset.binary_predictions.read_text().split(maxsplit=1)[1].strip()
    path = loco if Path(loco).is_absolute() else str(dataset.binary_predictions.parent / loco)
    (folder / "pred.list").write_text("".join(f"{trait} {path}\n" for trait in TRAITS))
    return Study(folder, dataset)


@pytest.fixture(scope="module")
def reference(study: Study) -> Callable[[Kind], RunResult]:
    """The run that all others are held against, made once for each kind."""
    made: dict[Kind, RunResult] = {}

    def run(kind: Kind) -> RunResult:
        if kind not in made:
            made[kind] = study.run(kind)
        return made[kind]

    return run


every_kind = pytest.mark.parametrize("kind", list(Kind))
Reference = Callable[[Kind], RunResult]


def text_bytes(result: RunResult, trait: str) -> bytes:
    """The REGENIE text of one trait."""
    prefix = result.run_directory.name.removesuffix(".g")
    return (result.run_directory.parent / f"{prefix}_{trait}.regenie").read_bytes()


def assert_same_bytes(result: RunResult, expected: RunResult, traits: Sequence[str] = TRAITS) -> None:
    """Text to the byte, Parquet to the bit."""
    for trait in traits:
        assert text_bytes(result, trait) == text_bytes(expected, trait), trait
        assert result_table(result, trait).equals(result_table(expected, trait)), trait


def numbers(table: pa.Table, name: str) -> npt.NDArray[np.float64]:
    """One statistic, NaN where there is no test."""
    return table[name].to_numpy().astype(np.float64)


def test_the_study_tests_what_it_should(reference: Reference) -> None:
    for kind in Kind:
        tables = [result_table(reference(kind), trait) for trait in TRAITS]
        assert all(table.num_rows > 300 for table in tables)
        assert len({pc.max(table["N"]).as_py() for table in tables}) == len(TRAITS), "the traits lack other samples"
        corrected = [pc.sum(pc.equal(table["CORRECTION"].cast(pa.string()), "none")).as_py() for table in tables]
        assert all(
            (count < table.num_rows) == (kind is Kind.FIRTH) for count, table in zip(corrected, tables, strict=True)
        )


@every_kind
@pytest.mark.parametrize("traits", [("first",), ("second",), ("third", "first")], ids=" ".join)
def test_a_trait_alone_equals_the_trait_among_others(
    study: Study, reference: Reference, kind: Kind, traits: tuple[str, ...]
) -> None:
    assert_same_bytes(study.run(kind, "--phenoColList", ",".join(traits)), reference(kind), traits)


@every_kind
@pytest.mark.parametrize(
    "changes",
    [
        ("--chunk-variants", "7"),
        ("--chunk-variants", "1000"),
        ("--threads", "1"),
        ("--threads", "8"),
        ("--bsize", "3"),
    ],
    ids=" ".join,
)
def test_chunks_and_threads_change_no_byte(
    study: Study, reference: Reference, kind: Kind, changes: tuple[str, ...]
) -> None:
    assert_same_bytes(study.run(kind, *changes), reference(kind))


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("threads", [1, 2, 8])
def test_threads_of_a_process_of_its_own_change_no_byte(study: Study, reference: Reference, threads: int) -> None:
    # XLA sizes its pool once in a process, so threads of kernels need a new one each.
    for kind in (Kind.QUANTITATIVE, Kind.FIRTH):
        prefix = study.folder / f"process{threads}{kind}"
        words = [*study.words(kind, "--threads", str(threads)), "--out", str(prefix)]
        subprocess.run([sys.executable, "-m", "g_core", "regenie", *words], cwd=REPOSITORY, check=True)
        for trait in TRAITS:
            assert prefix.with_name(f"{prefix.name}_{trait}.regenie").read_bytes() == text_bytes(reference(kind), trait)


@every_kind
def test_the_order_of_rows_in_tables_changes_no_byte(study: Study, reference: Reference, kind: Kind) -> None:
    generator = np.random.default_rng(4)
    changes: list[str] = []
    usual = study.words(kind)
    for flag in ("--phenoFile", "--covarFile"):
        header, *rows = Path(usual[usual.index(flag) + 1]).read_text().splitlines()
        path = study.folder / f"shuffled{flag}{kind}.txt"
        path.write_text("\n".join([header, *generator.permutation(rows)]) + "\n")
        changes += [flag, str(path)]
    assert_same_bytes(study.run(kind, *changes), reference(kind))


@every_kind
def test_swapping_alleles_flips_the_effect(study: Study, reference: Reference, kind: Kind) -> None:
    swapped = study.run(kind, "--ref-first")
    for trait in TRAITS:
        first, second = result_table(reference(kind), trait), result_table(swapped, trait)
        assert second["ALLELE1"].equals(first["ALLELE0"])
        np.testing.assert_allclose(numbers(second, "A1FREQ"), 1.0 - numbers(first, "A1FREQ"), atol=1e-12)
        np.testing.assert_allclose(numbers(second, "BETA"), -numbers(first, "BETA"), rtol=2e-5, atol=1e-6)
        for name in ("SE", "CHISQ", "LOG10P"):
            np.testing.assert_allclose(numbers(second, name), numbers(first, name), rtol=2e-5, atol=1e-6)


@every_kind
def test_alleles_stored_the_other_way_round_are_the_same_with_ref_first(
    study: Study, reference: Reference, kind: Kind
) -> None:
    path = study.folder / "swapped.bgen"
    if not path.exists():
        write_with_alleles_swapped(study.dataset, path)
    swapped = study.run(kind, "--bgen", str(path), "--ref-first")
    for trait in TRAITS:
        expected, found = result_table(reference(kind), trait), result_table(swapped, trait)
        for name in ("ID", "ALLELE0", "ALLELE1", "N", "STATUS"):
            assert found[name].equals(expected[name])
        for name in ("A1FREQ", "INFO", *STATISTICS):
            np.testing.assert_allclose(numbers(found, name), numbers(expected, name), rtol=2e-5, atol=1e-6)


def write_with_alleles_swapped(dataset: SimulatedDataset, path: Path) -> None:
    """The dataset's BGEN with the first allele second."""
    reader = _native.BgenReader(str(dataset.bgen))
    variants = pa.record_batch(reader.variants())
    with open_bgen(dataset.bgen) as bgen:
        stored = np.stack([bgen.read_probabilities(variant) for variant in range(reader.n_variants)])
    missing = np.isnan(stored[:, :, 0])
    units = np.ascontiguousarray(np.rint(255.0 * np.nan_to_num(stored[:, :, [2, 1]])).astype(np.uint8))
    writer = _native.BgenWriter(
        str(path), sample_ids=reader.sample_ids, n_samples=reader.n_samples, compression="zlib", level=1, threads=1
    )
    writer.write(
        chromosome=variants["chromosome"][0].as_py(),
        rsids=variants["rsid"].to_pylist(),
        positions=variants["position"].to_numpy(),
        first_alleles=variants["allele2"].to_pylist(),
        second_alleles=variants["allele1"].to_pylist(),
        probabilities=units,
        missing=missing,
    )
    writer.finish()


@every_kind
def test_shifting_and_scaling_a_covariate_changes_nothing(study: Study, reference: Reference, kind: Kind) -> None:
    header, *rows = study.dataset.covariates.read_text().splitlines()
    lines = [header]
    for row in rows:
        family, individual, age, *others = row.split()
        lines.append(" ".join([family, individual, str(365 * float(age) + 2000), *others]))
    path = study.folder / "shifted.txt"
    path.write_text("\n".join(lines) + "\n")
    moved = study.run(kind, "--covarFile", str(path))
    for trait in TRAITS:
        expected, found = result_table(reference(kind), trait), result_table(moved, trait)
        assert found["CORRECTION"].equals(expected["CORRECTION"])
        scale = numbers(expected, "SE")
        np.testing.assert_allclose(numbers(found, "BETA") / scale, numbers(expected, "BETA") / scale, atol=1e-6)
        np.testing.assert_allclose(numbers(found, "SE"), scale, rtol=1e-6)
        for name in ("CHISQ", "LOG10P"):
            np.testing.assert_allclose(numbers(found, name), numbers(expected, name), rtol=2e-6, atol=1e-6)


def predictions_plus_3(study: Study) -> Path:
    """A list whose predictions are all 3 higher."""
    source = Path((study.folder / "pred.list").read_text().splitlines()[0].split(maxsplit=1)[1])
    header, *rows = source.read_text().splitlines()
    raised = [" ".join([row.split()[0], *(f"{float(value) + 3:.9g}" for value in row.split()[1:])]) for row in rows]
    (study.folder / "raised.loco").write_text("\n".join([header, *raised]) + "\n")
    path = study.folder / "raised.list"
    path.write_text("".join(f"{trait} raised.loco\n" for trait in TRAITS))
    return path


@pytest.mark.parametrize("kind", [Kind.BINARY, Kind.FIRTH])
def test_a_constant_prediction_is_harmless(study: Study, reference: Reference, kind: Kind) -> None:
    raised = study.run(kind, "--pred", str(predictions_plus_3(study)))
    for trait in TRAITS:
        expected, found = result_table(reference(kind), trait), result_table(raised, trait)
        assert found["CORRECTION"].equals(expected["CORRECTION"])
        scale = numbers(expected, "SE")
        np.testing.assert_allclose(numbers(found, "BETA") / scale, numbers(expected, "BETA") / scale, atol=1e-5)
        np.testing.assert_allclose(numbers(found, "SE"), scale, rtol=1e-5)


def test_a_constant_prediction_of_a_quantitative_trait_moves_no_effect(study: Study, reference: Reference) -> None:
    # REGENIE takes the prediction from the residual and does not project again (spec 4.2), so a constant counts as
    # variance: the effect stays, and its standard error grows.
    raised = study.run(Kind.QUANTITATIVE, "--pred", str(predictions_plus_3(study)))
    for trait in TRAITS:
        expected, found = result_table(reference(Kind.QUANTITATIVE), trait), result_table(raised, trait)
        scale = numbers(expected, "SE")
        np.testing.assert_allclose(numbers(found, "BETA") / scale, numbers(expected, "BETA") / scale, atol=1e-5)
        assert (numbers(found, "SE") > scale).all()
