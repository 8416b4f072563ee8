"""Comparing one result file with REGENIE's.

Belongs here: the comparison of two tables and its result as values. The tolerances are in tolerances.py, the words of
the report in report.py.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from g_assets.parity.regenie_table import Quantity, RegenieTable, quantity_of
from g_assets.parity.tolerances import Tolerances, bound

LARGEST_LIST = 3


@dataclass(frozen=True, slots=True)
class ColumnError:
    """The largest error of one number column."""

    column: str
    largest_share_of_bound: float
    """Difference divided by what is allowed in that row; above 1 fails."""
    largest_relative_error: float
    """Difference divided by REGENIE's value, over rows where that is not 0."""


@dataclass(frozen=True, slots=True)
class FileComparison:
    """What came of one file."""

    name: str
    n_rows: int
    n_firth_rows: int
    columns: tuple[ColumnError, ...]
    problems: tuple[str, ...]
    """Empty where the file passed."""


def compare_tables(
    *,
    name: str,
    expected: RegenieTable,
    actual: RegenieTable,
    is_firth: npt.NDArray[np.bool_],
    tolerances: Tolerances,
) -> FileComparison:
    """Compare every row and column.

    Numbers are compared only where header and rows are the same, because otherwise unlike rows would be set against
    each other.

    Args:
        name: Name of the file in the report.
        expected: REGENIE's table.
        actual: Ours.
        is_firth: Our rows that a Firth fit gave.
        tolerances: How far a number may be off.
    """
    problems = find_structure_problems(expected=expected, actual=actual)
    columns: list[ColumnError] = []
    if not problems:
        for column in expected.number_columns:
            error, column_problems = compare_numbers(
                column=column, expected=expected, actual=actual, is_firth=is_firth, tolerances=tolerances
            )
            columns.append(error)
            problems.extend(column_problems)
    return FileComparison(
        name=name,
        n_rows=expected.frame.height,
        n_firth_rows=int(np.count_nonzero(is_firth)),
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


def compare_numbers(
    *,
    column: str,
    expected: RegenieTable,
    actual: RegenieTable,
    is_firth: npt.NDArray[np.bool_],
    tolerances: Tolerances,
) -> tuple[ColumnError, list[str]]:
    """Return the largest error of one column, and its problems: values out of bounds and NA on one side only."""
    quantity = quantity_of(column)
    if quantity is None:
        raise ValueError(f"{column} is not a column of numbers")
    theirs, ours = expected.numbers(column), actual.numbers(column)
    standard_error = expected.numbers(column.replace("BETA", "SE", 1)) if quantity is Quantity.EFFECT else None
    allowed = bound(
        quantity=quantity,
        expected=theirs,
        standard_error=standard_error,
        is_firth=is_firth,
        tolerances=tolerances,
    )
    na_differs = np.isnan(theirs) != np.isnan(ours)
    is_compared = ~np.isnan(theirs) & ~np.isnan(ours)
    difference = np.where(is_compared, np.abs(ours - theirs), 0.0)
    share = np.divide(
        difference, allowed, out=np.where(difference > 0.0, np.inf, 0.0), where=is_compared & (allowed > 0.0)
    )
    relative = np.divide(difference, np.abs(theirs), out=np.zeros_like(difference), where=is_compared & (theirs != 0.0))
    # A comparison with "not (at most 1)" also catches a share that is not a number.
    outside = np.flatnonzero(na_differs | ~(share <= 1.0))
    worst_first = outside[np.argsort(-np.where(na_differs, np.inf, share)[outside], kind="stable")]
    problems = [
        f"{column} is {actual.frame.get_column(column)[row]}; REGENIE has {expected.frame.get_column(column)[row]} "
        f"(row {row + 1}: {expected.describe_row(row)})"
        for row in worst_first[:LARGEST_LIST].tolist()
    ]
    if outside.size > LARGEST_LIST:
        problems.append(f"{column} is out of bounds in {outside.size} rows, the first of them row {outside[0] + 1}")
    return (
        ColumnError(
            column=column,
            largest_share_of_bound=float(share.max(initial=0.0)),
            largest_relative_error=float(relative.max(initial=0.0)),
        ),
        problems,
    )
