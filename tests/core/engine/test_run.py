"""What a run leaves on disk: rows, manifest and identity; a failed run leaves nothing."""

import itertools
import json
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow.compute as pc
import pytest

from g_core import _native
from g_core.engine.manifest import RunStatus, read_manifest
from g_core.errors import InputError, OutputError
from g_core.results.schema import RESULT_SCHEMA
from g_core.simulate.dataset import SimulatedDataset
from tests.core.engine.conftest import (
    RunEngine,
    binary_arguments,
    quantitative_arguments,
    result_table,
)

QUANTITATIVE = "phenotype_continuous"
BINARY = "phenotype_binary"


def test_the_rows_have_the_published_schema_and_open_in_polars(
    dataset: SimulatedDataset, run_engine: RunEngine
) -> None:
    result = run_engine(binary_arguments(dataset))
    table = result_table(result, BINARY)
    assert table.schema.remove_metadata().names == RESULT_SCHEMA.names
    frame = pl.read_parquet(result.run_directory / BINARY / "*.parquet")
    assert frame.height == table.num_rows
    assert frame["CORRECTION"].cast(pl.String).unique().sort().to_list() == ["firth_approximate", "none"]


def test_case_and_control_counts_add_up(dataset: SimulatedDataset, run_engine: RunEngine) -> None:
    table = result_table(run_engine(binary_arguments(dataset)), BINARY)
    assert pc.all(pc.equal(pc.add(table["N_CASES"], table["N_CONTROLS"]), table["N"])).as_py()
    assert pc.min(table["N"]).as_py() < 300, "the dataset has missing genotypes"
    cases, controls, n = (table[name].to_numpy() for name in ("N_CASES", "N_CONTROLS", "N"))
    pooled = (cases * table["A1FREQ_CASES"].to_numpy() + controls * table["A1FREQ_CONTROLS"].to_numpy()) / n
    np.testing.assert_allclose(pooled, table["A1FREQ"], atol=1e-9)


def test_the_manifest_says_what_is_there(dataset: SimulatedDataset, run_engine: RunEngine) -> None:
    result = run_engine([*quantitative_arguments(dataset), "--chunk-variants", "30", "--chunks-per-part", "2"])
    manifest = read_manifest(result.run_directory)
    assert manifest == result.manifest
    assert manifest.status is RunStatus.COMPLETE
    (trait,) = manifest.traits
    assert len(trait.parts) > 1
    assert sum(part.rows for part in trait.parts) == trait.rows == result_table(result, QUANTITATIVE).num_rows
    assert trait.rows + trait.rows_below_minimum_mac + trait.rows_below_minimum_info == manifest.n_variants_selected
    for part in trait.parts:
        assert (result.run_directory / part.path).stat().st_size == part.bytes
    covered = [(part.first_variant, part.stop_variant) for part in trait.parts]
    assert covered[0][0] == 0
    assert covered[-1][1] == manifest.n_variants_selected
    assert all(before[1] == after[0] for before, after in itertools.pairwise(covered))


def test_the_directory_holds_the_effective_configuration_and_the_join(
    dataset: SimulatedDataset, run_engine: RunEngine
) -> None:
    directory = run_engine(quantitative_arguments(dataset)).run_directory
    assert "min_mac" in (directory / "effective_config.toml").read_text()
    assert json.loads((directory / "join_report.json").read_text())["n_genotyped"] == 300
    assert sorted(path.name for path in directory.iterdir()) == [
        "effective_config.toml",
        "join_report.json",
        "logs",
        "manifest.json",
        QUANTITATIVE,
        "run.json",
    ]


def test_each_kernel_compiles_once_whatever_the_chunks(dataset: SimulatedDataset, run_engine: RunEngine) -> None:
    arguments = [*binary_arguments(dataset), "--chunk-variants", "37"]
    run_engine(arguments)
    again = run_engine(arguments)
    assert again.manifest.compile.n_compiled == 0


def test_a_run_that_fails_after_its_last_part_keeps_it_and_no_manifest(
    dataset: SimulatedDataset, run_engine: RunEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise OutputError("no space left")

    monkeypatch.setattr("g_core.engine.run.build_manifest", refuse)
    with pytest.raises(OutputError, match="no space left"):
        run_engine([*quantitative_arguments(dataset)])
    (directory,) = tmp_path.iterdir()
    assert (directory / "journal.jsonl").exists()
    assert not (directory / "manifest.json").exists()


def test_a_truncated_bgen_is_told_by_variant_and_byte(
    dataset: SimulatedDataset, run_engine: RunEngine, tmp_path: Path
) -> None:
    cut = tmp_path / "cut.bgen"
    cut.write_bytes(dataset.bgen.read_bytes()[:-40])
    arguments = quantitative_arguments(dataset)
    arguments[arguments.index("--bgen") + 1] = str(cut)
    with pytest.raises(InputError, match=r"cut\.bgen.*variant 400.*byte"):
        run_engine(arguments)
    assert [path.name for path in tmp_path.iterdir()] == ["cut.bgen"]


def test_a_damaged_block_found_in_mid_scan_leaves_no_result(
    dataset: SimulatedDataset, run_engine: RunEngine, tmp_path: Path
) -> None:
    damaged = tmp_path / "damaged.bgen"
    content = bytearray(dataset.bgen.read_bytes())
    content[-10:] = bytes(10)
    damaged.write_bytes(content)
    arguments = quantitative_arguments(dataset)
    arguments[arguments.index("--bgen") + 1] = str(damaged)
    assert _native.BgenReader(str(damaged)).n_variants == 400
    with pytest.raises(InputError, match=r"damaged\.bgen.*variant 400"):
        run_engine(arguments)
    assert [path.name for path in tmp_path.iterdir()] == ["damaged.bgen"]
