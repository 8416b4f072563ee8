"""Saddlepoint approximation of a score test's p-value, for binary traits with few cases.

Belongs here: the cumulant function of the score of many candidates side by side, the two tail equations, what makes
them fail. Does not belong here: the score test that picks the candidates (score.py).

With v the dosage without its weighted regression on the covariates and c the root of its variance, the statistic is
sum v (y - p) / c, each y a Bernoulli variable of the null model. For a sparse variant only the samples that carry the
allele are summed; the others, many and each with a small v, enter as a normal variable of the same variance.
"""

import math
from dataclasses import dataclass
from enum import IntEnum
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax import lax
from jax.scipy.special import log_ndtr

from g_core.kernels.chi_square_quantile import chi_square_from_log_p
from g_core.kernels.pvalues import TAIL_SERIES_TERMS
from g_core.kernels.sample_sums import row_products
from g_core.kernels.score import TraitNull
from g_core.kernels.settings import SaddlepointConfig

FloatArray = npt.NDArray[np.float64]


class SaddlepointFailure(IntEnum):
    """Why a candidate has no saddlepoint p-value."""

    NONE = 0
    NO_VARIANCE = 1
    SCORE_OUT_OF_RANGE = 2
    EXPONENT_TOO_LARGE = 3
    NOT_CONVERGED = 4
    PROBABILITY_ABOVE_ONE = 5


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class SaddlepointModel:
    """What the candidates of one trait on one chromosome share; K' weighted basis columns.

    Attributes:
        cases: [C] 0/1.
        present: [C] bool.
        probabilities: [C] of the null logistic fit.
        weighted_root_basis: [C, K'] sqrt(w) * weighted basis.
        projection: [C, K'] see TraitNull.
    """

    cases: jax.Array
    present: jax.Array
    probabilities: jax.Array
    weighted_root_basis: jax.Array
    projection: jax.Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class Cumulant:
    """The cumulant generating function of each lane's statistic.

    Attributes:
        slope: [B, C] v / c of the samples summed one by one, 0 for all others.
        probabilities: [C].
        mean: [B] sum slope p.
        normal_variance: [B] share of the variance that is treated as normal; 0 unless sparse.
    """

    slope: jax.Array
    probabilities: jax.Array
    mean: jax.Array
    normal_variance: jax.Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class TailSearch:
    """State of one tail's equation in B lanes.

    Attributes:
        point: [B] argument.
        excess: [B] what the equation lacks there.
        lowest: [B] of the bracket.
        highest: [B].
        running: [B] bool.
        failure: [B] SaddlepointFailure.
        iteration: [B].
    """

    point: jax.Array
    excess: jax.Array
    lowest: jax.Array
    highest: jax.Array
    running: jax.Array
    failure: jax.Array
    iteration: jax.Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class SaddlepointResult:
    """One entry per lane or candidate, of the flipped allele; the four numbers are NaN where the test failed.

    Attributes:
        beta: [B] float64, effect whose ratio to ``se`` gives ``chi_square``.
        se: [B] of the score test.
        chi_square: [B] statistic that the p-value stands for.
        log10_p: [B].
        failure: [B] int32, SaddlepointFailure.
    """

    beta: jax.Array | FloatArray
    se: jax.Array | FloatArray
    chi_square: jax.Array | FloatArray
    log10_p: jax.Array | FloatArray
    failure: jax.Array | npt.NDArray[np.int32]


def saddlepoint_model(null: TraitNull) -> SaddlepointModel:
    """Put a trait's null logistic model on the device."""
    return SaddlepointModel(
        cases=jax.device_put(null.cases),
        present=jax.device_put(null.present),
        probabilities=jax.device_put(null.probabilities),
        weighted_root_basis=jax.device_put(np.sqrt(null.weights)[:, None] * null.weighted_basis),
        projection=jax.device_put(null.projection),
    )


def saddlepoint_test(
    values: npt.NDArray[np.float32],
    unit: FloatArray,
    centre: FloatArray,
    sparse: npt.NDArray[np.bool_],
    model: SaddlepointModel,
    config: SaddlepointConfig,
) -> SaddlepointResult:
    """Test any number of candidates, ``config.lanes`` side by side (spec 6.6, REGENIE run_SPA_test_snp).

    The statistic is computed again in float64. A candidate's result does not depend on the others.

    Args:
        values: [N, C] float32 rows of the tile.
        unit: [N] float64.
        centre: [N] float64.
        sparse: [N] the sparse rule holds.
        model: of the trait.
        config: stopping rules and lanes.
    """
    n_candidates = values.shape[0]
    blocks: list[SaddlepointResult] = []
    for first in range(0, n_candidates, config.lanes):
        rows = np.minimum(np.arange(first, first + config.lanes), n_candidates - 1)
        lanes = saddlepoint_lanes(values[rows], unit[rows], centre[rows], sparse[rows], model, config=config)
        blocks.append(jax.tree.map(np.asarray, lanes))
    empty = SaddlepointResult(*(np.zeros(0) for _ in range(4)), failure=np.zeros(0, dtype=np.int32))
    return jax.tree.map(lambda *parts: np.concatenate(parts)[:n_candidates], empty, *blocks)


