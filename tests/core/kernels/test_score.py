from dataclasses import replace

import jax
import numpy as np
import pytest

from g_core.kernels.binary_null import FirthKind, fit_binary_null
from g_core.kernels.covariate_basis import covariate_basis
from g_core.kernels.score import binary_model, binary_score, trait_null
from tests.core.kernels import regenie_configs as configs
from tests.core.kernels.encoded_dosage import encode_dosage, padded
from tests.core.kernels.random_study import make_study
from tests.reference.binary_reference import logistic_null, score_test


def fit(design, cases, predictions, n_padded):
    basis = covariate_basis(design, configs.BASIS).basis
    null = fit_binary_null(
        cases,
        np.ones(len(cases), dtype=bool),
        basis,
        predictions,
        n_padded=n_padded,
        firth_kind=FirthKind.NONE,
        stored_start=None,
        keep_unconverged=False,
        configs=configs.BINARY_NULL,
    )
    return null.trait_null


def run(study, design=None, predictions=None, traits=(0, 1, 2), centre_shift=0):
    design = study.design if design is None else design
    predictions = study.predictions if predictions is None else predictions
    nulls = [fit(design, study.cases[:, t], predictions[:, t], study.n_padded) for t in traits]
    model = binary_model(nulls, study.n_padded, design.shape[1], double_precision=False)
    tile, values = study.tile, study.tile.values.copy()
    values[:, : len(design)] -= np.float32(centre_shift)
    square_sum = (values.astype(float) ** 2).sum(axis=1) * tile.unit**2
    score = binary_score(
        values,
        tile.unit,
        tile.centre + centre_shift * tile.unit,
        square_sum,
        tile.whole,
        np.zeros(len(values), dtype=bool),
        model,
        configs.SCORE,
    )
    return jax.tree.map(np.asarray, score)


@pytest.fixture(scope="module")
def study():
    return make_study(20)


@pytest.fixture(scope="module")
def results(study):
    return run(study)


def assert_same_test(actual, expected, tolerance=3e-6):
    np.testing.assert_allclose(actual.statistic, expected.statistic, rtol=0, atol=tolerance)
    np.testing.assert_allclose(actual.se, expected.se, rtol=tolerance)


def test_agrees_with_the_float64_reference(study, results):
    for trait in range(3):
        cases = study.cases[:, trait]
        # Coefficients of wildly different size make the reference's Newton slow; the span is what counts.
        span, _ = np.linalg.qr(study.design)
        _, probabilities = logistic_null(cases, span, study.predictions[:, trait])
        expected = np.array([score_test(cases, span, probabilities, g) for g in study.tile.flipped_dosage])
        np.testing.assert_allclose(results.statistic[:, trait], expected[:, 0], rtol=0, atol=3e-6)
        np.testing.assert_allclose(results.se[:, trait], expected[:, 1], rtol=2e-6)
        np.testing.assert_allclose(results.denominator[:, trait], expected[:, 2], rtol=4e-6)


def test_beta_se_and_chi_square_follow_from_the_statistic(results):
    np.testing.assert_allclose(results.beta, results.statistic * results.se, rtol=1e-15)
    np.testing.assert_allclose(results.chi_square, results.statistic**2, rtol=1e-15)


def test_centring_by_any_constant_is_harmless(study, results):
    assert_same_test(run(study, centre_shift=37), results, tolerance=2e-5)


def test_a_trait_has_the_same_bits_whichever_traits_are_beside_it(study, results):
    for trait in range(3):
        alone = run(study, traits=(trait,))
        for name in ("statistic", "se", "log10_p", "denominator", "case_value_sum"):
            np.testing.assert_array_equal(getattr(alone, name)[:, 0], getattr(results, name)[:, trait])


def test_many_traits_make_the_product_wider_and_change_no_bit(study, results):
    wide = run(study, traits=(0, 1, 2) * 12)
    np.testing.assert_array_equal(wide.statistic[:, -3:], results.statistic)
    np.testing.assert_array_equal(wide.denominator[:, -3:], results.denominator)


def test_a_constant_prediction_is_harmless(study, results):
    assert_same_test(run(study, predictions=study.predictions + 3), results)


def test_shift_and_scale_of_a_covariate_change_nothing(study, results):
    changed = study.design.copy()
    changed[:, 1] = 3e4 + 12 * changed[:, 1]
    assert_same_test(run(study, design=changed), results)


def test_case_value_sums_are_exact(study, results):
    exact = study.tile.values[:, : len(study.design)].astype(float) @ study.cases
    whole = np.all(study.tile.values == np.round(study.tile.values), axis=1)
    assert whole.any()
    np.testing.assert_array_equal(results.case_value_sum[whole], exact[whole])
    np.testing.assert_allclose(results.case_value_sum, exact, rtol=1e-5, atol=1e-2)


def test_a_trait_whose_null_model_failed_and_a_monomorphic_variant_have_no_variance(study):
    null = fit(study.design, study.cases[:, 0], study.predictions[:, 0], study.n_padded)
    model = binary_model([None, null], study.n_padded, study.design.shape[1], double_precision=False)
    values = study.tile.values.copy()
    values[4] = 0
    square_sum = (values.astype(float) ** 2).sum(axis=1) * study.tile.unit**2
    score = binary_score(
        values,
        study.tile.unit,
        study.tile.centre,
        square_sum,
        study.tile.whole,
        np.zeros(len(values), dtype=bool),
        model,
        configs.SCORE,
    )
    expected = np.zeros((len(values), 2), dtype=bool)
    expected[:, 0] = True
    expected[4] = True
    np.testing.assert_array_equal(score.no_variance, expected)
    np.testing.assert_array_equal(np.isnan(score.log10_p), expected)


