"""How cases and controls are written in a binary trait.

Belongs here: the decision 0/1 or 1/2 for each column, and what counts as missing. Does not belong here: dropping
traits for want of cases (traits.py).
"""

import dataclasses

import numpy as np
import numpy.typing as npt

from g_core.inputs.findings import Findings

ZERO_ONE = frozenset({0.0, 1.0})
ONE_TWO = frozenset({1.0, 2.0})
PLINK_MISSING = -9.0


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class RawColumn:
    """One trait as its file has it: ``values`` [n], NaN where missing, and the ``lines`` [n] they stand on."""

    file: str
    trait: str
    values: npt.NDArray[np.float64]
    lines: npt.NDArray[np.int64]

    def observed(self) -> frozenset[float]:
        """The distinct values."""
        return frozenset(np.unique(self.values[~np.isnan(self.values)]).tolist())

    def first(self, unwanted: frozenset[float]) -> str:
        """Where a value that is not wanted is first, and how many there are."""
        found = np.flatnonzero(np.isin(self.values, list(unwanted)))
        earliest = found[np.argmin(self.lines[found])]
        return f"{self.values[earliest]:g} on line {self.lines[earliest]} ({found.size} such values)"


def decode_cases(column: RawColumn, findings: Findings, *, one_two_coding: bool) -> npt.NDArray[np.float64]:
    """Values as 0 and 1, NaN where missing; shape [n]. Values that are no case status are a problem.

    Args:
        column: The raw values.
        findings: Takes problems and notes.
        one_two_coding: ``--cc12``.
    """
    plink_missing = column.values == PLINK_MISSING
    if plink_missing.any():
        findings.note(f"trait {column.trait}: {int(plink_missing.sum())} values of -9 are taken as missing")
        column = dataclasses.replace(column, values=np.where(plink_missing, np.nan, column.values))
    observed = column.observed()
    place = f"{column.file}: trait {column.trait}"
    if one_two_coding:
        if observed - ONE_TWO:
            findings.problems.add(f"{place} has {column.first(observed - ONE_TWO)}; --cc12 allows 1, 2 and NA")
        return column.values - 1.0
    if observed <= ZERO_ONE:
        return column.values
    if observed <= ONE_TWO:
        findings.note(f"trait {column.trait}: only 1 and 2 occur, read as 1 control, 2 case (as with --cc12)")
        return column.values - 1.0
    if observed <= ZERO_ONE | ONE_TWO:
        findings.problems.add(
            f"{place} has both 0 and 2, and a 0 beside 2 can mean control or missing; "
            "write controls 0 and cases 1, missing NA"
        )
    else:
        findings.problems.add(
            f"{place} is not binary: {column.first(observed - ZERO_ONE - ONE_TWO)}; "
            "allowed: 0, 1 and NA, or 1, 2 and NA (use --qt for a quantitative trait)"
        )
    return column.values
