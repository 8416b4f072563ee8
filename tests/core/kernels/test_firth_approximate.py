"""The batched one-coefficient fit against the plain loop of the specification, lane by lane."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from g_core.kernels.binary_null import FirthKind, fit_binary_null
from g_core.kernels.covariate_basis import covariate_basis
from g_core.kernels.firth_approximate import FirthModel, FirthPhase, PseudoDataFailure
from g_core.kernels.firth_batches import fit_firth_approximate
from tests.core.kernels import regenie_configs as configs
from tests.core.kernels.encoded_dosage import encode_dosage, padded
from tests.core.kernels.random_study import make_study
from tests.reference.binary_reference import covariate_adjusted
from tests.reference.firth_reference import Fit

FIELDS = ("beta", "se", "chi_square", "log10_p", "phase", "pseudo_data_failure", "iterations")


class Candidates:
    """A study's variants, the null models of its first trait, and which variants are fitted on carriers."""

    def __init__(self, study):
        self.study, self.tile = study, study.tile
        self.basis = covariate_basis(study.design, configs.BASIS).basis
        self.null = fit_binary_null(
            study.cases[:, 0],
            np.ones(len(study.cases), dtype=bool),
            self.basis,
            study.predictions[:, 0],
            n_padded=study.n_padded,
            firth_kind=FirthKind.APPROXIMATE,
            stored_start=None,
            keep_unconverged=False,
            configs=configs.BINARY_NULL,
        )
        dosage = study.tile.flipped_dosage
        minor_allele_count = np.minimum(dosage.sum(axis=1), (2 - dosage).sum(axis=1))
        sparse = (dosage != 0).sum(axis=1) <= dosage.shape[1] / 2
        self.sparse_and_rare = sparse & (minor_allele_count < configs.FIRTH_APPROXIMATE.carrier_maximum_mac)

    def fit(self, rows=slice(None), *, workers=1, **changes):
        return fit_firth_approximate(
            self.tile.values[rows],
            self.tile.unit[rows],
            self.tile.centre[rows],
            self.sparse_and_rare[rows],
            self.null.firth_model,
            replace(configs.FIRTH_APPROXIMATE, **changes),
            configs.PROBABILITY,
            workers=workers,
        )

    def reference(self, row):
        n_samples = len(self.study.design)
        dosage = self.tile.flipped_dosage[row]
        v = covariate_adjusted(self.basis, self.null.trait_null.probabilities[:n_samples], dosage)
        used = np.ones(n_samples, dtype=bool)
        if self.sparse_and_rare[row] and np.any(dosage > 1e-4):
            used = dosage > 1e-4
        offset = self.null.firth.linear_predictor[:n_samples]
        return Fit(self.study.cases[used, 0], offset[used], v[used])


@pytest.fixture(scope="module", params=[0.2, 0.04], ids=["balanced", "few cases"])
def candidates(request):
    return Candidates(make_study(40, prevalence=request.param))


@pytest.fixture(scope="module")
def everyone(candidates):
    return candidates.fit()


def assert_is_reference(result, index, expected):
    if expected is None:
        assert result.phase[index] == FirthPhase.FAILED
        assert np.isnan([result.beta[index], result.se[index], result.chi_square[index], result.log10_p[index]]).all()
        return
    beta, se, likelihood_ratio, iterations, failure = expected
    assert (result.iterations[index], result.pseudo_data_failure[index]) == (iterations, failure)
    final = FirthPhase.CONVERGED_PSEUDO_DATA if failure == 0 else FirthPhase.CONVERGED_NEWTON
    assert result.phase[index] == final
    # The sequence of iterations is the same, so is where it stops; a shortcut to the optimum would differ by 1e-4.
    assert result.beta[index] == pytest.approx(beta, rel=1e-7, abs=1e-7 * se)
    assert result.se[index] == pytest.approx(se, rel=1e-7)
    assert result.chi_square[index] == pytest.approx(likelihood_ratio, rel=1e-6, abs=1e-9)


def test_every_lane_follows_the_specification_step_by_step(candidates, everyone):
    assert candidates.sparse_and_rare.any()
    assert not candidates.sparse_and_rare.all()
    for row, sparse_and_rare in enumerate(candidates.sparse_and_rare):
        expected = candidates.reference(row).fit(sparse_and_rare=bool(sparse_and_rare))
        assert_is_reference(everyone, row, expected)


def test_the_result_is_near_the_true_optimum(candidates, everyone):
    converged = np.flatnonzero(everyone.phase == FirthPhase.CONVERGED_PSEUDO_DATA)
    for row in converged[::7]:
        assert everyone.beta[row] == pytest.approx(candidates.reference(row).optimum(), abs=2e-3 * everyone.se[row])


def test_a_lane_does_not_depend_on_the_batch(candidates, everyone):
    order = np.random.default_rng(41).permutation(len(everyone.beta))
    shuffled = candidates.fit(order)
    for field in FIELDS:
        np.testing.assert_array_equal(getattr(shuffled, field), getattr(everyone, field)[order])
    for row in (0, 17, 95):
        alone = candidates.fit([row])
        for field in FIELDS:
            np.testing.assert_array_equal(getattr(alone, field), getattr(everyone, field)[[row]])