def score_with_probabilities(tile, cases, present, probabilities, design, *, sparse, double_precision):
    """Score one trait whose null fit ended at ``probabilities``."""
    n_padded = padded(len(cases))

    def widened(array):
        return np.pad(array, [(0, n_padded - len(cases))] + [(0, 0)] * (array.ndim - 1))

    basis = covariate_basis(design, configs.BASIS).basis
    null = trait_null(widened(cases), widened(basis), widened(present), widened(probabilities), configs.BASIS)
    model = binary_model([null], n_padded, basis.shape[1], double_precision=double_precision)
    flags = np.full(len(tile.values), sparse)
    return binary_score(
        tile.values, tile.unit, tile.centre, tile.centred_square_sum, tile.whole, flags, model, configs.SCORE
    )


def exact_denominator(dosage, present, probabilities, design):
    """The weighted residual square sum of each dosage in long double precision."""
    root = np.sqrt(np.where(present, probabilities * (1 - probabilities), 0)).astype(np.longdouble)
    orthonormal, _ = np.linalg.qr(np.asarray(root[:, None] * design, dtype=float))
    weighted = root * dosage
    for _ in range(3):
        weighted = weighted - (weighted @ orthonormal) @ orthonormal.T
    return np.asarray((weighted**2).sum(axis=1), dtype=float)


def test_carriers_with_next_to_no_weight_lose_no_digit():
    rng = np.random.default_rng(7)
    n_samples = 400
    dosage = (rng.random((20, n_samples)) < 0.5) / 255
    dosage[:, :3] = 1.0
    design = np.column_stack([np.ones(n_samples), rng.normal(size=n_samples)])
    cases = (rng.random(n_samples) < 0.2).astype(float)
    probabilities = np.where(np.arange(n_samples) < 3, 1e-6, rng.uniform(0.1, 0.3, n_samples))
    present = np.ones(n_samples, dtype=bool)
    tile = encode_dosage(dosage, padded(n_samples))
    score = score_with_probabilities(tile, cases, present, probabilities, design, sparse=False, double_precision=False)
    expected = exact_denominator(tile.flipped_dosage, present, probabilities, design)
    np.testing.assert_allclose(score.denominator[:, 0], expected, rtol=1e-10)


def test_a_variant_carried_only_where_the_trait_is_missing_has_no_variance():
    n_samples = 400
    dosage = np.zeros((2, n_samples))
    dosage[:, :30] = [[1.0], [100 / 255]]
    design = np.ones((n_samples, 1))
    present = np.arange(n_samples) >= 150
    cases = (np.arange(n_samples) % 5 == 0) * present.astype(float)
    probabilities = np.full(n_samples, cases[present].mean())
    tile = encode_dosage(dosage, padded(n_samples))
    score = score_with_probabilities(tile, cases, present, probabilities, design, sparse=True, double_precision=True)
    assert np.all(score.no_variance)


def test_rounded_values_of_samples_without_the_trait_cancel():
    rng = np.random.default_rng(9)
    n_samples = 400
    dosage = np.round(rng.random((20, n_samples)) * 2) / 255
    dosage[:, :3] = 1.0
    design = np.ones((n_samples, 1))
    present = np.arange(n_samples) >= 3
    cases = (np.arange(n_samples) % 5 == 0) * present.astype(float)
    probabilities = np.full(n_samples, cases[present].mean())
    tile = encode_dosage(dosage, padded(n_samples))
    in_alleles = (tile.values * tile.unit[:, None]).astype(np.float32)
    tile = replace(tile, values=in_alleles, unit=np.ones(20), whole=np.zeros(20, dtype=bool))
    score = score_with_probabilities(tile, cases, present, probabilities, design, sparse=False, double_precision=True)
    expected = exact_denominator(tile.flipped_dosage, present, probabilities, design)
    np.testing.assert_allclose(score.denominator[:, 0], expected, rtol=3e-7)


@pytest.mark.parametrize("sparse", [True, False])
def test_what_the_null_fit_left_on_the_covariates_counts_for_sparse_variants_alone(sparse):
    rng = np.random.default_rng(8)
    n_samples = 300
    dosage = rng.binomial(2, 0.1, (10, n_samples)).astype(float)
    covariate = rng.normal(size=n_samples)
    design = np.column_stack([np.ones(n_samples), covariate])
    cases = (rng.random(n_samples) < 0.3).astype(float)
    probabilities = 1 / (1 + np.exp(-(0.5 * covariate - 0.7)))
    present = np.ones(n_samples, dtype=bool)
    tile = encode_dosage(dosage, padded(n_samples))
    score = score_with_probabilities(tile, cases, present, probabilities, design, sparse=sparse, double_precision=False)
    tested, residual, weights = tile.flipped_dosage, cases - probabilities, probabilities * (1 - probabilities)
    if not sparse:
        explained = np.linalg.solve(design.T @ (weights[:, None] * design), design.T @ (weights[:, None] * tested.T))
        tested = tested - (design @ explained).T
    expected = tested @ residual / np.sqrt(score.denominator[:, 0])
    np.testing.assert_allclose(score.statistic[:, 0], expected, rtol=0, atol=3e-6)
