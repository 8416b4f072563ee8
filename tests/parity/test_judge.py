import pytest

from g_assets.parity.judge import CaseResult, judge_finished, judge_other_format, judge_refusal
from g_assets.parity.report import closing_line, describe_case, error_table
from g_assets.parity.run import RunMode, build_arguments
from g_assets.parity.tolerances import GOLDEN_TOLERANCES
from tests.parity.cases import golden_case, run_of, write_run
from tests.parity.tables import ROWS, keys_of, with_field, write_table

CORRECTIONS = ("firth_approximate", "none", "firth_approximate")
STATUS = ("ok", "ok", "failed")


def part_rows(corrections=CORRECTIONS, status=STATUS):
    return [(*keys_of(row), *rest) for row, rest in zip(ROWS, zip(corrections, status, strict=True), strict=True)]


@pytest.fixture
def finished(tmp_path):
    """A run that left what REGENIE left; the first row is a Firth row, the third a fit that failed."""
    write_table(tmp_path / "golden/step2/made/out_Y1.regenie")
    write_table(tmp_path / "ours/out_Y1.regenie")
    return write_run(tmp_path / "ours", {"Y1": part_rows()})


def judge(tmp_path, run, case):
    return judge_finished(case=case, run=run, golden_folder=tmp_path / "golden", tolerances=GOLDEN_TOLERANCES)


def problems_of(verdict):
    return (*verdict.problems, *(problem for file in verdict.files for problem in file.problems))


def result_of(verdict):
    return CaseResult(
        id="made",
        trait_type="qt",
        wall_seconds=0.5,
        modes=(RunMode.REGENIE, RunMode.DEFAULT),
        difference=verdict.difference,
        files=verdict.files,
        problems=verdict.problems,
    )


def test_the_prefix_is_replaced_the_mode_added_and_both_formats_asked_for(tmp_path):
    both = ("--format", "regenie", "--format", "parquet")
    case = golden_case("--strict")
    words = build_arguments(case=case, prefix=tmp_path / "out", mode=RunMode.REGENIE)

    assert words[words.index("--out") + 1] == str(tmp_path / "out")
    assert words[-7:] == ("--strict", "--sample-mode", "regenie", *both)
    assert build_arguments(case=case, prefix=tmp_path / "out", mode=RunMode.DEFAULT)[-5:] == ("--strict", *both)


def test_a_run_that_left_the_same_tables_passes(tmp_path, finished):
    result = result_of(judge(tmp_path, finished, golden_case()))

    assert result.passed
    assert describe_case(result) == ["passed made: 1 files, 3 rows, 1 Firth tests, both modes, 0.5 s"]


def test_a_wrong_value_fails_and_is_named_in_the_report(tmp_path, finished):
    write_table(tmp_path / "ours/out_Y1.regenie", rows=with_field(1, "BETA", "0.02"))
    result = result_of(judge(tmp_path, finished, golden_case()))

    assert not result.passed
    assert "rs2" in describe_case(result)[1]
    assert error_table([result])[-1].startswith("made")
    assert closing_line([result, result]) == "0 passed, 2 failed"


def test_the_bounds_of_a_firth_fit_apply_to_its_rows_alone(tmp_path, finished):
    write_table(tmp_path / "ours/out_Y1.regenie", rows=with_field(0, "BETA", "0.500004"))
    assert problems_of(judge(tmp_path, finished, golden_case())) != ()

    write_run(tmp_path / "ours", {"Y1": part_rows(corrections=["none"] * 3, status=["ok"] * 3)})
    assert problems_of(judge(tmp_path, finished, golden_case())) == ()


def test_a_file_that_was_not_written_fails(tmp_path, finished):
    (tmp_path / "ours/out_Y1.regenie").unlink()

    assert problems_of(judge(tmp_path, finished, golden_case())) == ("the file was not written",)


def test_a_file_that_regenie_did_not_write_fails(tmp_path, finished):
    write_table(tmp_path / "ours/out_Y2.regenie")

    assert problems_of(judge(tmp_path, finished, golden_case())) == (
        "out_Y2.regenie was written and REGENIE has no such file",
    )


def test_a_run_without_a_manifest_fails(tmp_path, finished):
    (finished.run_directory / "manifest.json").unlink()

    assert "manifest.json" in problems_of(judge(tmp_path, finished, golden_case()))[0]


def test_a_run_that_failed_fails_with_its_message(tmp_path, finished):
    run = run_of(tmp_path / "ours", exit_code=1, standard_error="first\nlast words\n")

    assert judge(tmp_path, run, golden_case()).problems == ("the run ended with exit code 1: first | last words",)


