"""The page about a run: everything that a person asks of it first."""

import pytest

from g_core.inspection.report import aligned, report_lines
from g_core.inspection.run_state import read_run_state
from tests.core.inspection.run_directories import commit_parts, finish_run, make_run
from tests.core.results.result_rows import result_rows

ROWS = result_rows(600)


@pytest.fixture
def finished(tmp_path):
    directory = tmp_path / "out.g"
    make_run(directory, ["height"])
    (tmp_path / "out_height.regenie").write_text("CHROM\n")
    finish_run(directory, {"height": commit_parts(directory, "height", [ROWS.slice(0, 250), ROWS.slice(250)])})
    return directory


def test_a_finished_run_is_told_whole(finished):
    page = report_lines(read_run_state(finished), 3)
    for line in (
        "status    complete",
        "engine    g 0.1.0, plan ffffffffffff",
        "input     study.bgen (--bgen), 123,456 bytes",
        "variants  2,500 of 4,000 in the file",
        "time      12.50 s, scan 10.00 s (250 variants/s), peak memory 512 MB",
        "device    cpu, 2 threads, JAX 0.10.2",
        "  genotypes: 510 samples, 507 after sample filters",
        "  phenotypes pheno.txt: 520 samples, 507 of them with genotypes, 13 without",
        "  covariates: age",
        "trait height: complete",
        "  500 samples; dropped: 7 phenotype missing",
        "  600 rows, 5 without a test, 4 corrected; 2 variants below --minMAC",
        f"  {finished.parent / 'out_height.regenie'}, 6 bytes",
        "warning: the phenotype file has rows without genotypes",
    ):
        assert line in page, line
    assert any(line.startswith(f"  2 Parquet parts in {finished / 'height'}, ") for line in page)


def test_the_strongest_rows_are_told_in_order(finished):
    page = report_lines(read_run_state(finished), 3)
    header = next(number for number, line in enumerate(page) if line.split()[:2] == ["CHROM", "GENPOS"])
    told = [line.split()[2] for line in page[header + 1 : header + 4]]
    pairs = zip(ROWS["LOG10P"].to_pylist(), ROWS["ID"].to_pylist(), strict=True)
    strongest = sorted((pair for pair in pairs if pair[0] is not None), reverse=True)
    assert told == [identifier for _, identifier in strongest[:3]]
    assert not any("GENPOS" in line for line in report_lines(read_run_state(finished), 0))


def test_a_run_that_is_not_finished_says_so(tmp_path):
    directory = tmp_path / "out.g"
    make_run(directory, ["height", "weight"])
    commit_parts(directory, "height", [ROWS])
    page = report_lines(read_run_state(directory), 1)
    assert "status    not finished; no process has it; what follows is committed so far" in page
    assert "trait height: so far" in page
    assert "  0 rows, 0 without a test, 0 corrected" in page


def test_a_failed_trait_has_its_reason(tmp_path):
    directory = tmp_path / "out.g"
    make_run(directory, ["height"])
    finish_run(directory, {}, failed=["constant"])
    page = report_lines(read_run_state(directory), 5)
    assert "status    partial" in page
    assert "trait constant: failed: has only the value 1" in page


def test_a_file_that_is_gone_is_told(finished):
    (finished.parent / "out_height.regenie").unlink()
    page = report_lines(read_run_state(finished), 0)
    assert f"  {finished.parent / 'out_height.regenie'}: gone" in page


def test_a_trait_without_any_test_has_no_strongest_row(tmp_path):
    directory = tmp_path / "out.g"
    make_run(directory, ["height"])
    untested = ROWS.filter([status == "failed" for status in ROWS["STATUS"].to_pylist()])
    finish_run(directory, {"height": commit_parts(directory, "height", [untested])})
    assert "    no row has a test" in report_lines(read_run_state(directory), 5)


def test_columns_of_a_table_are_of_one_width():
    assert aligned([("A", "long", "x"), ("value", "b", "y")]) == ["A      long  x", "value  b     y"]
