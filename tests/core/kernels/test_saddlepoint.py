"""The saddlepoint p-value against the plain loop of the text and the exact distribution, candidate by candidate."""

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import special, stats

from g_core.kernels.binary_null import FirthKind, fit_binary_null
from g_core.kernels.chi_square_quantile import chi_square_from_log_p
from g_core.kernels.covariate_basis import covariate_basis
from g_core.kernels.saddlepoint import (
    SaddlepointFailure,
    SaddlepointModel,
    saddlepoint_lanes,
    saddlepoint_model,
    saddlepoint_test,
)
from tests.core.kernels import regenie_configs as configs
from tests.core.kernels.encoded_dosage import encode_dosage, padded
from tests.core.kernels.random_study import make_study
from tests.reference.binary_reference import covariate_adjusted
from tests.reference.saddlepoint_reference import Saddlepoint, binomial_two_sided

FIELDS = ("beta", "se", "chi_square", "log10_p", "failure")


class Candidates:
    """A study's variants and the null model of its first trait."""

    def __init__(self, study, tested_trait=0):
        self.study, self.tile, self.cases = study, study.tile, study.cases[:, tested_trait]
        self.basis = covariate_basis(study.design, configs.BASIS).basis
        self.null = fit_binary_null(
            study.cases[:, 0],
            np.ones(len(study.cases), dtype=bool),
            self.basis,
            study.predictions[:, 0],
            n_padded=study.n_padded,
            firth_kind=FirthKind.NONE,
            stored_start=None,
            keep_unconverged=False,
            configs=configs.BINARY_NULL,
        )
        padded_cases = np.pad(self.cases, (0, study.n_padded - len(self.cases)))
        self.model = replace(saddlepoint_model(self.null.trait_null), cases=jnp.asarray(padded_cases))
        self.sparse = (study.tile.flipped_dosage != 0).mean(axis=1) <= 0.5

    def test(self, rows=slice(None), **changes):
        return saddlepoint_test(
            self.tile.values[rows],
            self.tile.unit[rows],
            self.tile.centre[rows],
            self.sparse[rows],
            self.model,
            replace(configs.SADDLEPOINT, **changes),
        )

    def reference(self, row):
        dosage = self.tile.flipped_dosage[row]
        probabilities = self.null.trait_null.probabilities[: len(dosage)]
        adjusted = covariate_adjusted(self.basis, probabilities, dosage)
        summed = dosage != 0 if self.sparse[row] else np.ones(len(dosage), dtype=bool)
        scored = dosage if self.sparse[row] else adjusted
        return Saddlepoint(self.cases, probabilities, adjusted, scored, summed)


@pytest.fixture(scope="module", params=[0.2, 0.03], ids=["balanced", "few cases"])
def candidates(request):
    return Candidates(make_study(70, prevalence=request.param))


@pytest.fixture(scope="module")
def everyone(candidates):
    return candidates.test()


def assert_follows_the_specification(candidates, results, absolute=1e-9):
    assert 0 < candidates.sparse.sum() < len(candidates.sparse)
    for row in range(len(results.beta)):
        reference = candidates.reference(row)
        log_p = reference.log_p()
        assert (results.failure[row] == SaddlepointFailure.NONE) == (log_p is not None)
        if log_p is None:
            assert np.isnan([results.beta[row], results.se[row], results.log10_p[row]]).all()
            continue
        chi_square = stats.chi2.isf(np.exp(log_p), 1)
        assert results.log10_p[row] == pytest.approx(-log_p / np.log(10), rel=1e-8, abs=absolute)
        assert results.chi_square[row] == pytest.approx(chi_square, rel=1e-7, abs=absolute)
        assert results.se[row] == pytest.approx(reference.den**-0.5, rel=1e-9)
        beta = np.sign(reference.stat) * np.sqrt(chi_square / reference.den)
        assert results.beta[row] == pytest.approx(beta, rel=1e-7, abs=1e2 * absolute * results.se[row])


def test_every_candidate_follows_the_specification(candidates, everyone):
    assert_follows_the_specification(candidates, everyone)


def test_what_the_null_fit_left_on_the_covariates_counts_for_sparse_variants_alone():
    candidates = Candidates(make_study(72), tested_trait=1)
    # An imputed dosage is rounded to float32, and only the covariates would take most of that out of the score again.
    assert_follows_the_specification(candidates, candidates.test(), absolute=1e-6)


