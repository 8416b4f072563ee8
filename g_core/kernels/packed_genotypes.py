"""Genotype values made on the device from the stored 8-bit probabilities.

Belongs here: the decoder's arithmetic on two bytes a sample, in whole numbers, so that both give the same bits. Does
not belong here: which variants have such bytes (rust/bgen), moving them to the device (engine/packed_tiles.py).
"""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp

LARGEST_STORED = 255
"""The stored value of probability 1 in 8 bits."""


class GenotypeWeights(NamedTuple):
    """What the genotypes of the effect allele add to a coded dosage: (2, 1) where it is additive."""

    homozygous: int
    heterozygous: int


@partial(jax.jit, static_argnames=("effect_is_first_allele", "weights"))
def unpack_genotypes(
    words: jax.Array,
    steps: jax.Array,
    flipped: jax.Array,
    size: jax.Array,
    *,
    effect_is_first_allele: bool,
    weights: GenotypeWeights,
) -> jax.Array:
    """Return the values of a tile, [R, C] float32: (flipped) coded dosage less the centre, in steps of 1 / 255.

    Args:
        words: [R, C] uint16, 255 P(11) in the low byte and 255 P(12) in the high one.
        steps: [R] int32, the centre in steps.
        flipped: [R] bool, values count the other allele.
        size: [2] int32, rows and columns that are variants and samples; the values of the others are 0.
        effect_is_first_allele: Which allele a dosage counts.
        weights: What a dosage is; only additive ones are flipped.
    """
    word = words.astype(jnp.int32)
    first, heterozygous = word & 255, word >> 8
    # Rounding may bring the two stored values to 256 together.
    last = jnp.maximum(LARGEST_STORED - first - heterozygous, 0)
    homozygous = first if effect_is_first_allele else last
    dosage = weights.homozygous * homozygous + weights.heterozygous * heterozygous
    counted = jnp.where(flipped[:, None], 2 * LARGEST_STORED - dosage, dosage)
    rows, columns = (jnp.arange(length) for length in words.shape)
    is_real = (rows < size[0])[:, None] & (columns < size[1])[None, :]
    return jnp.where(is_real, counted - steps[:, None], 0).astype(jnp.float32)


@partial(jax.jit, donate_argnames="values")
def replace_rows(values: jax.Array, rows: jax.Array, replacements: jax.Array) -> jax.Array:
    """Return ``values`` with some rows replaced, in the memory of ``values``.

    Args:
        values: [R, C] float32; not to be used again.
        rows: [S] int32, all different; those from R on replace nothing.
        replacements: [S, C] float32.
    """
    return values.at[rows].set(replacements, mode="drop", unique_indices=True)
