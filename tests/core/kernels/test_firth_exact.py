"""The batched fit of covariates and variant together: printed numbers, the plain loop of the text, and independence."""

from collections import Counter

import numpy as np
import pytest

from g_core.kernels.firth_approximate import FirthPhase, PseudoDataFailure
from g_core.kernels.firth_exact_batches import advance_exact_fits
from tests.core.kernels.exact_candidates import ExactCandidates
from tests.core.kernels.random_study import make_study
from tests.reference.worked_example import COVARIATE, DOSAGE, PREDICTIONS, TRAITS, complete_case

FIELDS = ("beta", "se", "chi_square", "log10_p", "phase", "pseudo_data_failure", "iterations")


def printed(candidates, result):
    """BETA of the effect allele, SE, CHISQ, LOG10P."""
    beta = np.where(candidates.tile.flipped, -result.beta, result.beta)
    return np.column_stack([beta, result.se, result.chi_square, result.log10_p])


def alone(trait):
    cases, design, predictions, dosage = complete_case(trait)
    return ExactCandidates(cases, design, predictions, dosage, np.ones(len(cases), dtype=bool))


def test_b1_is_what_regenie_prints():
    candidates = alone("B1")
    result = candidates.fit()
    expected = [
        [-0.3927640345, 0.7538590965, 0.3032571516, 0.2351907169],
        [3.879132554, 1.685299496, 10.29697245, 2.875337193],
    ]
    np.testing.assert_allclose(printed(candidates, result), expected, rtol=1e-9)
    np.testing.assert_array_equal(result.iterations, [5, 7])


def test_b2_alone_is_what_regenie_prints():
    candidates = alone("B2")
    expected = [[-0.7675, 0.897608, 0.893197, 0.462669], [-2.42851, 1.85917, 2.82248, 1.03174]]
    np.testing.assert_allclose(printed(candidates, candidates.fit()), expected, rtol=3e-6)


def test_b2_beside_b1_is_what_regenie_prints():
    # Samples without B2 stay in the information with weight 1 there (spec 6.2): the SE of the first is far too small.
    candidates = ExactCandidates(
        TRAITS["B2"],
        np.column_stack([np.ones(len(COVARIATE)), COVARIATE]),
        PREDICTIONS["B2"],
        DOSAGE,
        ~np.isnan(TRAITS["B2"]),
    )
    result = candidates.fit()
    expected = [
        [-0.9114403003, 0.4912972547, 1.053960846, 0.5162749076],
        [-2.43697173, 1.847845731, 2.731020125, 1.006932508],
    ]
    np.testing.assert_allclose(printed(candidates, result), expected, rtol=1e-9)
    np.testing.assert_array_equal(result.iterations, [5, 4])


def random_candidates(seed, *, prevalence, share_present):
    study = make_study(seed, n_variants=40, prevalence=prevalence)
    n_samples = len(study.design)
    dosage = study.tile.flipped_dosage
    present = np.random.default_rng(seed).random(n_samples) < share_present
    return ExactCandidates(study.cases[:, 0], study.design, study.predictions[:, 0], dosage, present)


@pytest.fixture(
    scope="module",
    params=[(0.2, 1.0), (0.04, 1.0), (0.2, 0.8)],
    ids=["balanced", "few cases", "masked samples at weight 1"],
)
def candidates(request):
    prevalence, share_present = request.param
    return random_candidates(60, prevalence=prevalence, share_present=share_present)


@pytest.fixture(scope="module")
def everyone(candidates):
    return candidates.fit()


def assert_is_reference(result, index, expected):
    numbers = [result.beta[index], result.se[index], result.chi_square[index], result.log10_p[index]]
    if expected is None:
        assert result.phase[index] == FirthPhase.FAILED
        assert np.isnan(numbers).all()
        return
    beta, se, likelihood_ratio, iterations, newton, _ = expected
    assert result.phase[index] == (FirthPhase.CONVERGED_NEWTON if newton else FirthPhase.CONVERGED_PSEUDO_DATA)
    assert (result.pseudo_data_failure[index] != PseudoDataFailure.NONE) == newton
    assert result.iterations[index] == iterations
    # The sequence of iterations is the same, so is where it stops; a shortcut to the optimum would differ by 1e-4.
    assert result.beta[index] == pytest.approx(beta, rel=1e-7, abs=1e-7 * se)
    assert result.se[index] == pytest.approx(se, rel=1e-7)
    assert result.chi_square[index] == pytest.approx(likelihood_ratio, rel=1e-6, abs=1e-9)