def test_a_candidate_does_not_depend_on_the_batch(candidates, everyone):
    order = np.random.default_rng(71).permutation(len(everyone.beta))
    shuffled = candidates.test(order)
    for field in FIELDS:
        np.testing.assert_array_equal(getattr(shuffled, field), getattr(everyone, field)[order])
    for row in (0, 17, 95):
        alone = candidates.test([row])
        for field in FIELDS:
            np.testing.assert_array_equal(getattr(alone, field), getattr(everyone, field)[[row]])


def test_no_candidate_is_no_work(candidates):
    assert candidates.test(slice(0, 0)).beta.shape == (0,)


def carriers_only(n_carriers, n_case_carriers, probability, n_samples=2000):
    """Test a variant whose carriers' cases are binomial, without covariates that the test would take out."""
    n_padded = padded(n_samples)
    dosage = np.zeros((1, n_samples))
    dosage[0, :n_carriers] = 1.0
    tile = encode_dosage(dosage, n_padded)
    cases = np.zeros(n_padded)
    cases[:n_case_carriers] = 1.0
    model = SaddlepointModel(
        cases=jnp.asarray(cases),
        present=jnp.arange(n_padded) < n_samples,
        probabilities=jnp.full(n_padded, probability),
        weighted_root_basis=jnp.zeros((n_padded, 1)),
        projection=jnp.zeros((n_padded, 1)),
    )
    return saddlepoint_test(tile.values, tile.unit, tile.centre, np.ones(1, dtype=bool), model, configs.SADDLEPOINT)


@pytest.mark.parametrize(("n_carriers", "n_case_carriers"), [(1000, 19), (1500, 28), (1900, 36)])
def test_it_is_near_the_exact_tail_where_the_score_test_is_far(n_carriers, n_case_carriers):
    probability = 0.01
    result = carriers_only(n_carriers, n_case_carriers, probability)
    exact = -np.log10(binomial_two_sided(n_carriers, n_case_carriers, probability))
    deviation = n_case_carriers - n_carriers * probability
    score_chi_square = deviation**2 / (n_carriers * probability * (1 - probability))
    score = -np.log10(stats.chi2.sf(score_chi_square, 1))
    assert abs(result.log10_p[0] - exact) < 0.05
    assert score - exact > 3 * abs(result.log10_p[0] - exact)


def test_all_carriers_cases_is_the_edge_of_what_can_be_seen():
    result = carriers_only(4, 4, 0.01)
    assert result.failure[0] in {SaddlepointFailure.SCORE_OUT_OF_RANGE, SaddlepointFailure.EXPONENT_TOO_LARGE}
    assert np.isnan([result.beta[0], result.se[0], result.chi_square[0], result.log10_p[0]]).all()


def test_a_tail_beyond_the_range_of_the_score_has_no_result():
    # 25 of 400 is possible, but as far on the other side there are no counts; REGENIE fails there too.
    result = carriers_only(400, 25, 0.01)
    assert result.failure[0] == SaddlepointFailure.EXPONENT_TOO_LARGE


def test_a_tiny_p_is_reported_as_the_smallest():
    result = carriers_only(1900, 1805, 0.5)
    assert result.failure[0] == SaddlepointFailure.NONE
    assert result.log10_p[0] == pytest.approx(-np.log10(configs.SADDLEPOINT.minimum_p), rel=1e-12)


def test_without_variance_there_is_no_result():
    result = carriers_only(0, 0, 0.01)
    assert result.failure[0] == SaddlepointFailure.NO_VARIANCE
    assert np.isnan(result.se[0])


def test_the_quantile_is_the_inverse_of_the_tail():
    chi_square = np.array([1e-6, 1e-3, 0.1, 1.0, 3.84, 29.7, 500.0, 590.0, 610.0, 1400.0, 5e4])
    log_p = np.log(2) + special.log_ndtr(-np.sqrt(chi_square))
    with jax.enable_x64(True):
        result = chi_square_from_log_p(jnp.asarray(log_p))
    np.testing.assert_allclose(result, chi_square, rtol=1e-9)


def test_batches_of_any_size_share_one_compilation():
    before = saddlepoint_lanes._cache_size()
    for seed in (72, 73):
        study = make_study(seed, n_samples=227, n_variants=20)
        for count in (1, 16, 20):
            Candidates(study).test(slice(0, count))
    assert saddlepoint_lanes._cache_size() - before == 1
