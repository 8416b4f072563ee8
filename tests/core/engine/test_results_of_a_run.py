"""What is made of a real run's parts: one file, a page, the rows of its plots."""

from pathlib import Path

import pytest

from g_core.config.choices import Compression
from g_core.engine.run import RunResult
from g_core.inspection.report import report_lines
from g_core.inspection.run_state import read_run_state
from g_core.results.finalise import finalise_trait
from g_core.results.read import read_tested_rows
from g_core.simulate.dataset import SimulatedDataset
from tests.core.engine.conftest import RunEngine, binary_arguments

TRAIT = "phenotype_binary"


@pytest.fixture
def run(dataset: SimulatedDataset, run_engine: RunEngine) -> RunResult:
    return run_engine([*binary_arguments(dataset), "--chunk-variants", "64", "--chunks-per-part", "2"])


def finalised(result: RunResult, folder: Path) -> str:
    (trait,) = read_run_state(result.run_directory).traits
    facts = finalise_trait(
        trait.parts,
        folder / "whole.parquet",
        staged=folder / ".whole",
        trait=trait.name,
        compression=Compression.ZSTD,
        threads=2,
    )
    assert facts.rows == result.manifest.rows
    return facts.sha256


def test_the_one_file_does_not_depend_on_chunks_parts_and_threads(
    run: RunResult, dataset: SimulatedDataset, run_engine: RunEngine, tmp_path: Path
) -> None:
    options = ("--chunk-variants", "7", "--chunks-per-part", "5", "--threads", "1")
    other = run_engine([*binary_arguments(dataset), *options])
    assert len(other.manifest.traits[0].parts) != len(run.manifest.traits[0].parts)
    assert finalised(other, tmp_path) == finalised(run, tmp_path)


def test_the_page_tells_what_the_run_told(run: RunResult) -> None:
    page = report_lines(read_run_state(run.run_directory), 2)
    (trait,) = run.manifest.traits
    assert "status    complete" in page
    assert any(line.startswith(f"  {trait.rows:,} rows, {trait.rows_failed:,} without a test") for line in page)
    assert any(f"{trait.n_cases} cases, {trait.n_controls} controls" in line for line in page)


def test_every_row_with_a_test_is_there_to_be_drawn(run: RunResult) -> None:
    (trait,) = read_run_state(run.run_directory).traits
    assert read_tested_rows(trait.parts).log10_p.size == trait.counts.rows - trait.counts.failed
