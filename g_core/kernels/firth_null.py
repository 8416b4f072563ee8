"""Null Firth fit: the penalised logistic regression on the covariates alone.

Belongs here: Newton and pseudo-data algorithms over all columns, and REGENIE's order of retries. Does not belong here:
the fit of a variant (firth_approximate.py).
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax import lax
from jax.scipy.linalg import cho_factor, cho_solve, solve_triangular

from g_core.kernels.logistic_null import NullStatus
from g_core.kernels.probability import deviance, information_weights, probability
from g_core.kernels.sample_sums import weighted_gram
from g_core.kernels.settings import FirthNullConfig, ProbabilityConfig

FloatArray = npt.NDArray[np.float64]


class FirthNullAlgorithm(StrEnum):
    """Which algorithm ended the fit."""

    NEWTON = "newton"
    PSEUDO_DATA = "pseudo_data"


@dataclass(frozen=True, slots=True)
class FirthNullFit:
    """A null Firth fit of one trait on one chromosome.

    Attributes:
        coefficients: [K] on the basis.
        linear_predictor: [C] offset + basis @ coefficients: the offset of the variants' fits.
        status: when not converged the arrays hold the last state and mean nothing.
        algorithm: of the last run.
        trial: 0 for the first.
        iterations: of the last run.
    """

    coefficients: FloatArray
    linear_predictor: FloatArray
    status: NullStatus
    algorithm: FirthNullAlgorithm
    trial: int
    iterations: int


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class FirthPoint:
    """The penalised likelihood at one point.

    Attributes:
        linear_predictor: [C].
        probabilities: [C].
        penalised_deviance: [] deviance minus log det of the information.
        information_factor: [K, K] lower Cholesky factor of the information.
        score: [K] modified score.
        pseudo_cases: [C] y + h (1/2 - p).
    """

    linear_predictor: jax.Array
    probabilities: jax.Array
    penalised_deviance: jax.Array
    information_factor: jax.Array
    score: jax.Array
    pseudo_cases: jax.Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class FirthRun:
    """State of one run between iterations; ``strikes`` counts score increases (Newton) or stalls (pseudo-data)."""

    coefficients: jax.Array
    compared_score: jax.Array
    strikes: jax.Array
    iteration: jax.Array
    converged: jax.Array
    failed: jax.Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class NewtonState:
    """State of Newton between evaluations: ``run.coefficients`` are accepted, ``step`` from there is under trial."""

    run: FirthRun
    step: jax.Array
    evaluations: jax.Array
    accepted_deviance: jax.Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class FirthData:
    """What a run is fitted to.

    Attributes:
        cases: [C] 0/1.
        basis: [C, K], padding rows 0.
        offset: [C].
        present: [C] bool.
    """

    cases: jax.Array
    basis: jax.Array
    offset: jax.Array
    present: jax.Array


def fit_firth_null(
    cases: FloatArray,
    basis: FloatArray,
    offset: FloatArray,
    present: npt.NDArray[np.bool_],
    start: FloatArray,
    *,
    start_is_stored: bool,
    config: FirthNullConfig,
    probability_config: ProbabilityConfig,
) -> FirthNullFit:
    """Fit with up to four trials, each Newton then pseudo-data (spec 6.2, REGENIE fit_approx_firth_null).

    Trial 0 starts at ``start``; trials 1 and 2 at 0 with the first coefficient minus the mean offset, and from trial 2
    on the step is smaller and the iterations more; the last starts at ``start`` again without the early-failure checks.
    Stored coefficients are where every trial starts.

    Args:
        cases: [C] 0/1.
        basis: [C, K], padding rows 0.
        offset: [C] predictions on the logit scale.
        present: [C].
        start: [K] coefficients of the null logistic fit, or stored ones.
        start_is_stored: ``start`` comes from a file (``--use-null-firth``), so that no trial starts elsewhere.
        config: stopping rules.
        probability_config: clamps.
    """
    data = FirthData(*(jax.device_put(array) for array in (cases, basis, offset, present)))
    common = {"config": config, "probability_config": probability_config}
    centred_start = np.zeros_like(start)
    centred_start[0] = -float(np.where(present, offset, 0.0).sum()) / max(int(present.sum()), 1)
    max_step, max_iterations = config.max_step, config.max_iterations
    trials = config.trials if config.retry else 1
    run = initial_run(start)
    trial, algorithm = 0, FirthNullAlgorithm.NEWTON
    for trial in range(trials):
        is_last_resort = trial > 0 and trial == config.trials - 1
        origin = start if trial == 0 or is_last_resort or start_is_stored else centred_start
        algorithm = FirthNullAlgorithm.NEWTON
        run = firth_newton(data, jax.device_put(origin), max_step, max_iterations, not is_last_resort, **common)
        if bool(run.converged) or not config.retry:
            break
        algorithm = FirthNullAlgorithm.PSEUDO_DATA
        run = firth_pseudo_data(data, run.coefficients, max_iterations, not is_last_resort, **common)
        if bool(run.converged):
            break
        if trial == 1:
            max_step /= config.retry_step_divisor
            max_iterations *= config.retry_iteration_factor
    coefficients = np.asarray(run.coefficients)
    return FirthNullFit(
        coefficients=coefficients,
        linear_predictor=offset + basis @ coefficients,
        status=NullStatus.CONVERGED if bool(run.converged) else NullStatus.NOT_CONVERGED,
        algorithm=algorithm,
        trial=trial,
        iterations=int(run.iteration),
    )


def evaluate_firth(coefficients: jax.Array, data: FirthData, probability_config: ProbabilityConfig) -> FirthPoint:
    """Evaluate the penalised likelihood at ``coefficients`` [K] (spec 6.1)."""
    linear_predictor = data.offset + data.basis @ coefficients
    probabilities = probability(linear_predictor, probability_config)
    weights = information_weights(probabilities, data.present)
    # Not positive definite gives NaN, which no comparison accepts: the run fails.
    factor = jnp.linalg.cholesky(weighted_gram(data.basis, weights))
    inverse_factor = solve_triangular(factor, jnp.eye(factor.shape[0]), lower=True)
    # The sum runs along rows: XLA's sum over the leading axis rounds differently for one thread and for several.
    hat = weights * jnp.sum((data.basis @ inverse_factor.T) ** 2, axis=1)
    pseudo_cases = data.cases + hat * (0.5 - probabilities)
    return FirthPoint(
        linear_predictor=linear_predictor,
        probabilities=probabilities,
        penalised_deviance=deviance(data.cases, probabilities, data.present)
        - 2.0 * jnp.sum(jnp.log(jnp.diagonal(factor))),
        information_factor=factor,
        score=data.basis.T @ jnp.where(data.present, pseudo_cases - probabilities, 0.0),
        pseudo_cases=pseudo_cases,
    )


def initial_run(coefficients: FloatArray | jax.Array) -> FirthRun:
    """Return the state before the first iteration, at ``coefficients`` [K]."""
    return FirthRun(
        coefficients=jax.device_put(coefficients),
        compared_score=jax.device_put(np.float64(np.inf)),
        strikes=jax.device_put(np.int64(0)),
        iteration=jax.device_put(np.int64(0)),
        converged=jax.device_put(np.bool_(False)),
        failed=jax.device_put(np.bool_(False)),
    )


@partial(jax.jit, static_argnames=("config", "probability_config"))
def firth_newton(
    data: FirthData,
    start: jax.Array,
    max_step: jax.Array,
    max_iterations: jax.Array,
    check_increase: jax.Array,
    *,
    config: FirthNullConfig,
    probability_config: ProbabilityConfig,
) -> FirthRun:
    """Newton with step halving (spec 6.2, REGENIE fit_firth_nr).

    An accepted trial point is the point of the next iteration, so it is evaluated once.

    Args:
        data: of the trait.
        start: [K].
        max_step: [] largest change of a coefficient.
        max_iterations: [].
        check_increase: [] bool, whether a growing score ends the run.
        config: the other stopping rules.
        probability_config: clamps.
    """

    def turn(state: NewtonState) -> NewtonState:
        trial = state.run.coefficients + state.step
        point = evaluate_firth(trial, data, probability_config)
        arrived = point.penalised_deviance < state.accepted_deviance
        iteration = state.run.iteration + arrived
        largest_score = jnp.max(jnp.abs(point.score))
        exhausted = arrived & (iteration > max_iterations)
        converged = arrived & ~exhausted & (largest_score < config.score_tolerance) & (iteration >= 2)
        increases = jnp.where(largest_score > state.run.compared_score, state.run.strikes + 1, 0)
        climbs = arrived & ~converged & check_increase & (increases > config.max_score_increases)
        refused = ~arrived & (state.evaluations >= config.max_step_evaluations)
        step = cho_solve((point.information_factor, True), point.score)
        step = step / jnp.maximum(jnp.max(jnp.abs(step)) / max_step, 1.0)
        return NewtonState(
            run=FirthRun(
                coefficients=jnp.where(arrived, trial, state.run.coefficients),
                compared_score=jnp.where(arrived, largest_score, state.run.compared_score),
                strikes=jnp.where(arrived, increases, state.run.strikes),
                iteration=iteration,
                converged=converged,
                failed=exhausted | climbs | refused,
            ),
            step=jnp.where(arrived, step, state.step / 2.0),
            evaluations=jnp.where(arrived, 1, state.evaluations + 1),
            accepted_deviance=jnp.where(arrived, point.penalised_deviance, state.accepted_deviance),
        )

    beginning = NewtonState(
        run=initial_run(start),
        step=jnp.zeros_like(start),
        evaluations=jnp.asarray(1),
        accepted_deviance=jnp.asarray(jnp.inf),
    )
    return lax.while_loop(lambda state: ~(state.run.converged | state.run.failed), turn, beginning).run


@partial(jax.jit, static_argnames=("config", "probability_config"))
def firth_pseudo_data(
    data: FirthData,
    start: jax.Array,
    max_iterations: jax.Array,
    check_early: jax.Array,
    *,
    config: FirthNullConfig,
    probability_config: ProbabilityConfig,
) -> FirthRun:
    """Unpenalised fits to pseudo-data y + h (1/2 - p), renewed until the score is small (spec 6.5, fit_firth_pseudo).

    Args:
        data: of the trait.
        start: [K].
        max_iterations: [].
        check_early: [] bool, whether the signs of divergence end the run.
        config: the other stopping rules.
        probability_config: clamps.
    """
    columns = data.basis

    def reweight(
        state: tuple[jax.Array, jax.Array, jax.Array, jax.Array, jax.Array, jax.Array], pseudo_cases: jax.Array
    ) -> tuple[jax.Array, jax.Array, jax.Array, jax.Array, jax.Array, jax.Array]:
        coefficients, linear_predictor, probabilities, inner, _, _ = state
        weights = information_weights(probabilities, data.present)
        vanished = jnp.any(weights == 0.0)
        used_weights = jnp.where(data.present, weights, 0.0)
        working = linear_predictor - data.offset + (pseudo_cases - probabilities) / weights
        updated = cho_solve(
            cho_factor(weighted_gram(columns, used_weights)),
            columns.T @ (used_weights * jnp.where(data.present, working, 0.0)),
        )
        linear_predictor = data.offset + columns @ updated
        probabilities = probability(linear_predictor, probability_config)
        score = columns.T @ jnp.where(data.present, pseudo_cases - probabilities, 0.0)
        done = jnp.max(jnp.abs(score)) < config.score_tolerance
        return jnp.where(vanished, coefficients, updated), linear_predictor, probabilities, inner + 1, done, vanished

    def iterate(run: FirthRun) -> FirthRun:
        iteration = run.iteration + 1
        point = evaluate_firth(run.coefficients, data, probability_config)
        largest_score = jnp.max(jnp.abs(point.score))
        exhausted = iteration > max_iterations
        converged = ~exhausted & (largest_score < config.score_tolerance) & (iteration >= 2)
        diverges = (
            ((iteration > 2) & (jnp.abs(run.coefficients[0]) > config.pseudo_first_coefficient_limit))
            | (run.strikes > config.pseudo_max_stalls)
            | (
                (iteration > config.pseudo_late_iterations)
                & (
                    (largest_score > config.pseudo_late_score_limit)
                    | (jnp.max(jnp.abs(run.coefficients)) > config.pseudo_late_coefficient_limit)
                )
            )
        )
        failed = ~converged & (exhausted | (check_early & diverges) | jnp.isnan(largest_score))
        ended = converged | failed
        coefficients, _, _, _, _, vanished = lax.while_loop(
            lambda state: ~ended & ~state[4] & ~state[5] & (state[3] < config.pseudo_inner_iterations),
            lambda state: reweight(state, point.pseudo_cases),
            (
                run.coefficients,
                point.linear_predictor,
                point.probabilities,
                jnp.asarray(0),
                jnp.asarray(False),
                jnp.asarray(False),
            ),
        )
        improved = largest_score < run.compared_score
        return FirthRun(
            coefficients=coefficients,
            compared_score=jnp.where(improved, largest_score, run.compared_score),
            strikes=jnp.where(improved, 0, run.strikes + 1),
            iteration=iteration,
            converged=converged,
            failed=failed | vanished,
        )

    return lax.while_loop(lambda run: ~(run.converged | run.failed), iterate, initial_run(start))
