"""Null logistic and null Firth fits against tight float64 solutions, and where they must give up."""

from dataclasses import replace

import jax
import numpy as np
import pytest

from g_core.kernels.binary_null import FirthKind, fit_binary_null
from g_core.kernels.covariate_basis import covariate_basis
from g_core.kernels.firth_null import FirthData, FirthNullAlgorithm, firth_newton, firth_pseudo_data, fit_firth_null
from g_core.kernels.logistic_null import NullStatus, fit_logistic_null, logistic_attempt
from tests.core.kernels import regenie_configs as configs
from tests.core.kernels.random_study import make_study
from tests.reference.binary_reference import firth_null, logistic_null


@pytest.fixture(scope="module")
def study():
    return make_study(30)


@pytest.fixture(scope="module")
def basis(study):
    return covariate_basis(study.design, configs.BASIS).basis


def everyone(cases):
    return np.ones(len(cases), dtype=bool)


def fit_logistic(cases, basis, offset, *, has_predictions=True, config=configs.LOGISTIC_NULL):
    return fit_logistic_null(
        cases,
        basis,
        offset,
        everyone(cases),
        has_predictions=has_predictions,
        config=config,
        probability_config=configs.PROBABILITY,
    )


def fit_firth(cases, basis, offset, start, *, start_is_stored=False, config=configs.FIRTH_NULL):
    return fit_firth_null(
        cases,
        basis,
        offset,
        everyone(cases),
        start,
        start_is_stored=start_is_stored,
        config=config,
        probability_config=configs.PROBABILITY,
    )


@pytest.mark.parametrize("trait", [0, 1, 2])
def test_logistic_null_is_the_maximum_likelihood_fit(study, basis, trait):
    cases, offset = study.cases[:, trait], study.predictions[:, trait]
    fit = fit_logistic(cases, basis, offset)
    coefficients, probabilities = logistic_null(cases, basis, offset)
    assert fit.status is NullStatus.CONVERGED
    np.testing.assert_allclose(fit.coefficients, coefficients, atol=1e-5)
    np.testing.assert_allclose(fit.probabilities, probabilities, rtol=1e-7)


def test_a_constant_offset_moves_the_intercept_alone(study, basis):
    cases, offset = study.cases[:, 0], study.predictions[:, 0]
    before, after = fit_logistic(cases, basis, offset), fit_logistic(cases, basis, offset + 3)
    np.testing.assert_allclose(after.probabilities, before.probabilities, rtol=1e-6)


def test_padding_changes_no_fit(study, basis):
    cases, offset = study.cases[:, 0], study.predictions[:, 0]
    padded = fit_binary_null(
        cases,
        np.ones(len(cases), dtype=bool),
        basis,
        offset,
        n_padded=study.n_padded,
        firth_kind=FirthKind.APPROXIMATE,
        stored_start=None,
        keep_unconverged=False,
        configs=configs.BINARY_NULL,
    )
    bare = fit_logistic(cases, basis, offset)
    np.testing.assert_allclose(padded.logistic.coefficients, bare.coefficients, rtol=1e-9)
    firth = fit_firth(cases, basis, offset, bare.coefficients)
    np.testing.assert_allclose(padded.firth.coefficients, firth.coefficients, rtol=1e-9)


def test_offsets_of_sd_six_are_fitted(study, basis):
    rng = np.random.default_rng(31)
    offset = rng.normal(size=len(basis)) * 6
    cases = (rng.random(len(basis)) < 1 / (1 + np.exp(-offset))).astype(float)
    fit = fit_logistic(cases, basis, offset)
    _, probabilities = logistic_null(cases, basis, offset)
    assert fit.status is NullStatus.CONVERGED
    np.testing.assert_allclose(fit.probabilities, probabilities, rtol=1e-6)


def test_a_separated_trait_has_a_status_and_firth_is_finite(study, basis):
    cases = (study.design[:, 1] > 60).astype(float)
    fit = fit_logistic(cases, basis, np.zeros(len(cases)))
    assert fit.status in {NullStatus.CONVERGED, NullStatus.NOT_CONVERGED}
    assert np.isfinite(fit.probabilities).all()
    firth = fit_firth(cases, basis, np.zeros(len(cases)), np.zeros(basis.shape[1]))
    assert firth.status is NullStatus.CONVERGED
    assert np.abs(firth.linear_predictor).max() < 100


def test_a_trait_without_cases_fails_and_says_so(basis):
    cases = np.zeros(len(basis))
    null = fit_binary_null(
        cases,
        np.ones(len(cases), dtype=bool),
        basis,
        None,
        n_padded=len(basis),
        firth_kind=FirthKind.APPROXIMATE,
        stored_start=None,
        keep_unconverged=False,
        configs=configs.BINARY_NULL,
    )
    if null.logistic.status is NullStatus.NOT_CONVERGED:
        assert null.trait_null is None
        assert null.firth_model is None
    else:
        assert np.all(null.logistic.probabilities < 1e-6)


