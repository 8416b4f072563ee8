"""Values from stored bytes are the specification's dosages less the centre, exactly (spec 4.4)."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from g_core.kernels.packed_genotypes import GenotypeWeights, replace_rows, unpack_genotypes

# Every pair of stored values that a sound file may hold: together at most 256.
FIRST, HETEROZYGOUS = np.array([(p, q) for p in range(256) for q in range(256) if p + q <= 256]).T


def unpack(words, steps, flipped, size, *, effect_is_first_allele, weights):
    values = unpack_genotypes(
        jnp.asarray(words, jnp.uint16),
        jnp.asarray(steps, jnp.int32),
        jnp.asarray(flipped),
        jnp.asarray(size, jnp.int32),
        effect_is_first_allele=effect_is_first_allele,
        weights=weights,
    )
    assert values.dtype == jnp.float32
    return np.asarray(values)


@pytest.mark.parametrize("effect_is_first_allele", [True, False])
@pytest.mark.parametrize("weights", [GenotypeWeights(2, 1), GenotypeWeights(1, 1), GenotypeWeights(1, 0)])
def test_every_pair_of_stored_bytes_gives_its_dosage(effect_is_first_allele, weights):
    homozygous = FIRST if effect_is_first_allele else np.maximum(255 - FIRST - HETEROZYGOUS, 0)
    dosage = weights.homozygous * homozygous + weights.heterozygous * HETEROZYGOUS
    words = np.tile(FIRST | HETEROZYGOUS << 8, (2, 1))
    values = unpack(
        words,
        [0, 37],
        [False, True],
        words.shape,
        effect_is_first_allele=effect_is_first_allele,
        weights=weights,
    )
    np.testing.assert_array_equal(values, np.array([dosage, 510 - dosage - 37], np.float32))


@pytest.mark.parametrize("effect_is_first_allele", [True, False])
def test_padding_is_zero(effect_is_first_allele):
    words = np.full((4, 6), 255 | 0 << 8)
    values = unpack(
        words,
        [1, 1, 1, 0],
        [False] * 4,
        [3, 5],
        effect_is_first_allele=effect_is_first_allele,
        weights=GenotypeWeights(2, 1),
    )
    expected = np.zeros((4, 6), np.float32)
    expected[:3, :5] = 509 if effect_is_first_allele else -1
    np.testing.assert_array_equal(values, expected)


def test_rows_are_replaced_and_those_past_the_end_replace_nothing():
    values = jnp.zeros((4, 3), jnp.float32)
    rows, replacements = jnp.array([2, 4, 5], jnp.int32), jnp.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]], jnp.float32)
    expected = np.zeros((4, 3), np.float32)
    expected[2] = [1, 2, 3]
    np.testing.assert_array_equal(replace_rows(values, rows, replacements), expected)


def test_the_unpacking_computes_in_whole_numbers():
    lowered = unpack_genotypes.lower(
        jax.ShapeDtypeStruct((16, 32), jnp.uint16),
        jax.ShapeDtypeStruct((16,), jnp.int32),
        jax.ShapeDtypeStruct((16,), jnp.bool_),
        jax.ShapeDtypeStruct((2,), jnp.int32),
        effect_is_first_allele=False,
        weights=GenotypeWeights(2, 1),
    ).as_text()
    floats = [line for line in lowered.splitlines() if "f32" in line and "stablehlo." in line]
    assert [line for line in floats if "stablehlo.convert" not in line] == []
    assert len(floats) == 1
    assert "f64" not in lowered
