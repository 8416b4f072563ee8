"""How the p-values of a trait lie to those of no effect anywhere: the QQ plot's points, and lambda GC.

Belongs here: the numbers. Does not belong here: drawing (qq.py).
"""

import numpy as np
import numpy.typing as npt

MEDIAN_CHI_SQUARE = 0.4549364231195728
"""Median of the chi-square distribution with one degree of freedom."""


def lambda_gc(chi_square: npt.NDArray[np.float64]) -> float | None:
    """Genomic inflation: the median statistic over that of no effect (Devlin and Roeder 1999).

    Args:
        chi_square: Statistics with one degree of freedom, none of them NaN.

    Returns:
        1 where the p-values are uniform; None without a statistic.
    """
    return float(np.median(chi_square)) / MEDIAN_CHI_SQUARE if chi_square.size else None


def expected_log10_p(count: int) -> npt.NDArray[np.float64]:
    """Minus log10 of the p-values that ``count`` tests without effect have, strongest first.

    The k-th smallest of n uniform values is about (k - 1/2) / n.
    """
    return -np.log10((np.arange(count) + 0.5) / max(count, 1))