@pytest.mark.parametrize(
    ("failed", "standard_error", "problem"),
    [
        (("Y2",), "error: 1 of 2 traits failed:\n  - trait Y2: constant\n", None),
        (("Y2",), "error: 1 of 2 traits failed\n", "trait Y2 failed and the message does not name it"),
        ((), "error: a trait failed\n", "exit code 3 and no trait failed"),
    ],
)
def test_exit_code_3_is_right_where_the_bad_trait_is_named_and_the_other_files_match(
    tmp_path, finished, failed, standard_error, problem
):
    write_run(tmp_path / "ours", {"Y1": part_rows()}, failed=failed)
    run = run_of(tmp_path / "ours", exit_code=3, standard_error=standard_error)
    problems = problems_of(judge(tmp_path, run, golden_case()))

    assert problems == () if problem is None else problem in problems[0]


def test_exit_code_3_does_not_excuse_a_file_that_differs(tmp_path, finished):
    write_run(tmp_path / "ours", {"Y1": part_rows()}, failed=("Y2",))
    write_table(tmp_path / "ours/out_Y1.regenie", rows=with_field(1, "SE", "0.41"))
    run = run_of(tmp_path / "ours", exit_code=3, standard_error="trait Y2: constant")

    assert problems_of(judge(tmp_path, run, golden_case())) != ()


@pytest.mark.parametrize(
    ("name", "theirs", "same", "other"),
    [
        ("out_Y1.regenie.ids", "1\t1\n2\t2", "1\t1\n2\t2", "1\t1\n2\t2\n"),
        ("out.regenie.Ydict", "Y1 height\n", "Y1 height\n", "Y1 weight\n"),
        ("out_1.firth", "1 0.25 -3\n2 0.5 4\n", "1 7 8\n2 9 10\n", "1 7 8\n3 9 10\n"),
        ("out_1.firth", "1 0.25 -3\n", "1 7 8\n", "1 7\n"),
        ("out_firth.list", "Y1 a/out_1.firth\n", "Y1 /b/out_1.firth\n", "Y2 /b/out_1.firth\n"),
    ],
)
def test_each_kind_of_file_is_compared_by_its_own_rule(tmp_path, name, theirs, same, other):
    output = f"step2/made/{name}"
    (tmp_path / "golden/step2/made").mkdir(parents=True)
    (tmp_path / "golden" / output).write_text(theirs)
    run = write_run(tmp_path / "ours", {})
    for text, passes in ((same, True), (other, False)):
        (tmp_path / "ours" / name).write_text(text)
        assert (problems_of(judge(tmp_path, run, golden_case(outputs=(output,)))) == ()) is passes


def test_a_refusal_passes_where_its_message_names_the_cause(tmp_path):
    case = golden_case(error="ERROR: phenotype 'NOPE' is strange")
    named = run_of(tmp_path, exit_code=2, standard_error="error: inputs/p.txt: no column NOPE\n")
    bare = run_of(tmp_path, exit_code=2, standard_error="error: something is wrong\n")

    assert judge_refusal(case=case, run=named, golden_folder=tmp_path).problems == ()
    assert "does not name NOPE" in judge_refusal(case=case, run=bare, golden_folder=tmp_path).problems[0]


def test_a_success_where_regenie_refuses_needs_a_numbered_difference(tmp_path):
    no_block_size = golden_case(error="ERROR: must specify the block size using '--bsize'.")
    verdict = judge_refusal(case=no_block_size, run=run_of(tmp_path), golden_folder=tmp_path)
    assert verdict.problems == ()
    assert describe_case(result_of(verdict))[0].startswith(
        "passed made: no files, difference 2: --bsize may be left out"
    )

    other = golden_case(error="ERROR: need at least one phenotype.")
    assert "must be refused" in judge_refusal(case=other, run=run_of(tmp_path), golden_folder=tmp_path).problems[0]


def test_another_genotype_format_passes_where_it_is_refused_by_name(tmp_path):
    case = golden_case(genotype_format="bed")
    by_name = run_of(tmp_path, exit_code=2, standard_error="error: --bed is not supported")
    other = run_of(tmp_path, exit_code=2, standard_error="error: --pgen is not supported")

    assert judge_other_format(case=case, run=by_name).problems == ()
    assert judge_other_format(case=case, run=other).problems != ()


@pytest.mark.parametrize(("index", "passes"), [("inputs/a.bgen.bgi", True), ("inputs/other.bgi", False)])
def test_rows_may_stand_in_another_order_where_regenie_reads_an_index(tmp_path, finished, index, passes):
    (tmp_path / "golden/inputs").mkdir()
    (tmp_path / "golden" / index).write_text("")
    write_table(tmp_path / "ours/out_Y1.regenie", rows=ROWS[::-1])
    write_run(tmp_path / "ours", {"Y1": part_rows()[::-1]})

    assert (problems_of(judge(tmp_path, finished, golden_case())) == ()) is passes


def test_an_index_excuses_no_other_row(tmp_path, finished):
    (tmp_path / "golden/inputs").mkdir()
    (tmp_path / "golden/inputs/a.bgen.bgi").write_text("")
    write_table(tmp_path / "ours/out_Y1.regenie", rows=with_field(1, "ID", "rs9")[::-1])
    write_run(tmp_path / "ours", {"Y1": part_rows()[::-1]})

    assert problems_of(judge(tmp_path, finished, golden_case())) != ()
