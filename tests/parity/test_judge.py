from pathlib import Path

import polars as pl
import pytest

from g_assets.parity.cases import GoldenCase
from g_assets.parity.judge import judge_case
from g_assets.parity.report import closing_line, describe_case, error_table
from g_assets.parity.run import CaseRun, build_arguments
from g_assets.parity.tolerances import GOLDEN_TOLERANCES
from tests.parity.tables import with_field, write_table

ARGUMENTS = ("--step", "2", "--out", "step2/made/out", "--qt")


def golden_case(*, expect="ok", genotype_format="bgen"):
    return GoldenCase(
        id="made",
        expect=expect,
        genotype_format=genotype_format,
        argv=ARGUMENTS,
        outputs=("step2/made/out_Y1.regenie",) if expect == "ok" else (),
    )


def run_of(folder, *, exit_code=0, standard_error=""):
    return CaseRun(exit_code=exit_code, standard_error=standard_error, wall_seconds=0.5, prefix=folder / "out")


def judge(folder, run, case):
    return judge_case(case=case, run=run, golden_folder=folder / "golden", tolerances=GOLDEN_TOLERANCES)


@pytest.fixture
def finished_run(tmp_path):
    """A run that left what REGENIE left; the first row is a Firth row."""
    write_table(tmp_path / "golden/step2/made/out_Y1.regenie")
    write_table(tmp_path / "ours/out_Y1.regenie")
    write_parts(tmp_path / "ours", ["firth_approximate", "none", "firth_approximate"], ["ok", "ok", "failed"])
    return run_of(tmp_path / "ours")


def write_parts(folder: Path, correction, status):
    parts = folder / "out.g" / "Y1"
    parts.mkdir(parents=True, exist_ok=True)
    frame = pl.DataFrame({"CORRECTION": correction, "STATUS": status}).cast(pl.Categorical)
    frame[:2].write_parquet(parts / "part-00000.parquet")
    frame[2:].write_parquet(parts / "part-00001.parquet")


def test_the_output_prefix_is_replaced_and_both_formats_asked_for(tmp_path):
    assert build_arguments(case=golden_case(), prefix=tmp_path / "out") == (
        "--step",
        "2",
        "--out",
        str(tmp_path / "out"),
        "--qt",
        "--format",
        "regenie",
        "--format",
        "parquet",
    )


def test_a_run_that_left_the_same_tables_passes(tmp_path, finished_run):
    result = judge(tmp_path, finished_run, golden_case())

    assert result.passed
    assert result.files[0].n_firth_rows == 1  # a failed fit carries the score test's numbers
    assert describe_case(result) == ["passed made: 1 files, 3 rows, 1 of them Firth, 0.5 s"]


def test_a_wrong_value_fails_and_is_named_in_the_report(tmp_path, finished_run):
    write_table(tmp_path / "ours/out_Y1.regenie", rows=with_field(1, "BETA", "0.02"))
    result = judge(tmp_path, finished_run, golden_case())

    assert not result.passed
    assert "rs2" in describe_case(result)[1]
    assert error_table([result])[-1].startswith("made")
    assert closing_line([result, judge(tmp_path, finished_run, golden_case())]) == "0 passed, 2 failed"


def test_the_firth_bound_applies_to_firth_rows_only(tmp_path, finished_run):
    write_table(tmp_path / "ours/out_Y1.regenie", rows=with_field(0, "BETA", "0.500049"))
    assert not judge(tmp_path, finished_run, golden_case()).passed

    write_parts(tmp_path / "ours", ["none"] * 3, ["ok"] * 3)
    assert judge(tmp_path, finished_run, golden_case()).passed


def test_a_file_that_was_not_written_fails(tmp_path, finished_run):
    (tmp_path / "ours/out_Y1.regenie").unlink()

    assert judge(tmp_path, finished_run, golden_case()).files[0].problems == ("the file was not written",)


def test_parquet_rows_that_do_not_match_the_text_fail(tmp_path, finished_run):
    (tmp_path / "ours/out.g/Y1/part-00001.parquet").unlink()

    assert (
        "has 2 rows with a test and out_Y1.regenie has 3"
        in judge(tmp_path, finished_run, golden_case()).files[0].problems[0]
    )


def test_a_parquet_row_that_the_text_leaves_out_is_left_out(tmp_path, finished_run):
    write_parts(
        tmp_path / "ours",
        ["firth_approximate", "none", "none", "firth_approximate"],
        ["ok", "failed", "ok", "failed"],
    )

    result = judge(tmp_path, finished_run, golden_case())
    assert result.passed
    assert result.files[0].n_firth_rows == 1


def test_a_run_that_failed_fails_with_its_message(tmp_path, finished_run):
    run = run_of(tmp_path / "ours", exit_code=1, standard_error="first\nlast words\n")

    assert judge(tmp_path, run, golden_case()).problems == ("the run ended with exit code 1: first | last words",)


def test_a_refusal_passes_with_its_message(tmp_path):
    run = run_of(tmp_path, exit_code=2, standard_error="error: pheno.txt has no column NOPE\n")

    assert judge(tmp_path, run, golden_case(expect="error")).passed


@pytest.mark.parametrize(
    ("exit_code", "standard_error", "problem"),
    [
        (0, "", "must be refused"),
        (1, "error: something\n", "must be refused"),
        (2, "  \n", "without a message"),
        (2, "Traceback (most recent call last):\n  boom\n", "traceback"),
    ],
)
def test_what_is_no_refusal_fails(tmp_path, exit_code, standard_error, problem):
    run = run_of(tmp_path, exit_code=exit_code, standard_error=standard_error)
    result = judge(tmp_path, run, golden_case(expect="error"))

    assert not result.passed
    assert problem in result.problems[0]


def test_another_genotype_format_passes_when_it_is_refused_by_name(tmp_path):
    case = golden_case(genotype_format="bed")

    assert judge(tmp_path, run_of(tmp_path, exit_code=2, standard_error="--bed is not supported"), case).passed
    assert not judge(tmp_path, run_of(tmp_path, exit_code=2, standard_error="--pgen is not supported"), case).passed
