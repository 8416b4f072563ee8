"""A small simulated dataset with missing genotypes, and a way to run the engine over it in this process."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.dataset
import pytest

import g_core
from g_core.config.build_plan import build_run_plan
from g_core.config.load import load_config
from g_core.engine.run import RunResult
from g_core.simulate.dataset import SimulatedDataset, simulate_dataset
from g_core.simulate.spec import build_spec

RunEngine = Callable[[Sequence[str]], RunResult]


@pytest.fixture(scope="session")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> SimulatedDataset:
    """300 people, 400 variants, 1 % of the genotypes missing."""
    spec = build_spec({"n_samples": 300, "n_variants": 400, "seed": 5, "missing_rate": 0.01})
    return simulate_dataset(spec=spec, folder=tmp_path_factory.mktemp("simulated") / "dataset", threads=2)


@pytest.fixture
def run_engine(tmp_path: Path) -> RunEngine:
    """Run `g regenie` arguments in this process, each run in a directory of its own."""
    n_runs = 0

    def run(arguments: Sequence[str]) -> RunResult:
        nonlocal n_runs
        n_runs += 1
        return g_core.run(build_run_plan(load_config([*arguments, "--out", str(tmp_path / f"run{n_runs}")])))

    return run


def quantitative_arguments(dataset: SimulatedDataset, phenotypes: Path | None = None) -> list[str]:
    """Arguments of a quantitative scan."""
    return [
        *("--step", "2", "--qt", "--bgen", str(dataset.bgen), "--sample", str(dataset.sample)),
        *("--phenoFile", str(phenotypes or dataset.quantitative_phenotypes), "--covarFile", str(dataset.covariates)),
        *(("--ignore-pred",) if phenotypes else ("--pred", str(dataset.quantitative_predictions))),
    ]


def binary_arguments(dataset: SimulatedDataset) -> list[str]:
    """Arguments of a binary scan in which many variants are corrected."""
    return [
        *("--step", "2", "--bt", "--firth", "--approx", "--pThresh", "0.5"),
        *("--bgen", str(dataset.bgen), "--sample", str(dataset.sample)),
        *("--phenoFile", str(dataset.binary_phenotypes), "--covarFile", str(dataset.covariates)),
        *("--pred", str(dataset.binary_predictions)),
    ]


def result_table(result: RunResult, trait: str) -> pa.Table:
    """All rows of one trait, as a reader of the Parquet dataset gets them."""
    return pyarrow.dataset.dataset(result.run_directory / trait, format="parquet").to_table().combine_chunks()


def write_three_traits(path: Path, dataset: SimulatedDataset) -> Path:
    """The quantitative trait, a second one with values missing, and a third on the first one's samples."""
    lines = dataset.quantitative_phenotypes.read_text().splitlines()
    generator = np.random.default_rng(3)
    rows = ["FID IID first second third"]
    for line in lines[1:]:
        family, individual, value = line.split()
        second = "NA" if generator.random() < 0.1 else f"{float(value) ** 2:.6g}"
        rows.append(f"{family} {individual} {value} {second} {generator.normal():.6g}")
    path.write_text("\n".join(rows) + "\n")
    return path
