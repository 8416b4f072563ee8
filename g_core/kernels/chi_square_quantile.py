"""The chi-square statistic that a p-value stands for, from its logarithm.

Belongs here: inverses of distributions. Does not belong here: the distributions (pvalues.py).
"""

import math

import jax
import jax.numpy as jnp
from jax import lax
from jax.scipy.special import log_ndtr, ndtri

from g_core.kernels.pvalues import TAIL_SERIES_TERMS

# Below this ln(P/2) the normal quantile of P itself would lose digits; the start comes from the tail's leading terms.
LOG_TAIL_START = -300.0

# Newton doubles the digits of the start, which has at least three.
NEWTON_STEPS = 4


def chi_square_from_log_p(log_p: jax.Array) -> jax.Array:
    """Return x with ln P(X > x) = log_p for X chi-square with one degree of freedom.

    Solves for the normal quantile on the log scale, so P may lie far below the smallest double.

    Args:
        log_p: natural logarithm, float64, any shape, at most 0; NaN gives NaN.
    """
    log_tail = log_p - math.log(2.0)
    near = -ndtri(jnp.exp(jnp.maximum(log_tail, LOG_TAIL_START)))
    square = -2.0 * jnp.minimum(log_tail, LOG_TAIL_START) - math.log(2.0 * math.pi)
    far = jnp.sqrt(square - jnp.log(square))
    start = jnp.where(log_tail > LOG_TAIL_START, near, far)

    def newton(_: jax.Array | int, root: jax.Array) -> jax.Array:
        log_survival = log_ndtr(-root, series_order=TAIL_SERIES_TERMS)
        hazard = jnp.exp(-0.5 * root * root - 0.5 * math.log(2.0 * math.pi) - log_survival)
        return root + (log_survival - log_tail) / hazard

    root = lax.fori_loop(0, NEWTON_STEPS, newton, start)
    return root * root
