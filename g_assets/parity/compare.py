"""Comparing one result file with REGENIE's.

Belongs here: the comparison of two tables and its result as values. The tolerances are in tolerances.py, the words of
the report in report.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from g_assets.parity.regenie_table import Quantity, RegenieTable, quantity_of, trait_suffix
from g_assets.parity.tolerances import TestedRows, Tolerances, bound, frequency_bound

LARGEST_LIST = 3

FirthRows = Mapping[str, npt.NDArray[np.bool_]]
"""Our rows that a Firth fit gave, by ``regenie_table.trait_suffix``; each [rows]."""


@dataclass(frozen=True, slots=True)
class WorstCell:
    """The cell of a column that is furthest from REGENIE's, as both printed it."""

    variant: str
    ours: str
    theirs: str


@dataclass(frozen=True, slots=True)
class ColumnError:
    """The largest error of one number column."""

    column: str
    largest_share_of_bound: float
    """Difference divided by what is allowed in that row; above 1 fails."""
    largest_relative_error: float
    """Difference divided by REGENIE's value, over rows where the value is larger than what it may be off by."""
    n_out_of_bounds: int
    """Cells beyond their bound, or NA on one side only."""
    worst: WorstCell | None
    """The cell of the largest share; None where no cell differs."""


@dataclass(frozen=True, slots=True)
class FileComparison:
    """What came of one file."""

    name: str
    n_rows: int
    n_firth_rows: int
    columns: tuple[ColumnError, ...]
    problems: tuple[str, ...]
    """Empty where the file passed."""


@dataclass(frozen=True, slots=True)
class TablePair:
    """REGENIE's table and ours, of equal header and rows, and what their bounds depend on."""

    expected: RegenieTable
    actual: RegenieTable
    firth_rows: FirthRows
    standard_error_from_statistic: bool
    tolerances: Tolerances

    def tested_rows(self, suffix: str) -> TestedRows:
        """REGENIE's numbers of one trait."""
        unmarked = np.zeros(self.expected.frame.height, dtype=np.bool_)
        return TestedRows(
            effect=self.expected.numbers(f"BETA{suffix}"),
            standard_error=self.expected.numbers(f"SE{suffix}"),
            statistic=self.expected.numbers(f"CHISQ{suffix}"),
            is_firth=self.firth_rows.get(suffix, unmarked),
            standard_error_from_statistic=self.standard_error_from_statistic,
        )

    def bound(self, column: str) -> npt.NDArray[np.float64]:
        """What is allowed in each row of a number column."""
        quantity = quantity_of(column)
        if quantity is None:
            raise ValueError(f"{column} is not a column of numbers")
        expected = self.expected.numbers(column)
        if quantity is Quantity.FREQUENCY:
            return frequency_bound(expected, self.tolerances)
        return bound(
            quantity=quantity,
            expected=expected,
            rows=self.tested_rows(trait_suffix(column)),
            tolerances=self.tolerances,
        )


def compare_tables(*, name: str, pair: TablePair) -> FileComparison:
    """Compare every row and column.

    Numbers are compared only where header and rows are the same, because otherwise unlike rows would be set against
    each other.

    Args:
        name: Name of the file in the report.
        pair: Both tables.
    """
    expected = pair.expected
    problems = find_structure_problems(expected=expected, actual=pair.actual)
    columns: list[ColumnError] = []
    if not problems:
        for column in expected.number_columns:
            error, column_problems = compare_numbers(column=column, pair=pair)
            columns.append(error)
            problems.extend(column_problems)
    return FileComparison(
        name=name,
        n_rows=expected.frame.height,
        n_firth_rows=sum(int(np.count_nonzero(rows)) for rows in pair.firth_rows.values()),
        columns=tuple(columns),
        problems=tuple(problems),
    )


def find_structure_problems(*, expected: RegenieTable, actual: RegenieTable) -> list[str]:
    """Return what differs in the header, in the rows or in a column that must be equal."""
    if expected.columns != actual.columns:
        return [f"the header is {' '.join(actual.columns)}; REGENIE's is {' '.join(expected.columns)}"]
    problems: list[str] = []
    if expected.frame.height != actual.frame.height:
        problems.append(f"{actual.frame.height} rows; REGENIE has {expected.frame.height}")
    n_common = min(expected.frame.height, actual.frame.height)
    exact = expected.exact_columns
    is_different = np.zeros(n_common, dtype=np.bool_)
    for column in exact:
        ours, theirs = actual.frame.get_column(column)[:n_common], expected.frame.get_column(column)[:n_common]
        is_different |= (ours != theirs).to_numpy()
    rows = np.flatnonzero(is_different)
    if not rows.size and problems:
        rows = np.array([n_common])
    problems.extend(
        f"row {row + 1} is {describe(actual, row)}; REGENIE has {describe(expected, row)}"
        for row in rows[:LARGEST_LIST].tolist()
    )
    if rows.size > LARGEST_LIST:
        problems.append(f"{rows.size} rows differ in {' '.join(exact)}")
    return problems


def describe(table: RegenieTable, row: int) -> str:
    """Return the exact columns of a row, or that there is no such row."""
    return table.describe_row(row) if row < table.frame.height else "no such row"


def compare_numbers(*, column: str, pair: TablePair) -> tuple[ColumnError, list[str]]:
    """Return the largest error of one column, and its problems: values out of bounds and NA on one side only."""
    expected, actual = pair.expected, pair.actual
    theirs, ours, allowed = expected.numbers(column), actual.numbers(column), pair.bound(column)
    na_differs = np.isnan(theirs) != np.isnan(ours)
    is_compared = ~np.isnan(theirs) & ~np.isnan(ours)
    difference = np.where(is_compared, np.abs(ours - theirs), 0.0)
    share = np.divide(
        difference, allowed, out=np.where(difference > 0.0, np.inf, 0.0), where=is_compared & (allowed > 0.0)
    )
    relative = np.divide(
        difference, np.abs(theirs), out=np.zeros_like(difference), where=is_compared & (np.abs(theirs) > allowed)
    )
    # A comparison with "not (at most 1)" also catches a share that is not a number.
    outside = np.flatnonzero(na_differs | ~(share <= 1.0))
    rank = np.where(na_differs | np.isnan(share), np.inf, share)
    worst_first = outside[np.argsort(-rank[outside], kind="stable")]
    problems = [
        f"{column} is {actual.frame.get_column(column)[row]}; REGENIE has {expected.frame.get_column(column)[row]} "
        f"(row {row + 1}: {expected.describe_row(row)})"
        for row in worst_first[:LARGEST_LIST].tolist()
    ]
    if outside.size > LARGEST_LIST:
        problems.append(f"{column} is out of bounds in {outside.size} rows, the first of them row {outside[0] + 1}")
    worst = int(np.argmax(rank)) if rank.max(initial=0.0) > 0.0 else None
    return (
        ColumnError(
            column=column,
            largest_share_of_bound=float(share.max(initial=0.0)),
            largest_relative_error=float(relative.max(initial=0.0)),
            n_out_of_bounds=int(outside.size),
            worst=None
            if worst is None
            else WorstCell(
                variant=str(expected.frame.get_column("ID")[worst]),
                ours=str(actual.frame.get_column(column)[worst]),
                theirs=str(expected.frame.get_column(column)[worst]),
            ),
        ),
        problems,
    )
