"""The comparison of two devices tells equal tables from different ones, and says where."""

import pyarrow as pa
import pytest

from tests.gpu.comparison import TOLERANCES, compare_tables

ROWS = {
    "ID": ["rs1", "rs2", "rs3"],
    "A1FREQ": [0.1, None, 0.5],
    "CORRECTION": ["none", "none", "firth_approximate"],
    "BETA": [0.5, None, 1.5],
    "SE": [0.1, None, 0.5],
    "CHISQ": [25.0, None, 9.0],
    "LOG10P": [6.24, None, 2.57],
}


def changed(name, row, value):
    values = list(ROWS[name])
    values[row] = value
    return pa.table(ROWS | {name: values})


def test_equal_tables_agree_with_nulls_in_the_same_rows():
    found = compare_tables(pa.table(ROWS), pa.table(ROWS), TOLERANCES)
    assert found.problems == ()
    assert found.worst == {"BETA": 0.0, "SE": 0.0, "CHISQ": 0.0, "LOG10P": 0.0}


@pytest.mark.parametrize(
    ("name", "row", "value"),
    [("BETA", 0, 0.5 + 1e-7), ("BETA", 2, 1.5 + 1e-4), ("SE", 0, 0.1 + 1e-7), ("CHISQ", 0, 25.0 + 2e-4)],
)
def test_a_difference_within_the_tolerance_agrees(name, row, value):
    found = compare_tables(pa.table(ROWS), changed(name, row, value), TOLERANCES)
    assert found.problems == ()
    assert 0.0 < found.worst[name] < 1.0


@pytest.mark.parametrize(
    ("name", "row", "value", "words"),
    [
        ("BETA", 0, 0.5 + 1e-6, "BETA differs too much in 1 rows, worst in row 0"),
        ("BETA", 2, 1.5 + 1e-3, "BETA differs too much in 1 rows, worst in row 2"),
        ("LOG10P", 0, 6.25, "LOG10P differs too much"),
        ("SE", 1, 0.1, "SE is null in other rows"),
        ("A1FREQ", 0, 0.1000001, "A1FREQ differs in 1 rows, first in row 0"),
        ("A1FREQ", 1, 0.2, "A1FREQ differs in 1 rows, first in row 1"),
        ("CORRECTION", 2, "none", "CORRECTION differs in 1 rows"),
        ("ID", 1, "rs9", "ID differs in 1 rows"),
    ],
)
def test_a_difference_is_named_with_its_row(name, row, value, words):
    found = compare_tables(pa.table(ROWS), changed(name, row, value), TOLERANCES)
    assert any(problem.startswith(words) for problem in found.problems), found.problems


def test_tables_of_other_lengths_are_not_compared():
    found = compare_tables(pa.table(ROWS), pa.table(ROWS).slice(0, 2), TOLERANCES)
    assert found.problems == ("3 rows and 2",)
