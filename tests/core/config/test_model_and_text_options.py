"""Options about the genetic model, stored null fits and REGENIE's text, and where they mean nothing."""

import pathlib

import pytest

from g_core import errors
from g_core.config.build_plan import build_run_plan
from g_core.config.load import load_config

BASE = ("--bgen", "a.bgen", "--phenoFile", "y.txt", "--ignore-pred", "--out", "o")


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a.bgen", "a.sample", "y.txt", "firth.list"):
        (tmp_path / name).touch()


def plan(*words):
    return build_run_plan(load_config([*BASE, *words]))


@pytest.mark.parametrize("coding", ["additive", "dominant", "recessive"])
def test_the_genetic_model_is_chosen(coding):
    resolved = plan("--test", coding, "--minHOMs", "2.5")
    assert resolved.test.coding == coding
    assert resolved.filters.min_homozygotes == (2.5 if coding == "recessive" else 0.0)
    assert ("--minHOMs is ignored: it applies to --test recessive" in resolved.warnings) == (coding != "recessive")


def test_dosage_compensation_needs_sex():
    assert not plan().test.skip_dosage_compensation
    with_sex = plan("--skip-dosage-comp", "--sample", "a.sample")
    assert with_sex.test.skip_dosage_compensation
    assert with_sex.warnings == ()
    assert plan("--skip-dosage-comp").warnings == (
        "--skip-dosage-comp changes nothing: without --sample no sample is known to be male",
    )


def test_null_firth_fits_are_stored_and_used_by_approximate_firth():
    binary = plan("--bt", "--firth", "--approx", "--write-null-firth", "--use-null-firth", "firth.list").binary
    assert (binary.write_null_firth, binary.null_firth_list) == (True, pathlib.Path("firth.list"))
    with pytest.raises(errors.InputError, match=r"^--use-null-firth none\.list: no such file$"):
        plan("--bt", "--firth", "--approx", "--use-null-firth", "none.list")


@pytest.mark.parametrize("words", [("--bt",), ("--bt", "--firth"), ("--bt", "--spa"), ()])
def test_without_approximate_firth_no_null_fit_is_stored_or_used(words):
    resolved = plan(*words, "--write-null-firth", "--use-null-firth", "none.list")
    assert (resolved.binary.write_null_firth, resolved.binary.null_firth_list) == (False, None)
    assert resolved.warnings == (
        "--write-null-firth is ignored: it needs --bt --firth --approx",
        "--use-null-firth is not read: it needs --bt --firth --approx",
    )


def test_one_table_asks_for_the_text_by_itself():
    output = plan("--no-split").output
    assert output.one_table
    assert output.formats == ("parquet", "regenie")
    assert plan("--no-split=false").output.formats == ("parquet",)


def test_a_format_that_is_given_wins_over_one_table():
    assert plan("--no-split", "--format", "regenie").output.formats == ("regenie",)
    without_text = plan("--no-split", "--format", "parquet")
    assert not without_text.output.one_table
    assert without_text.output.formats == ("parquet",)
    assert without_text.warnings == ("--no-split is ignored: it is about REGENIE text, which needs --format regenie",)


def test_frequencies_by_case_status_are_for_the_text_of_binary_traits():
    resolved = plan("--bt", "--af-cc", "--format", "regenie")
    assert resolved.output.case_control_frequencies
    assert resolved.warnings == ()


@pytest.mark.parametrize(
    ("words", "warning"),
    [
        (("--qt", "--format", "regenie"), "--af-cc is ignored: it applies to binary traits (--bt)"),
        (("--bt", "--no-split"), "--af-cc is ignored: the one table of --no-split has no columns for it"),
        (
            ("--bt",),
            (
                "--af-cc changes nothing: the Parquet results of binary traits always have these columns, and REGENIE "
                "text needs --format regenie"
            ),
        ),
    ],
)
def test_frequencies_by_case_status_that_nothing_prints_are_told(words, warning):
    resolved = plan(*words, "--af-cc")
    assert not resolved.output.case_control_frequencies
    assert resolved.warnings == (warning,)


def test_limits_of_the_logistic_null_fit_leave_retries_of_the_firth_fit_on():
    assert plan("--bt", "--niter", "7").kernels.firth_null.retry
