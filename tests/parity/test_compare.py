import gzip

import numpy as np
import pytest

from g_assets.parity.compare import compare_tables
from g_assets.parity.regenie_table import TableError, read_table
from g_assets.parity.tolerances import GOLDEN_TOLERANCES
from tests.parity.tables import HEADER, ROWS, with_field, write_table

NO_FIRTH = np.zeros(len(ROWS), dtype=np.bool_)


def compare(tmp_path, rows, *, is_firth=NO_FIRTH, header=HEADER):
    return compare_tables(
        name="out_Y1.regenie",
        expected=write_table(tmp_path / "theirs"),
        actual=write_table(tmp_path / "ours", rows=rows, header=header),
        is_firth=is_firth,
        tolerances=GOLDEN_TOLERANCES,
    )


def test_equal_tables_pass_with_no_error(tmp_path):
    comparison = compare(tmp_path, ROWS)

    assert comparison.problems == ()
    assert [error.column for error in comparison.columns] == ["A1FREQ", "INFO", "BETA", "SE", "CHISQ", "LOG10P"]
    assert all(error.largest_share_of_bound == 0.0 for error in comparison.columns)


@pytest.mark.parametrize(
    ("row", "column", "allowed", "refused"),
    [
        (0, "A1FREQ", "0.250024", "0.250028"),  # 1e-4 relative, and half a digit
        (1, "A1FREQ", "0.0010009", "0.0010011"),  # 1e-6 absolute
        (0, "INFO", "0.90008", "0.90010"),
        (0, "BETA", "0.500049", "0.500052"),
        (1, "BETA", "-0.020003", "-0.020006"),  # 1e-5 SE
        (0, "SE", "0.10001", "0.100012"),
        (0, "CHISQ", "25.0049", "25.0053"),
        (1, "CHISQ", "0.00269", "0.00271"),  # 2e-4 absolute
        (0, "LOG10P", "6.2423", "6.24233"),
    ],
)
def test_a_value_passes_up_to_its_tolerance_and_fails_beyond_it(tmp_path, row, column, allowed, refused):
    assert compare(tmp_path, with_field(row, column, allowed)).problems == ()

    problems = compare(tmp_path, with_field(row, column, refused)).problems
    assert len(problems) == 1
    assert column in problems[0]
    assert ROWS[row].split(" ")[2] in problems[0]


def test_a_firth_effect_is_bounded_by_its_standard_error_alone(tmp_path):
    is_firth = np.array([True, True, False])

    # 2.5e-4 * 0.4^2 = 4e-5 for the second row, 2.5e-4 * 0.1^2 = 2.5e-6 (and half a digit, 5e-7) for the first.
    assert compare(tmp_path, with_field(1, "BETA", "-0.02003"), is_firth=is_firth).problems == ()
    assert compare(tmp_path, with_field(1, "BETA", "-0.02005"), is_firth=is_firth).problems != ()
    assert compare(tmp_path, with_field(0, "BETA", "0.500049"), is_firth=is_firth).problems != ()


def test_a_column_reports_its_largest_error(tmp_path):
    comparison = compare(tmp_path, with_field(0, "CHISQ", "25.001"))

    chisq = next(error for error in comparison.columns if error.column == "CHISQ")
    assert chisq.largest_relative_error == pytest.approx(4e-5)
    assert chisq.largest_share_of_bound == pytest.approx(0.001 / (0.005 + 0.00005))


@pytest.mark.parametrize(("row", "column", "value"), [(0, "BETA", "NA"), (2, "CHISQ", "1.5"), (2, "SE", "0")])
def test_na_on_one_side_only_fails(tmp_path, row, column, value):
    problems = compare(tmp_path, with_field(row, column, value)).problems

    assert any(problem.startswith(f"{column} is {value}") for problem in problems)


@pytest.mark.parametrize(
    ("column", "value"),
    [("N", "499"), ("ID", "rs9"), ("GENPOS", "101"), ("ALLELE1", "G"), ("TEST", "DOM"), ("EXTRA", "TEST_FAIL")],
)
def test_a_name_or_count_must_be_equal(tmp_path, column, value):
    problems = compare(tmp_path, with_field(0, column, value)).problems

    assert len(problems) == 1
    assert problems[0].startswith("row 1 is ")


