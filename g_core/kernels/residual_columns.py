"""Products that are right to six digits of a test although most of them are taken in float32.

Belongs here: how a residual is split in two so that a float32 product loses almost nothing of it, and the
double-precision product for rows that need it. Does not belong here: what the products mean (linear.py, score.py).

The numerator of a score test is the sum of small terms of either sign, and a float32 sum of them is off by about 7e-7
of its standard error: too much for six digits of a small effect. The values of an 8-bit variant are whole numbers. So
a residual is split into a coarse part, a multiple of a power of two chosen so that all products with such values and
the sums of them are exact in float32, and a fine part some hundred times smaller, whose float32 sum is off by that
much less. Rows for which this does not hold take double precision: values that are no small whole numbers (other bit
depths, imputed missing genotypes), and variants that the covariates explain for the greater part, of which the
difference of two large numbers is left.
"""

import math
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax import lax

from g_core.kernels.padding import COLUMN_MULTIPLE

FloatArray = npt.NDArray[np.float64]

SINGLE_PRECISION_INTEGERS = 2.0**24
"""Whole numbers up to this are exact in float32."""

LARGEST_EXACT_STEPS = 255
"""Steps of an allele in 8-bit data."""

PARTIAL_SUM_DEVIATIONS = 8.0
"""Partial sums of a null statistic stay within so many of its standard deviations; beyond, sums round as usual."""


def split_residual(residual: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the coarse and the fine part of a residual [C]; their sum is the residual."""
    norm = float(np.linalg.norm(residual))
    if norm == 0.0:
        return residual.copy(), np.zeros_like(residual)
    largest_sum = PARTIAL_SUM_DEVIATIONS * norm * LARGEST_EXACT_STEPS
    quantum = 2.0 ** math.ceil(math.log2(largest_sum / SINGLE_PRECISION_INTEGERS))
    coarse = np.round(residual / quantum) * quantum
    return coarse, residual - coarse


def double_columns(columns: FloatArray) -> FloatArray:
    """Return ``columns`` [C, W] with zero columns up to a multiple of ``COLUMN_MULTIPLE``."""
    n_samples, width = columns.shape
    padded = np.zeros((n_samples, -(-width // COLUMN_MULTIPLE) * COLUMN_MULTIPLE))
    padded[:, :width] = columns
    return padded


def double_product(values: jax.Array, columns: jax.Array) -> jax.Array:
    """Return ``values @ columns`` in double precision.

    Args:
        values: [R, C].
        columns: [C, W] float64, W a multiple of 16.
    """
    return jnp.matmul(values.astype(jnp.float64), columns)


def replace_where(needs_double: jax.Array, single: jax.Array, double: Callable[[], jax.Array]) -> jax.Array:
    """Return ``single`` with the entries that need it taken from ``double``, which is computed if any does.

    Args:
        needs_double: bool, of a shape that broadcasts to that of ``single``.
        single: float64, from float32 products.
        double: makes the same from double-precision products.
    """
    exact = lax.cond(jnp.any(needs_double), double, lambda: jnp.zeros_like(single))
    return jnp.where(needs_double, exact, single)
