"""How far a result may be from REGENIE's.

Belongs here: the tolerances and the bound they give for each row. The bound of a row is the looser of a relative and
an absolute part, plus half a unit in the sixth printed digit, which is what REGENIE's text itself leaves open. A Firth
fit has bounds of its own, because REGENIE stops before its estimate is settled.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from g_assets.parity.regenie_table import Quantity
from g_assets.parity.tail import change_of_log10p

PRINTED_DIGITS = 6

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Tolerances:
    """Each pair is a relative bound and an absolute one; the looser counts."""

    frequency_relative: float
    frequency_absolute: float
    effect_relative: float
    effect_standard_errors: float
    """Absolute bound of BETA as a multiple of REGENIE's SE."""
    standard_error_relative: float
    standard_error_absolute: float
    statistic_relative: float
    statistic_absolute: float
    firth_score: float
    """REGENIE leaves a Firth fit when its score is below this, so BETA is open by this times SE squared."""
    firth_standard_error_relative_limit: float
    """SE follows BETA: its relative bound is ``firth_score`` times SE squared, but never more than this."""
    firth_statistic_relative: float
    firth_statistic_absolute: float


GOLDEN_TOLERANCES = Tolerances(
    frequency_relative=1e-5,
    frequency_absolute=1e-6,
    effect_relative=1e-5,
    effect_standard_errors=1e-6,
    standard_error_relative=1e-5,
    standard_error_absolute=1e-6,
    statistic_relative=5e-5,
    statistic_absolute=5e-5,
    firth_score=2.5e-4,
    firth_standard_error_relative_limit=2.5e-3,
    firth_statistic_relative=2e-5,
    firth_statistic_absolute=2e-4,
)


@dataclass(frozen=True, slots=True)
class TestedRows:
    """REGENIE's numbers of one trait, which the bounds of its columns are made of; each [rows], NaN where NA."""

    effect: Numbers
    standard_error: Numbers
    statistic: Numbers
    is_firth: npt.NDArray[np.bool_]
    """Rows whose numbers come from a Firth fit."""
    standard_error_from_statistic: bool
    """With --firth-se a Firth row's SE is |BETA| over the root of CHISQ."""


def half_unit_of_last_digit(printed: Numbers) -> Numbers:
    """Return half a unit in the sixth significant digit of each value; 0 for 0 and NaN."""
    magnitude = np.abs(printed)
    is_positive = magnitude > 0.0
    exponent = np.floor(np.log10(np.where(is_positive, magnitude, 1.0)))
    return np.where(is_positive, 0.5 * 10.0 ** (exponent - (PRINTED_DIGITS - 1)), 0.0)


def looser(expected: Numbers, relative: float, absolute: float | Numbers) -> Numbers:
    """Return the looser of a relative and an absolute bound."""
    return np.maximum(relative * np.abs(expected), absolute)


def frequency_bound(expected: Numbers, tolerances: Tolerances) -> Numbers:
    """Return the largest allowed difference of a frequency or INFO; [rows]."""
    allowed = looser(expected, tolerances.frequency_relative, tolerances.frequency_absolute)
    return allowed + half_unit_of_last_digit(expected)


def bound(*, quantity: Quantity, expected: Numbers, rows: TestedRows, tolerances: Tolerances) -> Numbers:
    """Return the largest allowed difference of each row.

    Args:
        quantity: What the column holds.
        expected: REGENIE's values of the column; [rows].
        rows: REGENIE's values of the columns of the same trait.
        tolerances: The numbers.
    """
    match quantity:
        case Quantity.FREQUENCY:
            return frequency_bound(expected, tolerances)
        case Quantity.EFFECT:
            score = looser(
                expected, tolerances.effect_relative, tolerances.effect_standard_errors * rows.standard_error
            )
            firth = firth_effect_bound(rows, tolerances)
        case Quantity.STANDARD_ERROR:
            score = looser(expected, tolerances.standard_error_relative, tolerances.standard_error_absolute)
            firth = firth_standard_error_bound(rows, tolerances)
        case Quantity.STATISTIC:
            score = looser(expected, tolerances.statistic_relative, tolerances.statistic_absolute)
            firth = firth_statistic_bound(rows, tolerances)
        case Quantity.LOG10P:
            score = looser(expected, tolerances.statistic_relative, tolerances.statistic_absolute)
            firth = change_of_log10p(rows.statistic, firth_statistic_bound(rows, tolerances))
    return np.where(rows.is_firth, firth, score) + half_unit_of_last_digit(expected)


def firth_effect_bound(rows: TestedRows, tolerances: Tolerances) -> Numbers:
    """How far REGENIE's stopping rule leaves BETA open; [rows]."""
    return tolerances.firth_score * rows.standard_error**2


def firth_statistic_bound(rows: TestedRows, tolerances: Tolerances) -> Numbers:
    """The bound of a likelihood ratio; [rows]."""
    return looser(rows.statistic, tolerances.firth_statistic_relative, tolerances.firth_statistic_absolute)


def firth_standard_error_bound(rows: TestedRows, tolerances: Tolerances) -> Numbers:
    """How far SE is open when BETA is; [rows].

    The information is a sum of squared dosages, adjusted and so at most 2 apart, times weights whose logarithm changes
    by at most 1 a unit of the linear predictor; so the logarithm of SE changes by no more than BETA does.
    """
    if rows.standard_error_from_statistic:
        with np.errstate(divide="ignore", invalid="ignore"):
            relative = firth_effect_bound(rows, tolerances) / np.abs(rows.effect)
            relative += 0.5 * firth_statistic_bound(rows, tolerances) / rows.statistic
        return relative * rows.standard_error
    relative = np.clip(
        firth_effect_bound(rows, tolerances),
        tolerances.standard_error_relative,
        tolerances.firth_standard_error_relative_limit,
    )
    return np.maximum(relative * rows.standard_error, tolerances.standard_error_absolute)