@partial(jax.jit, static_argnames=("config",))
def saddlepoint_lanes(
    values: jax.Array,
    unit: jax.Array,
    centre: jax.Array,
    sparse: jax.Array,
    model: SaddlepointModel,
    *,
    config: SaddlepointConfig,
) -> SaddlepointResult:
    """Test one lane per row; arguments as in saddlepoint_test, [B, ...]."""
    dosage = centre[:, None] + unit[:, None] * values.astype(jnp.float64)
    adjusted = dosage - row_products(dosage, model.weighted_root_basis) @ model.projection.T
    adjusted = lax.optimization_barrier(jnp.where(model.present, adjusted, 0.0))
    variance_terms = adjusted * adjusted * model.probabilities * (1.0 - model.probabilities)
    denominator = jnp.sum(variance_terms, axis=1)
    root = jnp.sqrt(denominator)
    slope = adjusted / root[:, None]
    # REGENIE leaves the covariates in the dosage of a sparse variant here; it counts where the null fit ended early.
    scored = jnp.where(sparse[:, None] & model.present, dosage, adjusted) / root[:, None]
    statistic = jnp.sum(scored * (model.cases - model.probabilities), axis=1)
    mean = jnp.sum(slope * model.probabilities, axis=1)
    out_of_range = (statistic < jnp.sum(jnp.minimum(slope, 0.0), axis=1) - mean) | (
        statistic > jnp.sum(jnp.maximum(slope, 0.0), axis=1) - mean
    )

    summed = (dosage > config.minimum_nonzero_dosage) | ~sparse[:, None]
    summed_slope = lax.optimization_barrier(jnp.where(summed, slope, 0.0))
    cumulant = Cumulant(
        slope=summed_slope,
        probabilities=model.probabilities,
        mean=jnp.sum(summed_slope * model.probabilities, axis=1),
        normal_variance=jnp.sum(jnp.where(summed, 0.0, variance_terms), axis=1) / denominator,
    )
    log_tails, tail_failures = lax.map(
        lambda sign: log_tail_probability(cumulant, sign, -jnp.abs(statistic), config), jnp.asarray([1.0, -1.0])
    )
    log_p = jnp.logaddexp(log_tails[0], log_tails[1])
    failure = jnp.select(
        [~(denominator > 0.0), out_of_range, tail_failures[0] > 0, tail_failures[1] > 0, ~(log_p <= 0.0)],
        [
            jnp.asarray(SaddlepointFailure.NO_VARIANCE),
            jnp.asarray(SaddlepointFailure.SCORE_OUT_OF_RANGE),
            tail_failures[0],
            tail_failures[1],
            jnp.asarray(SaddlepointFailure.PROBABILITY_ABOVE_ONE),
        ],
        SaddlepointFailure.NONE,
    ).astype(jnp.int32)
    log_floor = math.log(config.minimum_p) if config.minimum_p > 0.0 else -math.inf
    log_p = jnp.where(failure == SaddlepointFailure.NONE, jnp.maximum(log_p, log_floor), jnp.nan)
    chi_square = chi_square_from_log_p(log_p)
    se = jnp.where(failure == SaddlepointFailure.NONE, 1.0 / root, jnp.nan)
    return SaddlepointResult(
        beta=jnp.sign(statistic) * jnp.sqrt(chi_square) * se,
        se=se,
        chi_square=chi_square,
        log10_p=-log_p / math.log(10.0),
        failure=failure,
    )


