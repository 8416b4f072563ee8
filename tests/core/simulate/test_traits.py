import numpy as np
import pytest

from g_core.simulate.cohort import simulate_cohort
from g_core.simulate.predictions import simulate_loco_predictions
from g_core.simulate.sites import simulate_sites
from g_core.simulate.spec import build_spec
from g_core.simulate.streams import Stream
from g_core.simulate.traits import (
    choose_causal_variants,
    logistic,
    simulate_binary_trait,
    simulate_quantitative_trait,
    solve_intercept,
)

N_SAMPLES = 20_000


@pytest.fixture(scope="module")
def spec():
    return build_spec({"n_samples": N_SAMPLES, "n_variants": 300, "n_causal_variants": 4})


@pytest.fixture(scope="module")
def cohort(spec):
    return simulate_cohort(spec)


@pytest.fixture(scope="module")
def dosages():
    return np.random.default_rng(5).binomial(2, 0.3, size=(4, N_SAMPLES)).astype(np.float64)


@pytest.fixture(scope="module")
def quantitative(spec, cohort, dosages):
    causal = choose_causal_variants(spec=spec, sites=simulate_sites(spec), stream=Stream.QUANTITATIVE_TRAIT)
    return simulate_quantitative_trait(spec=spec, cohort=cohort, causal=causal, causal_dosages=dosages)


def test_causal_variants_are_common_and_differ_between_traits(spec):
    sites = simulate_sites(spec)
    one = choose_causal_variants(spec=spec, sites=sites, stream=Stream.QUANTITATIVE_TRAIT)
    other = choose_causal_variants(spec=spec, sites=sites, stream=Stream.BINARY_TRAIT)

    assert one.variants.size == other.variants.size == 4
    assert one.variants.tolist() == sorted(set(one.variants.tolist()))
    assert (sites.minor_allele_counts[one.variants] >= 0.05 * 2 * N_SAMPLES).all()
    assert one.variants.tolist() != other.variants.tolist()


def test_no_more_causal_variants_are_chosen_than_there_are():
    spec = build_spec({"n_samples": 20, "n_variants": 3, "n_causal_variants": 10, "causal_minimum_frequency": 0})

    chosen = choose_causal_variants(spec=spec, sites=simulate_sites(spec), stream=Stream.BINARY_TRAIT)
    assert chosen.variants.tolist() == [0, 1, 2]


def test_the_quantitative_trait_has_unit_variance_and_its_known_effects(quantitative, dosages):
    assert quantitative.values.var() == pytest.approx(1.0, abs=0.03)
    design = np.column_stack([np.ones(N_SAMPLES), dosages.T])
    estimates = np.linalg.lstsq(design, quantitative.values, rcond=None)[0][1:]

    assert np.abs(estimates - quantitative.effects).max() < 5 / np.sqrt(N_SAMPLES * 0.42)
    assert np.abs(quantitative.effects).min() > 0.1


def test_the_binary_trait_has_its_share_of_cases_and_known_effects(spec, cohort, dosages, quantitative):
    trait = simulate_binary_trait(spec=spec, cohort=cohort, causal=quantitative.causal, causal_dosages=dosages)
    case_dosage = dosages[:, trait.values == 1.0].mean(axis=1)
    control_dosage = dosages[:, trait.values == 0.0].mean(axis=1)

    assert set(np.unique(trait.values)) == {0.0, 1.0}
    assert trait.values.mean() == pytest.approx(spec.binary_case_fraction, abs=0.01)
    assert (np.sign(case_dosage - control_dosage) == np.sign(trait.effects)).all()


def test_the_intercept_gives_the_asked_share_of_cases():
    log_odds = np.random.default_rng(3).normal(0.0, 4.0, 1000)

    intercept = solve_intercept(log_odds=log_odds, case_fraction=0.07)
    assert logistic(log_odds + intercept).mean() == pytest.approx(0.07, abs=1e-9)


def test_a_prediction_leaves_its_chromosome_out_and_is_as_accurate_as_asked(spec, quantitative):
    predictions = simulate_loco_predictions(spec=spec, trait=quantitative, stream=Stream.QUANTITATIVE_PREDICTIONS)
    others = quantitative.genetic_by_chromosome.sum(axis=0) - quantitative.genetic_by_chromosome

    assert predictions.shape == (23, N_SAMPLES)
    squared = [np.corrcoef(predictions[row], others[row])[0, 1] ** 2 for row in range(23)]
    assert np.abs(np.array(squared) - spec.prediction_accuracy).max() < 0.03
    own = quantitative.genetic_by_chromosome[21]
    assert abs(np.corrcoef(predictions[21], own)[0, 1]) < 0.03
    assert np.corrcoef(predictions[0], own)[0, 1] > 0.1
