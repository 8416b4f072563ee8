"""How cases and controls are written in a binary trait.

Belongs here: the decision 0/1 or 1/2 for each column, and what counts as missing. Does not belong here: dropping
traits for want of cases (traits.py).
"""

import numpy as np
import numpy.typing as npt

from g_core.inputs.findings import Findings

ZERO_ONE = frozenset({0.0, 1.0})
ONE_TWO = frozenset({1.0, 2.0})
PLINK_MISSING = -9.0


def decode_cases(
    values: npt.NDArray[np.float64], name: str, file: str, findings: Findings, *, one_two_coding: bool
) -> npt.NDArray[np.float64]:
    """Values as 0 and 1, NaN where missing; shape [n]. Values that are no case status are a problem.

    Args:
        values: Raw column, NaN where missing.
        name: Of the trait.
        file: Of the phenotypes, for messages.
        findings: Takes problems and notes.
        one_two_coding: ``--cc12``.
    """
    plink_missing = values == PLINK_MISSING
    if plink_missing.any():
        findings.note(f"trait {name}: {int(plink_missing.sum())} values of -9 are taken as missing")
        values = np.where(plink_missing, np.nan, values)
    observed = frozenset(np.unique(values[~np.isnan(values)]).tolist())
    if one_two_coding:
        return decode_one_two(values, observed, name, file, findings)
    if observed <= ZERO_ONE:
        return values
    if observed <= ONE_TWO:
        findings.note(f"trait {name}: only 1 and 2 occur, read as 1 control, 2 case (as with --cc12)")
        return values - 1.0
    if observed <= ZERO_ONE | ONE_TWO:
        findings.problems.add(
            f"{file}: trait {name}: {describe_values(observed)} occur side by side, and a 0 beside 2 can mean control "
            "or missing; write controls 0 and cases 1, missing NA"
        )
    else:
        findings.problems.add(
            f"{file}: trait {name} is not binary: {describe_values(observed - ZERO_ONE)} among its values; "
            "allowed: 0, 1 and NA, or 1, 2 and NA (use --qt for a quantitative trait)"
        )
    return values


def decode_one_two(
    values: npt.NDArray[np.float64], observed: frozenset[float], name: str, file: str, findings: Findings
) -> npt.NDArray[np.float64]:
    """Values of a column that the user says is 1/2."""
    wrong = observed - ONE_TWO
    if wrong:
        findings.problems.add(
            f"{file}: trait {name}: {describe_values(wrong)} among its values; --cc12 allows 1, 2 and NA"
        )
    return values - 1.0


def describe_values(values: frozenset[float]) -> str:
    """The smallest few values as text."""
    most = 5
    ordered = sorted(values)
    return ", ".join(f"{value:g}" for value in ordered[:most]) + (", ..." if len(ordered) > most else "")
