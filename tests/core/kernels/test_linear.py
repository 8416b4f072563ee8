import jax
import numpy as np
import pytest

from g_core.kernels.covariate_basis import covariate_basis
from g_core.kernels.linear import TraitStatus, chromosome_model, linear_score, prepare_traits
from tests.core.kernels import regenie_configs as configs
from tests.core.kernels.random_study import make_study
from tests.reference.linear_reference import linear_test


def run(design, traits, predictions, tile, n_padded):
    basis = covariate_basis(design, configs.BASIS).basis
    prepared = prepare_traits(traits, basis, configs.LINEAR)
    model = chromosome_model(prepared, predictions, n_padded, configs.LINEAR)
    score = linear_score(
        tile.values, tile.unit, tile.centre, tile.centred_square_sum, tile.whole, model, configs.LINEAR
    )
    return prepared, jax.tree.map(np.asarray, score)


def stacked(score):
    return np.stack([score.beta, score.se, score.chi_square, score.log10_p], axis=-1)


def assert_within_float32(actual, expected):
    """BETA within 3e-6 SE, the rest within what that means for it."""
    se = expected[..., 1]
    z = np.sqrt(expected[..., 2])
    assert np.max(np.abs(actual[..., 0] - expected[..., 0]) / se) < 3e-6
    np.testing.assert_allclose(actual[..., 1], se, rtol=1e-6)
    assert np.max(np.abs(actual[..., 2] - expected[..., 2]) / (z + 1)) < 1e-5
    assert np.max(np.abs(actual[..., 3] - expected[..., 3]) / (z + 1)) < 5e-6


@pytest.fixture(scope="module")
def study():
    return make_study(10)


@pytest.fixture(scope="module")
def results(study):
    return run(study.design, study.quantitative, study.predictions, study.tile, study.n_padded)


def test_agrees_with_the_float64_reference(study, results):
    expected = np.array(
        [
            [linear_test(y, study.design, p, g) for y, p in zip(study.quantitative.T, study.predictions.T, strict=True)]
            for g in study.tile.flipped_dosage
        ]
    )
    assert_within_float32(stacked(results[1]), expected)


def test_a_trait_has_the_same_bits_whichever_traits_are_beside_it(study, results):
    for index in range(study.quantitative.shape[1]):
        _, alone = run(
            study.design,
            study.quantitative[:, [index]],
            study.predictions[:, [index]],
            study.tile,
            study.n_padded,
        )
        np.testing.assert_array_equal(stacked(alone)[:, 0], stacked(results[1])[:, index])


def test_many_traits_make_the_product_wider_and_change_no_bit(study, results):
    traits = np.tile(study.quantitative, (1, 60))
    predictions = np.tile(study.predictions, (1, 60))
    _, wide = run(study.design, traits, predictions, study.tile, study.n_padded)
    np.testing.assert_array_equal(stacked(wide)[:, -3:], stacked(results[1]))


def test_shift_and_scale_of_a_covariate_change_nothing(study, results):
    changed = study.design.copy()
    changed[:, 1] = 3e4 + 12 * changed[:, 1]
    _, score = run(changed, study.quantitative, study.predictions, study.tile, study.n_padded)
    assert_within_float32(stacked(score), stacked(results[1]))


def test_shift_of_a_trait_changes_nothing_and_its_scale_scales_effects(study, results):
    _, score = run(study.design, 1e6 + 1000 * study.quantitative, study.predictions, study.tile, study.n_padded)
    expected = stacked(results[1]) * np.array([1000, 1000, 1, 1])
    assert_within_float32(stacked(score), expected)


def test_a_genotype_without_variance_or_in_the_covariate_span_says_so(study):
    tile = study.tile
    values = tile.values.copy()
    values[0] = 0
    values[1, : len(study.design)] = np.round(study.design[:, 2] * 255 - 128)
    square_sum = (values.astype(float) ** 2).sum(axis=1) * tile.unit**2
    basis = covariate_basis(study.design, configs.BASIS).basis
    model = chromosome_model(
        prepare_traits(study.quantitative, basis, configs.LINEAR),
        study.predictions,
        study.n_padded,
        configs.LINEAR,
    )
    score = linear_score(values, tile.unit, tile.centre, square_sum, tile.whole, model, configs.LINEAR)
    np.testing.assert_array_equal(np.flatnonzero(score.no_variance.any(axis=1)), [0, 1])
    assert np.isnan(stacked(jax.tree.map(np.asarray, score))[:2]).all()
    assert np.isfinite(stacked(jax.tree.map(np.asarray, score))[2:]).all()


def test_a_trait_in_the_covariate_span_says_so_and_leaves_the_others_alone(study, results):
    traits = study.quantitative.copy()
    traits[:, 1] = 5.0 + 3 * study.design[:, 1] - 200 * study.design[:, 3]
    prepared, score = run(study.design, traits, study.predictions, study.tile, study.n_padded)
    assert prepared.statuses == (TraitStatus.OK, TraitStatus.IN_COVARIATE_SPAN, TraitStatus.OK)
    assert np.isnan(stacked(score)[:, 1]).all()
    np.testing.assert_array_equal(stacked(score)[:, [0, 2]], stacked(results[1])[:, [0, 2]])


@pytest.mark.parametrize("value", [0.0, 170.3, 1e9 + 0.1])
def test_a_constant_trait_is_in_the_span(study, value):
    basis = covariate_basis(study.design, configs.BASIS).basis
    prepared = prepare_traits(np.full((len(study.design), 1), value), basis, configs.LINEAR)
    assert prepared.statuses == (TraitStatus.IN_COVARIATE_SPAN,)


def test_where_the_rule_drops_the_intercept_the_test_is_still_that_of_the_remaining_span(study):
    # A covariate of size 2e6 beside one of size 1e-5: only one direction stays, and ones are not in its span.
    rng = np.random.default_rng(11)
    n_samples = len(study.design)
    design = np.column_stack([np.ones(n_samples), 1e9 * rng.uniform(1, 3, n_samples)])
    basis = covariate_basis(design, configs.BASIS).basis
    assert basis.shape[1] == 1
    _, score = run(design, study.quantitative, study.predictions, study.tile, study.n_padded)
    for row, g in enumerate(study.tile.flipped_dosage):
        u = g - basis @ (basis.T @ g)
        y = study.quantitative[:, 0] - basis @ (basis.T @ study.quantitative[:, 0])
        sd = np.linalg.norm(y) / np.sqrt(n_samples - 1)
        r = y / sd - study.predictions[:, 0]
        scale = np.linalg.norm(r) / np.sqrt(n_samples - 1)
        assert score.se[row, 0] == pytest.approx(sd * scale / np.linalg.norm(u), rel=2e-6)
        z = (r / scale) @ u / np.linalg.norm(u)
        assert score.beta[row, 0] / score.se[row, 0] == pytest.approx(z, abs=1e-5)