def test_too_few_iterations_are_not_convergence(study, basis):
    config = replace(configs.LOGISTIC_NULL, max_iterations=1)
    fit = fit_logistic(study.cases[:, 0], basis, study.predictions[:, 0], has_predictions=False, config=config)
    assert fit.status is NullStatus.NOT_CONVERGED
    assert fit.iterations == 2


def test_the_start_without_an_offset_rescues_a_fit(study, basis):
    # Two attempts of two iterations each are too few from 0, but not from the solution without the offset.
    config = replace(configs.LOGISTIC_NULL, max_iterations=3)
    cases, offset = study.cases[:, 1], study.predictions[:, 1] * 0.01
    cold = fit_logistic(cases, basis, offset, has_predictions=False, config=replace(config, max_iterations=1))
    assert cold.status is NullStatus.NOT_CONVERGED
    warm = fit_logistic(cases, basis, offset, has_predictions=True, config=config)
    assert warm.status is NullStatus.CONVERGED


def test_the_second_attempt_goes_on_from_the_state_of_the_first(study, basis):
    cases, offset = study.cases[:, 0], study.predictions[:, 0]
    attempt = jax.tree_util.Partial(
        logistic_attempt,
        cases,
        basis,
        offset,
        everyone(cases),
        config=replace(configs.LOGISTIC_NULL, max_iterations=3),
        probability_config=configs.PROBABILITY,
    )
    first = attempt(np.zeros(basis.shape[1]), offset, True)
    second = attempt(first.coefficients, first.linear_predictor, False)
    assert bool(first.failed)
    assert bool(second.converged)


@pytest.mark.parametrize("trait", [0, 1, 2])
def test_firth_null_is_where_the_modified_score_vanishes(study, basis, trait):
    cases, offset = study.cases[:, trait], study.predictions[:, trait]
    start = fit_logistic(cases, basis, offset).coefficients
    fit = fit_firth(cases, basis, offset, start)
    assert (fit.status, fit.algorithm, fit.trial) == (NullStatus.CONVERGED, FirthNullAlgorithm.NEWTON, 0)
    # On an orthonormal basis a standard error is above 2: this is 5e-4 of one.
    np.testing.assert_allclose(fit.coefficients, firth_null(cases, basis, offset), atol=1e-3)
    np.testing.assert_allclose(fit.linear_predictor, offset + basis @ fit.coefficients)


def test_pseudo_data_and_newton_end_at_the_same_place(study, basis):
    cases, offset = study.cases[:, 0], study.predictions[:, 0]
    data = FirthData(cases, basis, offset, everyone(cases))
    tight = replace(configs.FIRTH_NULL, score_tolerance=1e-6)
    start = np.zeros(basis.shape[1])
    newton = firth_newton(data, start, 25.0, 1000, True, config=tight, probability_config=configs.PROBABILITY)
    pseudo = firth_pseudo_data(data, start, 1000, True, config=tight, probability_config=configs.PROBABILITY)
    assert bool(newton.converged)
    assert bool(pseudo.converged)
    np.testing.assert_allclose(newton.coefficients, pseudo.coefficients, atol=1e-4)


def test_trials_run_out_as_data(study, basis):
    cases, offset = study.cases[:, 0], study.predictions[:, 0]
    config = replace(configs.FIRTH_NULL, max_iterations=1, retry_iteration_factor=1)
    fit = fit_firth(cases, basis, offset, np.zeros(basis.shape[1]), config=config)
    assert (fit.status, fit.trial) == (NullStatus.NOT_CONVERGED, 3)
    once = fit_firth(cases, basis, offset, np.zeros(basis.shape[1]), config=replace(config, retry=False))
    assert (once.status, once.trial, once.algorithm) == (NullStatus.NOT_CONVERGED, 0, FirthNullAlgorithm.NEWTON)


def test_a_later_trial_rescues_a_start_too_far_away(study, basis):
    cases, offset = study.cases[:, 0], study.predictions[:, 0]
    far = np.full(basis.shape[1], 3e4)
    fit = fit_firth(cases, basis, offset, far)
    assert (fit.status, fit.trial) == (NullStatus.CONVERGED, 1)
    np.testing.assert_allclose(fit.coefficients, firth_null(cases, basis, offset), atol=1e-3)


def test_every_trial_begins_at_stored_coefficients(study, basis):
    cases, offset = study.cases[:, 0], study.predictions[:, 0]
    near = firth_null(cases, basis, offset)
    fit = fit_firth(cases, basis, offset, near, start_is_stored=True)
    # The fit is made again: one step at least (spec 6.2).
    assert (fit.status, fit.trial, fit.iterations) == (NullStatus.CONVERGED, 0, 2)
    far = np.full(basis.shape[1], 3e4)
    assert fit_firth(cases, basis, offset, far, start_is_stored=True).trial > 1
