"""Two runs of ours of one case: nothing may differ."""

import gzip

import pytest

from g_assets.parity.check import compare_modes, has_one_sample_set
from g_assets.parity.sameness import find_differences
from tests.parity.cases import run_of, write_run

ROW = (1, 100, "rs1", "G", "A", "none", "ok")


def write_texts(folder, *, value="0.5", gz_time=0):
    run = write_run(folder, {"Y1": [ROW]})
    (folder / "out_Y1.regenie").write_text(f"ID BETA\nrs1 {value}\n")
    (folder / "out_Y2.regenie.gz").write_bytes(gzip.compress(f"rs1 {value}".encode(), mtime=gz_time))
    (folder / "out_firth.list").write_text(f"Y1 {run.prefix}_1.firth\n")
    (folder / "stdout.txt").write_text(str(folder))
    return run


def test_equal_runs_differ_in_nothing(tmp_path):
    # Their folders, which a list of files names, and the time in a compressed file are no result.
    assert find_differences(first=write_texts(tmp_path / "a"), second=write_texts(tmp_path / "b", gz_time=1)) == ()


def test_a_byte_of_a_text_is_a_difference(tmp_path):
    first, second = write_texts(tmp_path / "a"), write_texts(tmp_path / "b", value="0.50")

    assert find_differences(first=first, second=second) == (
        "PREFIX_Y1.regenie differs",
        "PREFIX_Y2.regenie.gz differs",
    )


@pytest.mark.parametrize(
    ("rows", "difference"),
    [
        ([(*ROW[:5], "firth_exact", "ok")], "column CORRECTION of Y1/part-00000.parquet differs"),
        ([ROW, ROW], "Y1/part-00000.parquet has other columns or rows"),
    ],
)
def test_a_value_or_row_of_a_part_is_a_difference(tmp_path, rows, difference):
    first, second = write_texts(tmp_path / "a"), write_texts(tmp_path / "b")
    write_run(tmp_path / "b", {"Y1": rows})

    assert find_differences(first=first, second=second) == (difference,)


def test_a_file_of_one_run_alone_is_a_difference(tmp_path):
    first, second = write_texts(tmp_path / "a"), write_texts(tmp_path / "b")
    (tmp_path / "b/out_Y1.regenie").unlink()
    write_run(tmp_path / "b", {"Y3": [ROW]})

    assert find_differences(first=first, second=second) == (
        "only one of the runs wrote PREFIX_Y1.regenie",
        "only one of the runs wrote Y3/part-00000.parquet",
    )


def test_the_modes_are_compared_by_exit_code_first(tmp_path):
    problems = compare_modes(run_of(tmp_path / "a"), run_of(tmp_path / "b", exit_code=2, standard_error="error: x\n"))

    assert problems == ["exit code 2 in the default mode, 0 with --sample-mode regenie: error: x"]


@pytest.mark.parametrize(
    ("report", "one"), [('{"n_sample_sets": 1}', True), ('{"n_sample_sets": 2}', False), (None, False)]
)
def test_the_join_report_says_whether_the_modes_mean_the_same(tmp_path, report, one):
    run = run_of(tmp_path)
    run.run_directory.mkdir()
    if report is not None:
        (run.run_directory / "join_report.json").write_text(report)

    assert has_one_sample_set(run) is one