def test_every_lane_follows_the_specification_step_by_step(candidates, everyone):
    assert candidates.null_converged
    for row in range(len(everyone.beta)):
        assert_is_reference(everyone, row, candidates.reference(row))


def test_a_lane_does_not_depend_on_the_batch(candidates, everyone):
    order = np.random.default_rng(61).permutation(len(everyone.beta))
    shuffled = candidates.fit(order)
    for field in FIELDS:
        np.testing.assert_array_equal(getattr(shuffled, field), getattr(everyone, field)[order])
    for row in (0, 17, 39):
        result = candidates.fit([row])
        for field in FIELDS:
            np.testing.assert_array_equal(getattr(result, field), getattr(everyone, field)[[row]])


def test_an_odd_number_of_lanes_keeps_them_independent():
    candidates = random_candidates(60, prevalence=0.2, share_present=0.8)
    everyone = candidates.fit(lanes=7)
    reverse = candidates.fit(slice(None, None, -1), lanes=7)
    for field in FIELDS:
        np.testing.assert_array_equal(getattr(reverse, field)[::-1], getattr(everyone, field))


def test_the_number_of_workers_changes_nothing():
    candidates = random_candidates(60, prevalence=0.04, share_present=1.0)
    one, three = candidates.fit(workers=1), candidates.fit(workers=3)
    for field in FIELDS:
        np.testing.assert_array_equal(getattr(three, field), getattr(one, field))


def hard_candidates(seed, n_variants=60, n_samples=120):
    """Few cases and few carriers: separation within and beyond the covariates."""
    rng = np.random.default_rng(seed)
    dosage = rng.binomial(2, rng.uniform(0.005, 0.05, (n_variants, 1)), (n_variants, n_samples)).astype(float)
    cases = (rng.random(n_samples) < 0.05).astype(float)
    cases[:4] = 1.0
    dosage[:, :2] = np.maximum(dosage[:, :2], rng.integers(0, 2, (n_variants, 2)))
    dosage[:, 2] = 1.0
    # A rare covariate that only some controls have, so the plain fit has no maximum.
    rare = np.zeros(n_samples)
    rare[rng.choice(np.arange(4, n_samples), 5, replace=False)] = 1.0
    design = np.column_stack([np.ones(n_samples), rng.normal(size=n_samples), rare])
    return ExactCandidates(cases, design, rng.normal(size=n_samples) * 3, dosage, np.ones(n_samples, dtype=bool))


def test_fallback_and_failure_follow_the_specification():
    reached = Counter()
    for seed in range(2):
        candidates = hard_candidates(seed)
        result = candidates.fit()
        for row in range(len(result.beta)):
            expected = candidates.reference(row)
            assert_is_reference(result, row, expected)
            reached[FirthPhase(result.phase[row]), expected is not None and expected[5]] += 1
    assert {phase for phase, _ in reached} >= {FirthPhase.CONVERGED_PSEUDO_DATA, FirthPhase.CONVERGED_NEWTON}, reached


def test_separation_gives_a_finite_estimate():
    n_samples = 200
    cases = np.zeros(n_samples)
    cases[:6] = 1.0
    candidates = ExactCandidates(
        cases, np.ones((n_samples, 1)), np.zeros(n_samples), cases[None], np.ones(n_samples, dtype=bool)
    )
    result = candidates.fit()
    assert result.phase[0] != FirthPhase.FAILED
    assert 3 < result.beta[0] < 12
    assert 4 < result.log10_p[0] < 15


def test_a_genotype_in_the_span_of_the_covariates_fails():
    study = make_study(62, n_variants=2)
    n_samples = len(study.design)
    dosage = np.vstack([study.design[:, 2], study.tile.flipped_dosage[1]])
    candidates = ExactCandidates(
        study.cases[:, 0], study.design, study.predictions[:, 0], dosage, np.ones(n_samples, dtype=bool)
    )
    result = candidates.fit()
    assert result.phase[0] == FirthPhase.FAILED
    assert np.isnan(result.beta[0])
    assert result.phase[1] != FirthPhase.FAILED


def test_no_candidate_is_no_work(candidates):
    assert candidates.fit(slice(0, 0)).beta.shape == (0,)


def test_traits_and_batches_of_any_size_share_one_compilation():
    before = advance_exact_fits._cache_size()
    for seed in (63, 64):
        study = make_study(seed, n_samples=227, n_variants=20)
        present = np.arange(227) % (seed - 58) > 0
        candidates = ExactCandidates(
            study.cases[:, 0], study.design, study.predictions[:, 0], study.tile.flipped_dosage, present
        )
        for count in (1, 16, 20):
            candidates.fit(slice(0, count))
    assert advance_exact_fits._cache_size() - before == 1
