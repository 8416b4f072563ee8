"""Matrix products over all samples whose bits do not depend on the number of threads.

Belongs here: float64 products whose result is small and whose common axis is the samples. Does not belong here: the
product of a genotype tile (product.py), whose result is large enough to be shared out by rows and columns.

Where the result of a product is small, XLA's CPU backend shares out the samples instead, one range a thread, and the
rounding then depends on how many threads there are. Blocks too short to be shared out, added in order, do not.
"""

from collections.abc import Callable

import jax
import jax.numpy as jnp
from jax import lax

# Short enough that a block's product is worth one thread whatever its width; long enough to be efficient.
BLOCK_SAMPLES = 128


def sum_blocks(product: Callable[[Callable[[jax.Array, int], jax.Array]], jax.Array], n_samples: int) -> jax.Array:
    """Return the sum of ``product(take)`` over blocks of samples, where ``take(array, axis)`` cuts the block out.

    Args:
        product: of one block; returns a small float64 array.
        n_samples: length of the sample axis.
    """
    n_blocks, remainder = divmod(n_samples, BLOCK_SAMPLES)

    def block(start: jax.Array | int, length: int) -> jax.Array:
        return product(lambda array, axis: lax.dynamic_slice_in_dim(array, start, length, axis))

    rest = block(n_blocks * BLOCK_SAMPLES, remainder)
    if n_blocks == 0:
        return rest
    return lax.fori_loop(0, n_blocks, lambda index, total: total + block(index * BLOCK_SAMPLES, BLOCK_SAMPLES), rest)


def weighted_gram(columns: jax.Array, weights: jax.Array) -> jax.Array:
    """Return ``columns' diag(weights) columns``, [K, K], for ``columns`` [C, K] and ``weights`` [C]."""

    def product(take: Callable[[jax.Array, int], jax.Array]) -> jax.Array:
        block = take(columns, 0)
        return (block * take(weights, 0)[:, None]).T @ block

    return sum_blocks(product, columns.shape[0])


def row_products(rows: jax.Array, columns: jax.Array) -> jax.Array:
    """Return ``rows @ columns``, [B, K], for ``rows`` [B, C] and ``columns`` [C, K]."""
    return sum_blocks(lambda take: jnp.matmul(take(rows, 1), take(columns, 0)), columns.shape[0])
