import gzip

import numpy as np
import pytest

from g_assets.parity.compare import TablePair, compare_tables
from g_assets.parity.regenie_table import TableError, read_table
from g_assets.parity.tolerances import GOLDEN_TOLERANCES
from tests.parity.tables import HEADER, ROWS, with_field, write_table

NO_FIRTH = (False, False, False)
ALL_FIRTH = (True, True, True)


def compare_with(theirs, ours, *, is_firth=NO_FIRTH, standard_error_from_statistic=False):
    pair = TablePair(
        expected=theirs,
        actual=ours,
        firth_rows={"": np.array(is_firth)},
        standard_error_from_statistic=standard_error_from_statistic,
        tolerances=GOLDEN_TOLERANCES,
    )
    return compare_tables(name="out_Y1.regenie", pair=pair)


def compare(tmp_path, rows, *, header=HEADER, **facts):
    theirs, ours = write_table(tmp_path / "theirs"), write_table(tmp_path / "ours", rows=rows, header=header)
    return compare_with(theirs, ours, **facts)


def test_equal_tables_pass_with_no_error(tmp_path):
    comparison = compare(tmp_path, ROWS)

    assert comparison.problems == ()
    assert [error.column for error in comparison.columns] == ["A1FREQ", "INFO", "BETA", "SE", "CHISQ", "LOG10P"]
    assert all(error.largest_share_of_bound == 0.0 and error.worst is None for error in comparison.columns)


@pytest.mark.parametrize(
    ("row", "column", "allowed", "refused"),
    [
        (0, "A1FREQ", "0.250002", "0.250004"),  # 1e-5 relative and half a digit: 3e-6
        (1, "A1FREQ", "0.001001", "0.001001006"),  # 1e-6 absolute
        (0, "INFO", "0.900009", "0.90001"),
        (0, "BETA", "0.500005", "0.500006"),
        (1, "BETA", "-0.0200004", "-0.0200005"),  # 1e-6 SE: 4e-7
        (0, "SE", "0.100001", "0.100002"),  # 1e-6 either way
        (1, "SE", "0.400004", "0.400005"),
        (0, "CHISQ", "25.0012", "25.0014"),  # 5e-5 relative
        (1, "CHISQ", "0.00255", "0.00256"),  # 5e-5 absolute
        (0, "LOG10P", "6.24137", "6.24138"),
    ],
)
def test_a_value_passes_up_to_its_tolerance_and_fails_beyond_it(tmp_path, row, column, allowed, refused):
    assert compare(tmp_path, with_field(row, column, allowed)).problems == ()

    problems = compare(tmp_path, with_field(row, column, refused)).problems
    assert len(problems) == 1
    assert column in problems[0]
    assert ROWS[row].split(" ")[2] in problems[0]


@pytest.mark.parametrize(
    ("row", "column", "allowed", "refused"),
    [
        # 2.5e-4 SE^2 is 4e-5 in the second row, and 2.5e-6 (and half a digit, 5e-7) in the first.
        (1, "BETA", "-0.02004", "-0.02005"),
        (0, "BETA", "0.500003", "0.500004"),
        (1, "SE", "0.400016", "0.400017"),  # SE moves by no more than BETA, relatively: 4e-5
        (0, "SE", "0.100001", "0.100002"),
        (0, "CHISQ", "25.0005", "25.0006"),  # 2e-5 relative
        (1, "CHISQ", "0.0027", "0.00271"),  # 2e-4 absolute
        (0, "LOG10P", "6.24117", "6.24118"),  # what 5e-4 in CHISQ does, and half a digit
    ],
)
def test_a_firth_fit_has_bounds_of_its_own(tmp_path, row, column, allowed, refused):
    assert compare(tmp_path, with_field(row, column, allowed), is_firth=ALL_FIRTH).problems == ()
    assert compare(tmp_path, with_field(row, column, refused), is_firth=ALL_FIRTH).problems != ()


def test_with_firth_se_the_standard_error_is_as_open_as_effect_and_statistic(tmp_path):
    # |BETA| / sqrt(CHISQ): (2.5e-6 / 0.5 + 5e-4 / 50) of 0.1 is 1.5e-6, where SE by itself would have 1e-6.
    rows = with_field(0, "SE", "0.100001500")

    assert compare(tmp_path, rows, is_firth=ALL_FIRTH, standard_error_from_statistic=True).problems == ()
    assert compare(tmp_path, rows, is_firth=ALL_FIRTH).problems == ()
    rows = with_field(0, "SE", "0.1000019")
    assert compare(tmp_path, rows, is_firth=ALL_FIRTH, standard_error_from_statistic=True).problems == ()
    assert compare(tmp_path, rows, is_firth=ALL_FIRTH).problems != ()


