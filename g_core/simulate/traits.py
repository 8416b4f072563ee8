"""A quantitative and a binary trait with known causal variants.

Belongs here: how genotypes, covariates and the rest of the genome make a trait, and what the true effects are. The
predictions that step 1 would make of the rest of the genome are in predictions.py.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from g_core.simulate.cohort import Cohort, standardise
from g_core.simulate.sites import SiteTable
from g_core.simulate.spec import SimulationSpec
from g_core.simulate.streams import Stream, open_stream

N_LOCO_ROWS = 23
BISECTION_STEPS = 80


@dataclass(frozen=True, slots=True)
class CausalVariants:
    """Which variants cause one trait, ascending."""

    variants: npt.NDArray[np.int64]
    signs: npt.NDArray[np.float64]
    """+1 or -1: direction of the first allele's effect."""


@dataclass(frozen=True, slots=True)
class SimulatedTrait:
    """One trait and everything that is known about it."""

    values: npt.NDArray[np.float64]
    """Shape (n_samples,); 0.0 or 1.0 for the binary trait."""
    causal: CausalVariants
    effects: npt.NDArray[np.float64]
    """For each copy of the first allele: in units of the trait, or log odds."""
    genetic_by_chromosome: npt.NDArray[np.float64]
    """True genetic values, shape (23, n_samples), on the scale that predictions have: standard deviations of the
    trait without its covariates, or log odds."""


def choose_causal_variants(*, spec: SimulationSpec, sites: SiteTable, stream: Stream) -> CausalVariants:
    """Choose the causal variants of the trait that ``stream`` belongs to.

    Fewer than ``n_causal_variants`` are chosen where fewer are common enough.
    """
    generator = open_stream(seed=spec.seed, stream=stream, index=0)
    frequency = sites.minor_allele_counts / (2.0 * spec.n_samples)
    candidates = np.flatnonzero(frequency >= spec.causal_minimum_frequency)
    size = min(spec.n_causal_variants, candidates.size)
    variants = np.sort(generator.choice(candidates, size=size, replace=False))
    return CausalVariants(variants=variants, signs=generator.choice(np.array([-1.0, 1.0]), size=size))


def simulate_quantitative_trait(
    *, spec: SimulationSpec, cohort: Cohort, causal: CausalVariants, causal_dosages: npt.NDArray[np.float64]
) -> SimulatedTrait:
    """Make the quantitative trait, with variance near 1.

    Args:
        spec: The dataset.
        cohort: Its samples.
        causal: What choose_causal_variants chose.
        causal_dosages: True copies of the first allele, shape (causal variants, n_samples).
    """
    generator = open_stream(seed=spec.seed, stream=Stream.QUANTITATIVE_TRAIT, index=1)
    share = spec.quantitative_heritability / max(1, causal.variants.size)
    effects = causal.signs * np.sqrt(share) / deviations_along_rows(causal_dosages)
    own = sum_effects(effects=effects, dosages=causal_dosages)
    background = draw_background(spec=spec, generator=generator, deviation=float(np.sqrt(spec.quantitative_background)))
    noise_variance = 1.0 - spec.quantitative_heritability - spec.quantitative_background - spec.quantitative_covariates
    covariates = np.sqrt(spec.quantitative_covariates) * cohort.covariate_effect
    noise = np.sqrt(noise_variance) * standardise(generator.standard_normal(spec.n_samples))
    genetic = with_own_chromosome(spec=spec, background=background, own=own)
    # Step 1 predicts the trait after its covariates are taken out and what is left is scaled to variance 1.
    scale = np.sqrt(1.0 - spec.quantitative_covariates)
    return SimulatedTrait(
        values=genetic.sum(axis=0) + covariates + noise,
        causal=causal,
        effects=effects,
        genetic_by_chromosome=genetic / scale,
    )


def simulate_binary_trait(
    *, spec: SimulationSpec, cohort: Cohort, causal: CausalVariants, causal_dosages: npt.NDArray[np.float64]
) -> SimulatedTrait:
    """Make the binary trait from a logistic model; arguments as for the quantitative trait.

    The intercept is the one that gives the expected share of cases.
    """
    generator = open_stream(seed=spec.seed, stream=Stream.BINARY_TRAIT, index=1)
    effects = causal.signs * spec.binary_causal_deviation / deviations_along_rows(causal_dosages)
    own = sum_effects(effects=effects, dosages=causal_dosages)
    background = draw_background(spec=spec, generator=generator, deviation=spec.binary_background_deviation)
    genetic = with_own_chromosome(spec=spec, background=background, own=own)
    log_odds = genetic.sum(axis=0) + spec.binary_covariate_deviation * cohort.covariate_effect
    probability = logistic(log_odds + solve_intercept(log_odds=log_odds, case_fraction=spec.binary_case_fraction))
    return SimulatedTrait(
        values=(generator.random(spec.n_samples) < probability).astype(np.float64),
        causal=causal,
        effects=effects,
        genetic_by_chromosome=genetic,
    )


def draw_background(
    *, spec: SimulationSpec, generator: np.random.Generator, deviation: float
) -> npt.NDArray[np.float64]:
    """Return genetic values of the chromosomes that are not simulated, shape (23, n_samples).

    They add up to the given standard deviation; the row of the dataset's own chromosome is 0.
    """
    background = generator.standard_normal((N_LOCO_ROWS, spec.n_samples))
    background[spec.chromosome_code - 1] = 0.0
    return background * (deviation / np.sqrt(N_LOCO_ROWS - 1))


def with_own_chromosome(
    *, spec: SimulationSpec, background: npt.NDArray[np.float64], own: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Return ``background`` with the row of the dataset's own chromosome set to ``own``."""
    genetic = background.copy()
    genetic[spec.chromosome_code - 1] = own
    return genetic


def sum_effects(*, effects: npt.NDArray[np.float64], dosages: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the centred sum of ``effects`` times ``dosages`` over variants, shape (n_samples,).

    Added row by row: a BLAS product may give other bits with another number of threads.
    """
    total = np.zeros(dosages.shape[1])
    for effect, dosage in zip(effects.tolist(), dosages, strict=True):
        total += effect * (dosage - dosage.mean())
    return total


def deviations_along_rows(dosages: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the standard deviation of each row, 1 where a row does not vary."""
    deviation = dosages.std(axis=1)
    return np.where(deviation > 0.0, deviation, 1.0)


def logistic(log_odds: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return probabilities from log odds."""
    return 1.0 / (1.0 + np.exp(-log_odds))


def solve_intercept(*, log_odds: npt.NDArray[np.float64], case_fraction: float) -> float:
    """Return what has to be added to ``log_odds`` so that the mean probability is ``case_fraction`` (bisection)."""
    reach = float(np.abs(log_odds).max(initial=0.0)) + 50.0
    low, high = -reach, reach
    for _ in range(BISECTION_STEPS):
        middle = 0.5 * (low + high)
        if float(logistic(log_odds + middle).mean()) < case_fraction:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)
