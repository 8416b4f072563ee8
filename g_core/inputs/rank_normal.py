"""Rank-inverse-normal transformation of a trait.

Belongs here: the transformation. Does not belong here: which samples it is made over (trait_values.py).
"""

import statistics

import numpy as np
import numpy.typing as npt

BLOM_OFFSET = 0.375


def rank_normal(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Normal quantiles of the ranks (spec section 1, ``--apply-rint``; REGENIE apply_rint).

    The value of rank r among n becomes the quantile at (r - 3/8) / (n + 1/4), Blom's offset; equal values share the
    mean of their ranks.

    Args:
        values: [n], none missing.
    """
    _, group_of_value, group_sizes = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(group_sizes)
    mean_ranks = ends - 0.5 * (group_sizes - 1)
    probabilities = (mean_ranks - BLOM_OFFSET) / (values.size + 1.0 - 2.0 * BLOM_OFFSET)
    quantile = statistics.NormalDist().inv_cdf
    return np.array([quantile(probability) for probability in probabilities.tolist()])[group_of_value]