def test_a_column_reports_its_largest_error_and_where_it_is(tmp_path):
    comparison = compare(tmp_path, with_field(0, "CHISQ", "25.001"))

    chisq = next(error for error in comparison.columns if error.column == "CHISQ")
    assert chisq.largest_relative_error == pytest.approx(4e-5)
    assert chisq.largest_share_of_bound == pytest.approx(0.001 / (0.00125 + 0.00005))
    assert chisq.n_out_of_bounds == 0
    assert (chisq.worst.variant, chisq.worst.ours, chisq.worst.theirs) == ("rs1", "25.001", "25")


def test_a_value_that_is_smaller_than_its_tolerance_has_no_relative_error(tmp_path):
    rows = tuple(row.replace("0.0025 ", "1e-20 ") for row in ROWS)
    theirs = write_table(tmp_path / "theirs", rows=rows)
    ours = write_table(tmp_path / "ours", rows=tuple(row.replace("1e-20 ", "1e-18 ") for row in rows))
    chisq = next(error for error in compare_with(theirs, ours).columns if error.column == "CHISQ")

    assert chisq.largest_relative_error == 0.0
    assert 0.0 < chisq.largest_share_of_bound < 1e-10


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
    problems = compare(tmp_path, ROWS[:2]).problems

    assert problems == ("2 rows; REGENIE has 3", "row 3 is no such row; REGENIE has 22 300 rs3 T C 499 ADD TEST_FAIL")


def test_a_row_too_many_is_named(tmp_path):
    extra = ROWS[0].replace("rs1", "rs0")
    problems = compare(tmp_path, (*ROWS, extra)).problems

    assert problems[0] == "4 rows; REGENIE has 3"
    assert problems[1].startswith("row 4 is 1 100 rs0")


def test_another_header_fails(tmp_path):
    problems = compare(tmp_path, ROWS, header=HEADER.replace("INFO", "R2")).problems

    assert len(problems) == 1
    assert problems[0].startswith("the header is ")


def test_many_wrong_values_are_counted_and_the_worst_named_first(tmp_path):
    rows = tuple(f"1 {row} rs{row} G A 0.25 1 10 ADD 1 0.1 100 23 NA" for row in range(1, 9))
    wrong = tuple(row.replace("ADD 1 ", f"ADD {1 + 0.1 * (index + 1):g} ") for index, row in enumerate(rows))
    comparison = compare_with(
        write_table(tmp_path / "theirs", rows=rows),
        write_table(tmp_path / "ours", rows=wrong),
        is_firth=[False] * len(rows),
    )

    assert "rs8" in comparison.problems[0]
    assert comparison.problems[-1] == "BETA is out of bounds in 8 rows, the first of them row 1"
    assert comparison.columns[2].n_out_of_bounds == 8


SEVERAL = "CHROM GENPOS ID ALLELE0 ALLELE1 A1FREQ INFO N N_RR N_RA N_AA TEST {} EXTRA".format(
    " ".join(f"{column}.{trait}" for trait in ("Y1", "Y2") for column in ("BETA", "SE", "CHISQ", "LOG10P"))
)
SEVERAL_ROW = "1 1 rs1 G A 0.25 1 10 5 4 1 ADD 0.5 0.1 25 6.24106 -0.02 0.4 0.0025 0.0176907 NA"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("ADD 0.5", "ADD 0.6", "BETA.Y1 is 0.6"),
        ("-0.02 0.4", "-0.02004 0.4", None),  # within the bound of Y2's own Firth fit
        ("ADD 0.5 0.1", "ADD 0.500005 0.1", None),  # within that of Y1's score test
        ("5 4 1 ADD", "5 3 2 ADD", "row 1 is "),
    ],
)
def test_each_trait_of_a_file_of_several_has_its_own_bounds(tmp_path, old, new, problem):
    theirs = write_table(tmp_path / "theirs", rows=(SEVERAL_ROW,), header=SEVERAL)
    ours = write_table(tmp_path / "ours", rows=(SEVERAL_ROW.replace(old, new),), header=SEVERAL)
    pair = TablePair(
        expected=theirs,
        actual=ours,
        firth_rows={".Y1": np.array([False]), ".Y2": np.array([True])},
        standard_error_from_statistic=False,
        tolerances=GOLDEN_TOLERANCES,
    )
    problems = compare_tables(name="out.regenie", pair=pair).problems

    assert problems == () if problem is None else problems[0].startswith(problem)


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