def log_tail_probability(
    cumulant: Cumulant, sign: jax.Array, target: jax.Array, config: SaddlepointConfig
) -> tuple[jax.Array, jax.Array]:
    """Return ln P of one tail and its failure, [B] each (spec 6.6).

    Args:
        cumulant: of the lanes.
        sign: [] 1 for the tail below ``target``, -1 for the one above ``-target``.
        target: [B] not positive.
        config: stopping rules.
    """

    def excess(point: jax.Array) -> jax.Array:
        return sign * first_derivative(cumulant, sign * point) - target

    def step(search: TailSearch) -> TailSearch:
        curvature = second_derivative(cumulant, sign * search.point, config)
        newton = search.point - search.excess / curvature
        at_newton = excess(newton)
        found = jnp.abs(at_newton) < config.root_tolerance
        inside = (newton != 0.0) & (newton > search.lowest) & (newton < search.highest)
        point = jnp.where(inside | found, newton, search.lowest + 0.5 * (search.highest - search.lowest))
        settled = inside | found | ~search.running
        reached = lax.cond(jnp.all(settled), lambda: at_newton, lambda: jnp.where(settled, at_newton, excess(point)))
        # A curvature of NaN marks an exponent beyond the limit; one of 0, a function without a solution.
        lost = ~(curvature > 0.0)
        iteration = search.iteration + 1
        exhausted = ~lost & ~found & (iteration >= config.max_iterations)
        failure = jnp.select(
            [lost, exhausted],
            [SaddlepointFailure.EXPONENT_TOO_LARGE, SaddlepointFailure.NOT_CONVERGED],
            SaddlepointFailure.NONE,
        )
        moved = TailSearch(
            point=point,
            excess=reached,
            lowest=jnp.where(reached > 0.0, search.lowest, point),
            highest=jnp.where(reached > 0.0, point, search.highest),
            running=~(lost | found | exhausted),
            failure=failure.astype(jnp.int32),
            iteration=iteration,
        )
        return jax.tree.map(partial(jnp.where, search.running), moved, search)

    zeros = jnp.zeros_like(target)
    search = lax.while_loop(
        lambda search: jnp.any(search.running),
        step,
        TailSearch(
            point=zeros,
            excess=excess(zeros),
            lowest=jnp.full_like(target, -jnp.finfo(jnp.float64).max),
            highest=zeros,
            running=jnp.isfinite(target),
            failure=jnp.zeros(target.shape, dtype=jnp.int32),
            iteration=jnp.zeros(target.shape, dtype=jnp.int32),
        ),
    )
    root = search.point
    curvature = second_derivative(cumulant, sign * root, config)
    signed_root = jnp.sign(root) * jnp.sqrt(2.0 * (root * target - cumulant_value(cumulant, sign * root)))
    scaled_root = root * jnp.sqrt(curvature)
    shifted = signed_root + jnp.log(scaled_root / signed_root) / signed_root
    log_tail = jnp.where(scaled_root == 0.0, math.log(0.5), log_ndtr(shifted, series_order=TAIL_SERIES_TERMS))
    lost = (search.failure == SaddlepointFailure.NONE) & ~(curvature > 0.0)
    return log_tail, jnp.where(lost, SaddlepointFailure.EXPONENT_TOO_LARGE, search.failure).astype(jnp.int32)


def cumulant_value(cumulant: Cumulant, point: jax.Array) -> jax.Array:
    """Return the cumulant generating function at ``point`` [B]."""
    probabilities = cumulant.probabilities
    exponent = point[:, None] * cumulant.slope
    below_zero = jnp.log1p(probabilities * jnp.expm1(jnp.minimum(exponent, 0.0)))
    above_zero = exponent + jnp.log1p((1.0 - probabilities) * jnp.expm1(-jnp.maximum(exponent, 0.0)))
    total = jnp.sum(jnp.where(exponent > 0.0, above_zero, below_zero), axis=1)
    return total - point * cumulant.mean + 0.5 * point * point * cumulant.normal_variance


def first_derivative(cumulant: Cumulant, point: jax.Array) -> jax.Array:
    """Return its first derivative at ``point`` [B]."""
    probabilities, slope = cumulant.probabilities, cumulant.slope
    tilted = probabilities / (probabilities + (1.0 - probabilities) * jnp.exp(-point[:, None] * slope))
    return jnp.sum(slope * tilted, axis=1) - cumulant.mean + point * cumulant.normal_variance


def second_derivative(cumulant: Cumulant, point: jax.Array, config: SaddlepointConfig) -> jax.Array:
    """Return its second derivative at ``point`` [B], NaN where an exponent is beyond the limit."""
    probabilities, slope = cumulant.probabilities, cumulant.slope
    exponent = -point[:, None] * slope
    controls = (1.0 - probabilities) * jnp.exp(exponent)
    both = probabilities + controls
    total = jnp.sum(slope * slope * (probabilities / both) * (controls / both), axis=1) + cumulant.normal_variance
    return jnp.where(jnp.max(exponent, axis=1) > config.exponent_limit, jnp.nan, total)
