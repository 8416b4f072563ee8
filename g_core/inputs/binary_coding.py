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
ZERO_TWO = frozenset({0.0, 2.0})
PLINK_MISSING = -9.0


class UnusableTraitError(Exception):
    """A column cannot be a trait of the run; the message says why. Never leaves g_core/inputs."""


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

    def few_observed(self, most: int) -> frozenset[float]:
        """The distinct values, or the first ``most`` of them: a million different ones need no sorting."""
        left = self.values[~np.isnan(self.values)]
        found: list[float] = []
        while left.size and len(found) < most:
            found.append(float(left[0]))
            left = left[left != left[0]]
        return frozenset(found)

    def first(self, those: frozenset[float]) -> str:
        """Where a value of those is first, and how many there are."""
        found = np.flatnonzero(np.isin(self.values, list(those)))
        earliest = found[np.argmin(self.lines[found])]
        repeated = f" and {found.size - 1} more lines" if found.size > 1 else ""
        return f"{self.values[earliest]:g} (line {self.lines[earliest]}{repeated})"


def decode_cases(column: RawColumn, findings: Findings, *, one_two_coding: bool) -> npt.NDArray[np.float64]:
    """Values as 0 and 1, NaN where missing; shape [n].

    Args:
        column: The raw values.
        findings: Takes notes.
        one_two_coding: ``--cc12``.

    Raises:
        UnusableTraitError: the column has values that are no case status, or one value alone.
    """
    plink_missing = column.values == PLINK_MISSING
    if plink_missing.any():
        findings.note(f"trait {column.trait}: {int(plink_missing.sum())} values of -9 are taken as missing")
        column = dataclasses.replace(column, values=np.where(plink_missing, np.nan, column.values))
    observed = column.observed()
    if not observed:
        raise UnusableTraitError(f"{column.file} has no value but -9 for any kept sample with genotypes")
    allowed = ONE_TWO if one_two_coding else ZERO_ONE | ONE_TWO
    if observed - allowed:
        coding = (
            "--cc12 allows 1, 2 and NA"
            if one_two_coding
            else ("allowed: 0, 1 and NA, or 1, 2 and NA (use --qt for a quantitative trait)")
        )
        raise UnusableTraitError(f"not binary: {column.file} has {column.first(observed - allowed)}; {coding}")
    if observed >= ZERO_TWO:
        raise UnusableTraitError(
            f"{column.file} has both {column.first(frozenset({0.0}))} and {column.first(frozenset({2.0}))}, and a 0 "
            "beside 2 can mean control or missing; write controls 0 and cases 1, missing NA"
        )
    if len(observed) == 1:
        raise UnusableTraitError(
            f"{column.file} has only the value {column.first(observed)}; there must be cases and controls"
        )
    if one_two_coding:
        return column.values - 1.0
    if observed == ONE_TWO:
        findings.note(f"trait {column.trait}: only 1 and 2 occur, read as 1 control, 2 case (as with --cc12)")
        return column.values - 1.0
    return column.values
