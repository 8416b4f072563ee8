"""Product columns for residuals, whose float32 sums are as good as double precision.

Belongs here: how a residual is split in two so that almost nothing is lost when a float32 product sums it, and the
double-precision product for variants where the split does not help. Does not belong here: the product itself
(product.py).

The numerator of a score test is the sum of small terms of either sign, and a float32 sum of them is off by about 7e-7
of its standard error: too much for six digits of a small effect. The values of an 8-bit variant are whole numbers. So
a residual is split into a coarse part, a multiple of a power of two chosen so that all products with such values and
the sums of them are exact in float32, and a fine part some hundred times smaller, whose float32 sum is off by that
much less. Values that are no small whole numbers (other bit depths, imputed missing genotypes) take double precision.
"""

import math

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


def residual_product(
    values: jax.Array, whole: jax.Array, coarse: jax.Array, fine: jax.Array, residuals: jax.Array
) -> jax.Array:
    """Return the products of the values with the residuals, [R, T] float64.

    Args:
        values: [R, C] float32.
        whole: [R] bool, the row's values are whole numbers of 8 bits.
        coarse: [R, T] float64, the float32 product with the coarse parts.
        fine: [R, T] the same with the fine parts.
        residuals: [C, at least T] float64, width a multiple of 16.
    """
    n_traits = coarse.shape[1]

    def with_doubles() -> jax.Array:
        return jnp.matmul(values.astype(jnp.float64), residuals)[:, :n_traits]

    doubles = lax.cond(jnp.all(whole), lambda: jnp.zeros_like(coarse), with_doubles)
    return jnp.where(whole[:, None], coarse + fine, doubles)
