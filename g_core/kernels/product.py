"""The products of a genotype tile, the only float32 arithmetic there is.

Belongs here: matrix products with ``values``. Does not belong here: anything after them, which is float64.
"""

import jax
import jax.numpy as jnp
from jax import lax


def genotype_product(values: jax.Array, columns: jax.Array) -> jax.Array:
    """Return ``values @ columns`` as float64.

    Args:
        values: [R, C] float32, centred minor-allele dosage in units.
        columns: [C, W] float32, W a multiple of 16.
    """
    product = jnp.dot(values, columns, precision=lax.Precision.HIGHEST, preferred_element_type=jnp.float32)
    return product.astype(jnp.float64)


def genotype_square_product(values: jax.Array, columns: jax.Array) -> jax.Array:
    """Return ``values**2 @ columns`` as float64; squares of 8-bit dosage are exact in float32.

    Args:
        values: [R, C] float32.
        columns: [C, W] float32, W a multiple of 16.
    """
    # Without the barrier XLA's CPU backend fuses the square into the product and leaves its fast path: 10 times slower.
    return genotype_product(lax.optimization_barrier(values * values), columns)
