"""The split of a residual: nothing is lost, coarse sums are exact, and the product is as good as double precision."""

import jax.numpy as jnp
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from g_core.kernels.padding import product_columns
from g_core.kernels.product import genotype_product
from g_core.kernels.residual_columns import double_product, replace_where, split_residual


def random_residual(seed, n_samples):
    rng = np.random.default_rng(seed)
    residual = rng.normal(size=n_samples) * 10.0 ** rng.integers(-6, 6)
    return residual - residual.mean()


@given(seed=st.integers(0, 2**32 - 1), n_samples=st.integers(2, 3000))
def test_the_parts_sum_to_the_residual_and_the_coarse_part_is_in_whole_quanta(seed, n_samples):
    residual = random_residual(seed, n_samples)
    coarse, fine = split_residual(residual)
    np.testing.assert_array_equal(coarse + fine, residual)
    np.testing.assert_array_equal(coarse.astype(np.float32), coarse)
    assert np.abs(fine).max() <= 0.01 * np.sqrt(np.mean(residual**2)) * np.sqrt(n_samples / 600 + 1)


def test_a_residual_of_zero_is_two_zeros():
    for part in split_residual(np.zeros(5)):
        np.testing.assert_array_equal(part, np.zeros(5))


def test_a_sum_of_whole_values_is_right_to_a_thousandth_of_what_six_digits_need():
    rng = np.random.default_rng(5)
    n_samples, n_variants = 4096, 96
    residuals = np.column_stack([random_residual(seed, n_samples) for seed in range(3)])
    frequency = rng.uniform(0.001, 0.5, (n_variants, 1))
    values = np.round((rng.binomial(2, frequency, (n_variants, n_samples)) - 2 * frequency) * 255).astype(np.float32)
    parts = [split_residual(column) for column in residuals.T]
    columns = np.column_stack([coarse for coarse, _ in parts] + [fine for _, fine in parts])
    product = np.asarray(genotype_product(jnp.asarray(values), jnp.asarray(product_columns(columns))))
    exact = values.astype(np.float64) @ residuals
    scale = np.linalg.norm(values.astype(np.float64), axis=1)[:, None] * np.std(residuals, axis=0)
    assert np.max(np.abs(product[:, :3] + product[:, 3:6] - exact) / scale) < 5e-8
    plain = np.asarray(genotype_product(jnp.asarray(values), jnp.asarray(product_columns(residuals))))[:, :3]
    assert np.max(np.abs(plain - exact) / scale) > 5e-7


def test_only_entries_that_need_it_are_taken_from_the_double_precision_product():
    rng = np.random.default_rng(6)
    values = (rng.integers(-255, 255, (32, 640)) + rng.random((32, 640))).astype(np.float32)
    columns = rng.normal(size=(640, 16))
    single = genotype_product(jnp.asarray(values), jnp.asarray(product_columns(columns)))
    needs_double = np.arange(32) % 2 == 0
    result = np.asarray(
        replace_where(
            jnp.asarray(needs_double)[:, None],
            single,
            lambda: double_product(jnp.asarray(values), jnp.asarray(columns)),
        )
    )
    np.testing.assert_array_equal(result[~needs_double], np.asarray(single)[~needs_double])
    exact = values.astype(np.float64) @ columns
    np.testing.assert_allclose(result[needs_double], exact[needs_double], rtol=0, atol=1e-12 * np.abs(exact).max())
