"""One bad trait fails alone: the others finish, the manifest says partial and why, and the command returns 3."""

from pathlib import Path

import pytest

from g_core.cli.main import main
from g_core.engine.manifest import RunStatus, read_manifest
from g_core.simulate.dataset import SimulatedDataset
from tests.core.engine.conftest import (
    RunEngine,
    binary_arguments,
    quantitative_arguments,
    result_table,
    write_three_traits,
)


@pytest.fixture
def with_a_constant(dataset: SimulatedDataset, tmp_path: Path) -> list[str]:
    """Arguments over three traits, the second of which is a constant."""
    path = write_three_traits(tmp_path / "traits.txt", dataset)
    header, *rows = path.read_text().splitlines()
    path.write_text("\n".join([header, *(" ".join([*row.split()[:3], "1", row.split()[4]]) for row in rows)]) + "\n")
    return quantitative_arguments(dataset, path)


def test_the_others_are_what_they_are_without_it(with_a_constant: list[str], run_engine: RunEngine) -> None:
    result = run_engine(with_a_constant)
    alone = run_engine([*with_a_constant, "--phenoCol", "third"])
    assert result_table(result, "third").equals(result_table(alone, "third"))
    assert (result.exit_code, alone.exit_code) == (3, 0)
    assert not (result.run_directory / "second").exists()


def test_the_manifest_says_which_and_why(with_a_constant: list[str], run_engine: RunEngine) -> None:
    manifest = read_manifest(run_engine(with_a_constant).run_directory)
    assert manifest.status is RunStatus.PARTIAL
    assert [(trait.name, trait.status) for trait in manifest.traits] == [
        ("first", RunStatus.COMPLETE),
        ("third", RunStatus.COMPLETE),
        ("second", RunStatus.FAILED),
    ]
    failed = manifest.traits[2]
    assert failed.reason is not None
    assert "only the value 1 (line 2" in failed.reason
    assert (failed.rows, failed.parts, failed.folder) == (0, (), None)


def test_the_command_names_it_before_the_work_and_after(
    with_a_constant: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["regenie", *with_a_constant, "--out", str(tmp_path / "out")]) == 3
    printed = capsys.readouterr()
    lines = printed.out.splitlines()
    announced = [number for number, line in enumerate(lines) if line.startswith("trait second: not analysed: ")]
    assert announced[0] < next(number for number, line in enumerate(lines) if " rows, " in line)
    assert printed.err.startswith("error: 1 of 3 traits failed, the others are complete:\n  - trait second: ")


def test_a_null_model_that_does_not_converge_leaves_rows_without_a_test(
    dataset: SimulatedDataset, run_engine: RunEngine
) -> None:
    result = run_engine([*binary_arguments(dataset), "--niter", "1"])
    (trait,) = result.manifest.traits
    assert (result.exit_code, result.manifest.status, trait.status) == (3, RunStatus.PARTIAL, RunStatus.PARTIAL)
    assert trait.reason == "its null model failed on chromosome 22; rows there have REASON null_model_failed"
    table = result_table(result, trait.name)
    assert table.num_rows == trait.rows_failed
    assert set(table["REASON"].to_pylist()) == {"null_model_failed"}
    assert table["BETA"].null_count == table.num_rows
    (note,) = result.manifest.notes
    assert note.startswith(f"trait {trait.name}: the null logistic fit of chromosome 22 did not converge; its rows")


def test_with_warn_an_unconverged_null_model_is_used_and_said_so(
    dataset: SimulatedDataset, run_engine: RunEngine
) -> None:
    words = binary_arguments(dataset)
    result = run_engine([*words, "--niter", "2", "--null-nonconvergence", "warn"])
    assert (result.exit_code, result.manifest.traits[0].rows_failed) == (0, 0)
    assert "from the last state of the fit and may be wrong" in result.manifest.notes[0]
    assert run_engine(words).manifest.notes == ()
