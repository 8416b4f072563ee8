"""The tail of the chi-square distribution with one degree of freedom.

Belongs here: how far LOG10P moves when CHISQ does; a tolerance needs no more than that, so this is independent of the
engine's own p-values (g_core/kernels/pvalues.py) on purpose.
"""

import math

import numpy as np
import numpy.typing as npt

LARGEST_EXACT_STATISTIC = 1300.0
"""Beyond this the complementary error function nears the smallest double; the leading term of the tail is used."""


def minus_log10_tail(statistic: float) -> float:
    """Return -log10 P of one chi-square statistic; NaN for NaN, 0 for 0 and below."""
    if math.isnan(statistic) or statistic <= 0.0:
        return statistic if math.isnan(statistic) else 0.0
    if statistic < LARGEST_EXACT_STATISTIC:
        return -math.log10(math.erfc(math.sqrt(statistic / 2.0)))
    return 0.5 * (math.log10(math.pi / 2.0 * statistic) + statistic * math.log10(math.e))


def change_of_log10p(statistic: npt.NDArray[np.float64], change: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the largest change of LOG10P when each statistic changes by at most ``change``; both [rows]."""
    tail = np.vectorize(minus_log10_tail, otypes=[np.float64])
    middle = tail(statistic)
    return np.maximum(tail(statistic + change) - middle, middle - tail(statistic - change))