def test_the_number_of_workers_changes_nothing(candidates, everyone):
    result = candidates.fit(workers=3)
    for field in FIELDS:
        np.testing.assert_array_equal(getattr(result, field), getattr(everyone, field))


@pytest.mark.parametrize("lanes", [5, 128])
def test_the_number_of_lanes_changes_rounding_at_most(candidates, everyone, lanes):
    result = candidates.fit(lanes=lanes)
    for field in FIELDS[:4]:
        np.testing.assert_allclose(getattr(result, field), getattr(everyone, field), rtol=1e-9, atol=1e-12)
    for field in FIELDS[4:]:
        np.testing.assert_array_equal(getattr(result, field), getattr(everyone, field))


def test_no_candidate_is_no_work(candidates):
    assert candidates.fit(slice(0, 0)).beta.shape == (0,)


def hard_problem(seed, n_variants=300, n_samples=200):
    """Few cases, few carriers and offsets far from 0: what drives fits into the second algorithm and out of it."""
    rng = np.random.default_rng(seed)
    dosage = (rng.random((n_variants, n_samples)) < rng.uniform(0.003, 0.03, (n_variants, 1))).astype(float)
    dosage[:, 0] = 1.0
    dosage = np.round(dosage * rng.choice([0.2, 1.0, 2.0], size=dosage.shape) * 255) / 255
    cases = (rng.random(n_samples) < 0.06).astype(float)
    cases[0] = 1.0
    offset = rng.normal(size=n_samples) * 4 - 5
    return encode_dosage(dosage, padded(n_samples)), cases, offset


def test_fallback_and_failure_follow_the_specification():
    reached = Counter()
    for seed in range(3):
        tile, cases, offset = hard_problem(seed)
        n_samples, n_padded = len(cases), tile.values.shape[1]
        model = FirthModel(
            cases=np.pad(cases, (0, n_padded - n_samples)),
            present=np.arange(n_padded) < n_samples,
            offset=np.pad(offset, (0, n_padded - n_samples)),
            weighted_root_basis=np.zeros((n_padded, 1)),
            projection=np.zeros((n_padded, 1)),
        )
        sparse_and_rare = np.arange(len(tile.unit)) % 2 == 0
        result = fit_firth_approximate(
            tile.values,
            tile.unit,
            tile.centre,
            sparse_and_rare,
            model,
            configs.FIRTH_APPROXIMATE,
            configs.PROBABILITY,
            workers=1,
        )
        for row, g in enumerate(tile.flipped_dosage):
            used = g > 1e-4 if sparse_and_rare[row] else np.ones(n_samples, dtype=bool)
            expected = Fit(cases[used], offset[used], g[used]).fit(sparse_and_rare=bool(sparse_and_rare[row]))
            assert_is_reference(result, row, expected)
            reached[FirthPhase(result.phase[row]), PseudoDataFailure(result.pseudo_data_failure[row])] += 1
    phases = {phase for phase, _ in reached}
    assert {FirthPhase.CONVERGED_PSEUDO_DATA, FirthPhase.CONVERGED_NEWTON} <= phases, reached


def test_a_genotype_without_variance_fails_at_once(candidates):
    values = np.zeros_like(candidates.tile.values[:1])
    result = fit_firth_approximate(
        values,
        np.ones(1),
        np.zeros(1),
        np.zeros(1, dtype=bool),
        candidates.null.firth_model,
        configs.FIRTH_APPROXIMATE,
        configs.PROBABILITY,
        workers=1,
    )
    assert result.phase[0] == FirthPhase.FAILED
    assert result.pseudo_data_failure[0] == PseudoDataFailure.NO_INFORMATION
    assert np.isnan(result.beta[0])


def test_separation_gives_a_finite_estimate():
    n_samples, n_padded = 200, padded(200)
    cases = np.zeros(n_samples)
    cases[:6] = 1.0
    dosage = np.zeros((1, n_samples))
    dosage[0, :6] = 1.0
    tile = encode_dosage(dosage, n_padded)
    null = fit_binary_null(
        cases,
        np.ones(n_samples, dtype=bool),
        np.full((n_samples, 1), n_samples**-0.5),
        None,
        n_padded=n_padded,
        firth_kind=FirthKind.APPROXIMATE,
        stored_start=None,
        keep_unconverged=False,
        configs=configs.BINARY_NULL,
    )
    result = fit_firth_approximate(
        tile.values,
        tile.unit,
        tile.centre,
        np.zeros(1, dtype=bool),
        null.firth_model,
        configs.FIRTH_APPROXIMATE,
        configs.PROBABILITY,
        workers=1,
    )
    assert result.phase[0] != FirthPhase.FAILED
    assert 3 < result.beta[0] < 12
    assert 4 < result.log10_p[0] < 15
