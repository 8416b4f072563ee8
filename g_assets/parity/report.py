"""The words of the parity tool.

Belongs here: results as text. Nothing here decides whether a case passed.
"""

import math
from collections.abc import Sequence

from g_assets.parity.judge import CaseResult, largest_errors
from g_assets.parity.record import COMPARED_COLUMNS

CELL_WIDTH = 16
N_SLOWEST = 5


def describe_case(result: CaseResult) -> list[str]:
    """Return one line about a case, and one for each of its problems."""
    verdict = "passed" if result.passed else "FAILED"
    told = [f"{verdict} {result.id}: {describe_contents(result)}", f"{result.wall_seconds:.1f} s"]
    if len(result.modes) > 1:
        told.insert(1, "both modes")
    if result.difference is not None:
        told.insert(1, f"difference {result.difference.number}: {result.difference.reason}")
    lines = [", ".join(told)]
    lines.extend(f"    {problem}" for problem in result.problems)
    lines.extend(f"    {file.name}: {problem}" for file in result.files for problem in file.problems)
    return lines


def describe_contents(result: CaseResult) -> str:
    """Return what was compared."""
    if not result.files:
        return "no files"
    n_rows = sum(file.n_rows for file in result.files)
    n_firth = sum(file.n_firth_rows for file in result.files)
    return f"{len(result.files)} files, {n_rows} rows, {n_firth} Firth tests"


def error_table(results: Sequence[CaseResult]) -> list[str]:
    """Return the largest error of each column and case as the lines of a table.

    Each cell is the largest relative error and, after it, the largest share of what is allowed.
    """
    compared = [result for result in results if any(file.columns for file in result.files)]
    width = max((len(result.id) for result in compared), default=0)
    lines = [
        "largest relative error, and largest share of the allowed difference (above 100% fails):",
        " ".join(["case".ljust(width), *(column.rjust(CELL_WIDTH) for column in COMPARED_COLUMNS)]),
    ]
    lines.extend(
        " ".join([result.id.ljust(width), *(describe_cell(result, column) for column in COMPARED_COLUMNS)])
        for result in compared
    )
    return lines


def describe_cell(result: CaseResult, column: str) -> str:
    """Return one cell of the table; ``-`` where the column was not compared."""
    share, relative = largest_errors([result], column)
    cell = "-" if math.isnan(share) else f"{relative:.1e} {share:7.2%}"
    return cell.rjust(CELL_WIDTH)


def slowest_line(results: Sequence[CaseResult]) -> str:
    """Return which cases took longest."""
    slowest = sorted(results, key=lambda result: result.wall_seconds, reverse=True)[:N_SLOWEST]
    return "slowest: " + ", ".join(f"{result.id} {result.wall_seconds:.1f} s" for result in slowest)


def closing_line(results: Sequence[CaseResult]) -> str:
    """Return the line that closes every report."""
    n_passed = sum(result.passed for result in results)
    return f"{n_passed} passed, {len(results) - n_passed} failed"
