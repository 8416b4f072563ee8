"""How far a result may be from REGENIE's.

Belongs here: the tolerances and the bound they give for each row. The bound of a row is the looser of a relative and
an absolute part, plus half a unit in the sixth printed digit, which is what REGENIE's text itself leaves open.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from g_assets.parity.regenie_table import Quantity

PRINTED_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Tolerances:
    """Each pair is a relative bound and an absolute one; the looser counts."""

    frequency_relative: float
    frequency_absolute: float
    effect_relative: float
    effect_standard_errors: float
    """Absolute bound of BETA as a multiple of REGENIE's SE."""
    firth_score: float
    """REGENIE leaves a Firth fit when its score is below this, so BETA is open by this times SE squared."""
    standard_error_relative: float
    standard_error_absolute: float
    statistic_relative: float
    statistic_absolute: float


GOLDEN_TOLERANCES = Tolerances(
    frequency_relative=1e-4,
    frequency_absolute=1e-6,
    effect_relative=1e-4,
    effect_standard_errors=1e-5,
    firth_score=2.5e-4,
    standard_error_relative=1e-4,
    standard_error_absolute=1e-6,
    statistic_relative=2e-4,
    statistic_absolute=2e-4,
)


def half_unit_of_last_digit(printed: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return half a unit in the sixth significant digit of each value; 0 for 0 and NaN."""
    magnitude = np.abs(printed)
    is_positive = magnitude > 0.0
    exponent = np.floor(np.log10(np.where(is_positive, magnitude, 1.0)))
    return np.where(is_positive, 0.5 * 10.0 ** (exponent - (PRINTED_DIGITS - 1)), 0.0)


def bound(
    *,
    quantity: Quantity,
    expected: npt.NDArray[np.float64],
    standard_error: npt.NDArray[np.float64] | None,
    is_firth: npt.NDArray[np.bool_],
    tolerances: Tolerances,
) -> npt.NDArray[np.float64]:
    """Return the largest allowed difference of each row.

    Args:
        quantity: What the column holds.
        expected: REGENIE's values.
        standard_error: REGENIE's SE of the same rows; only an effect needs it.
        is_firth: Rows whose BETA and SE come from a Firth fit.
        tolerances: The numbers.
    """
    magnitude = np.abs(expected)
    match quantity:
        case Quantity.FREQUENCY:
            allowed = np.maximum(tolerances.frequency_relative * magnitude, tolerances.frequency_absolute)
        case Quantity.STANDARD_ERROR:
            allowed = np.maximum(tolerances.standard_error_relative * magnitude, tolerances.standard_error_absolute)
        case Quantity.STATISTIC:
            allowed = np.maximum(tolerances.statistic_relative * magnitude, tolerances.statistic_absolute)
        case Quantity.EFFECT:
            if standard_error is None:
                raise ValueError("the bound of an effect needs REGENIE's standard errors")
            score_test = np.maximum(
                tolerances.effect_relative * magnitude, tolerances.effect_standard_errors * standard_error
            )
            allowed = np.where(is_firth, tolerances.firth_score * standard_error**2, score_test)
    return allowed + half_unit_of_last_digit(expected)