def test_swapped_rows_fail(tmp_path):
    problems = compare(tmp_path, (ROWS[1], ROWS[0], ROWS[2])).problems

    assert problems[0].startswith("row 1 is 1 200 rs2")
    assert problems[1].startswith("row 2 is 1 100 rs1")


def test_a_row_that_is_not_there_is_named(tmp_path):
    problems = compare(tmp_path, ROWS[:2], is_firth=NO_FIRTH[:2]).problems

    assert problems == ("2 rows; REGENIE has 3", "row 3 is no such row; REGENIE has 22 300 rs3 T C 499 ADD TEST_FAIL")


def test_a_row_too_many_is_named(tmp_path):
    extra = ROWS[0].replace("rs1", "rs0")
    problems = compare(tmp_path, (*ROWS, extra), is_firth=np.zeros(4, dtype=np.bool_)).problems

    assert problems[0] == "4 rows; REGENIE has 3"
    assert problems[1].startswith("row 4 is 1 100 rs0")


def test_another_header_fails(tmp_path):
    problems = compare(tmp_path, ROWS, header=HEADER.replace("INFO", "R2")).problems

    assert len(problems) == 1
    assert problems[0].startswith("the header is ")


def test_many_wrong_values_are_counted_and_the_worst_named_first(tmp_path):
    rows = tuple(f"1 {row} rs{row} G A 0.25 1 10 ADD 1 0.1 100 23 NA" for row in range(1, 9))
    wrong = tuple(row.replace("ADD 1 ", f"ADD {1 + 0.1 * (index + 1):g} ") for index, row in enumerate(rows))
    comparison = compare_tables(
        name="out_Y1.regenie",
        expected=write_table(tmp_path / "theirs", rows=rows),
        actual=write_table(tmp_path / "ours", rows=wrong),
        is_firth=np.zeros(8, dtype=np.bool_),
        tolerances=GOLDEN_TOLERANCES,
    )

    assert "rs8" in comparison.problems[0]
    assert comparison.problems[-1] == "BETA is out of bounds in 8 rows, the first of them row 1"


def test_columns_of_a_file_of_several_traits_are_recognised(tmp_path):
    header = "CHROM GENPOS ID ALLELE0 ALLELE1 A1FREQ INFO N N_RR N_RA N_AA TEST BETA.Y1 SE.Y1 CHISQ.Y1 LOG10P.Y1 EXTRA"
    row = "1 1 rs1 G A 0.25 1 10 5 4 1 ADD 0.5 0.1 25 6.24106 NA"
    expected = write_table(tmp_path / "theirs", rows=(row,), header=header)
    actual = write_table(tmp_path / "ours", rows=(row.replace("ADD 0.5", "ADD 0.6"),), header=header)
    comparison = compare_tables(
        name="out.regenie",
        expected=expected,
        actual=actual,
        is_firth=np.array([False]),
        tolerances=GOLDEN_TOLERANCES,
    )

    assert len(comparison.problems) == 1
    assert comparison.problems[0].startswith("BETA.Y1 is 0.6")


def test_gzipped_text_is_read(tmp_path):
    plain = write_table(tmp_path / "plain")
    path = tmp_path / "out_Y1.regenie.gz"
    path.write_bytes(gzip.compress(plain.path.read_bytes()))

    assert read_table(path).frame.equals(plain.frame)


def test_a_table_of_a_header_alone_is_read(tmp_path):
    assert write_table(tmp_path / "empty", rows=()).frame.height == 0


@pytest.mark.parametrize("contents", ["", f"{HEADER}\n1 2 3\n{ROWS[0]} 7\n"])
def test_a_file_that_is_no_table_is_refused_by_name(tmp_path, contents):
    path = tmp_path / "out_Y1.regenie"
    path.write_text(contents)

    with pytest.raises(TableError, match=r"out_Y1\.regenie"):
        read_table(path)


def test_text_in_a_number_column_is_refused_with_its_line(tmp_path):
    table = write_table(tmp_path / "ours", rows=with_field(1, "SE", "small"))

    with pytest.raises(TableError, match="line 3, column SE: 'small'"):
        table.numbers("SE")
