"""Null logistic regression with an offset.

Belongs here: one attempt of REGENIE's reweighted least squares, and the sequence of attempts. Does not belong here: the
score test made from it (score.py), the penalised fit (firth_null.py).
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax import lax
from jax.scipy.linalg import cho_factor, cho_solve

from g_core.kernels.probability import deviance, information_weights, probability
from g_core.kernels.sample_sums import weighted_gram
from g_core.kernels.settings import LogisticNullConfig, ProbabilityConfig

FloatArray = npt.NDArray[np.float64]


class NullStatus(StrEnum):
    """How a null fit ended."""

    CONVERGED = "converged"
    NOT_CONVERGED = "not_converged"


@dataclass(frozen=True, slots=True)
class LogisticNullFit:
    """A null logistic fit of one trait on one chromosome.

    Attributes:
        coefficients: [K] on the basis.
        linear_predictor: [C].
        probabilities: [C].
        status: when not converged the arrays hold the last state and mean nothing.
        iterations: over all attempts.
    """

    coefficients: FloatArray
    linear_predictor: FloatArray
    probabilities: FloatArray
    status: NullStatus
    iterations: int


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class AttemptState:
    """State of an attempt between iterations; ``coefficients`` are the last accepted, the rest the last evaluated."""

    coefficients: jax.Array
    linear_predictor: jax.Array
    probabilities: jax.Array
    deviance: jax.Array
    iteration: jax.Array
    was_near: jax.Array
    converged: jax.Array
    failed: jax.Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class StepTrial:
    """State of the halving of one step."""

    proposal: jax.Array
    linear_predictor: jax.Array
    probabilities: jax.Array
    deviance: jax.Array
    evaluations: jax.Array
    accepted: jax.Array


def fit_logistic_null(
    cases: FloatArray,
    basis: FloatArray,
    offset: FloatArray,
    present: npt.NDArray[np.bool_],
    *,
    has_predictions: bool,
    config: LogisticNullConfig,
    probability_config: ProbabilityConfig,
) -> LogisticNullFit:
    """Fit P(case) on the covariates with a fixed offset (spec 5.2, REGENIE fit_null_logistic).

    Attempts in order: with the deviance required to fall; without, from the state reached; then, with predictions, a
    fit without the offset from p = (y + 1/2) / 2 whose coefficients start the same two attempts again.

    Args:
        cases: [C] 0/1.
        basis: [C, K], rows of absent samples 0.
        offset: [C] predictions on the logit scale.
        present: [C] False for padding and masked samples.
        has_predictions: whether the start without an offset is tried.
        config: stopping rules.
        probability_config: clamps.
    """
    coefficients = np.zeros(basis.shape[1])
    no_offset = np.zeros_like(offset)
    state, iterations = run_attempts(
        cases, basis, offset, present, (coefficients, offset), config=config, probability_config=probability_config
    )
    if bool(state.failed) and has_predictions:
        weight = config.retry_case_weight
        case_probability = (cases + weight) / (1.0 + 2.0 * weight)
        linear_predictor = np.log(case_probability / (1.0 - case_probability))
        start, more = run_attempts(
            cases,
            basis,
            no_offset,
            present,
            (coefficients, linear_predictor),
            config=config,
            probability_config=probability_config,
        )
        iterations += more
        if bool(start.converged):
            coefficients = np.asarray(start.coefficients)
            state, more = run_attempts(
                cases,
                basis,
                offset,
                present,
                (coefficients, offset + basis @ coefficients),
                config=config,
                probability_config=probability_config,
            )
            iterations += more
    return LogisticNullFit(
        coefficients=np.asarray(state.coefficients),
        linear_predictor=np.asarray(state.linear_predictor),
        probabilities=np.asarray(state.probabilities),
        status=NullStatus.CONVERGED if bool(state.converged) else NullStatus.NOT_CONVERGED,
        iterations=iterations,
    )


def run_attempts(
    cases: FloatArray,
    basis: FloatArray,
    offset: FloatArray,
    present: npt.NDArray[np.bool_],
    start: tuple[FloatArray, FloatArray],
    *,
    config: LogisticNullConfig,
    probability_config: ProbabilityConfig,
) -> tuple[AttemptState, int]:
    """Attempt with the deviance check and, on failure, without it from the state reached; returns also iterations.

    Args:
        cases: [C].
        basis: [C, K].
        offset: [C].
        present: [C].
        start: coefficients [K] and linear predictor [C].
        config: stopping rules.
        probability_config: clamps.
    """
    coefficients, linear_predictor = (jax.device_put(array) for array in start)
    attempt = partial(
        logistic_attempt, cases, basis, offset, present, config=config, probability_config=probability_config
    )
    checked = attempt(coefficients, linear_predictor, True)
    if bool(checked.converged):
        return checked, int(checked.iteration)
    unchecked = attempt(checked.coefficients, checked.linear_predictor, False)
    return unchecked, int(checked.iteration) + int(unchecked.iteration)


@partial(jax.jit, static_argnames=("config", "probability_config"))
def logistic_attempt(
    cases: jax.Array,
    basis: jax.Array,
    offset: jax.Array,
    present: jax.Array,
    coefficients: jax.Array,
    linear_predictor: jax.Array,
    check_deviance: jax.Array,
    *,
    config: LogisticNullConfig,
    probability_config: ProbabilityConfig,
) -> AttemptState:
    """Iterate reweighted least squares with step halving (spec 5.2 steps 1 to 6, REGENIE fit_logistic).

    Args:
        cases: [C].
        basis: [C, K].
        offset: [C].
        present: [C].
        coefficients: [K] start.
        linear_predictor: [C] start; not necessarily that of the coefficients.
        check_deviance: [] bool, whether a step must make the deviance fall.
        config: stopping rules.
        probability_config: clamps.
    """

    def try_proposal(accepted_coefficients: jax.Array, old_deviance: jax.Array, trial: StepTrial) -> StepTrial:
        halved = (accepted_coefficients + trial.proposal) / 2.0
        proposal = jnp.where(trial.evaluations > 0, halved, trial.proposal)
        predictor = offset + basis @ proposal
        probabilities = probability(predictor, probability_config)
        new_deviance = deviance(cases, probabilities, present)
        inside = jnp.all((probabilities > 0.0) & (probabilities < 1.0) | ~present)
        return StepTrial(
            proposal=proposal,
            linear_predictor=predictor,
            probabilities=probabilities,
            deviance=new_deviance,
            evaluations=trial.evaluations + 1,
            accepted=inside & (~check_deviance | (new_deviance < old_deviance)),
        )

    def iterate(state: AttemptState) -> AttemptState:
        weights = information_weights(state.probabilities, present)
        used_weights = jnp.where(present, weights, 0.0)
        residual = (cases - state.probabilities) / weights
        response = jnp.where(present, state.linear_predictor - offset + residual, 0.0)
        proposal = cho_solve(cho_factor(weighted_gram(basis, used_weights)), basis.T @ (used_weights * response))
        trial = lax.while_loop(
            lambda trial: ~trial.accepted & (trial.evaluations < config.max_step_evaluations),
            lambda trial: try_proposal(state.coefficients, state.deviance, trial),
            StepTrial(
                proposal=proposal,
                linear_predictor=state.linear_predictor,
                probabilities=state.probabilities,
                deviance=state.deviance,
                evaluations=jnp.asarray(0),
                accepted=jnp.asarray(False),
            ),
        )
        iteration = state.iteration + 1
        score = jnp.max(jnp.abs(basis.T @ jnp.where(present, cases - trial.probabilities, 0.0)))
        converged = trial.accepted & (score < config.score_tolerance)
        was_near = state.was_near | ((iteration < config.near_iterations) & (score < config.near_score))
        went_away = was_near & (iteration > config.near_iterations) & (score > config.away_score)
        relative_change = jnp.abs(trial.deviance - state.deviance) / (0.1 + jnp.abs(trial.deviance))
        last_iteration = iteration >= config.max_iterations
        settled = (relative_change > 0.0) & (relative_change < config.deviance_tolerance)
        converged = converged | (trial.accepted & ~went_away & last_iteration & settled)
        failed = ~trial.accepted | jnp.any(weights == 0.0) | (~converged & (went_away | last_iteration))
        return AttemptState(
            coefficients=jnp.where(trial.accepted, trial.proposal, state.coefficients),
            linear_predictor=trial.linear_predictor,
            probabilities=trial.probabilities,
            deviance=trial.deviance,
            iteration=iteration,
            was_near=was_near,
            converged=converged & ~failed,
            failed=failed,
        )

    probabilities = probability(linear_predictor, probability_config)
    return lax.while_loop(
        lambda state: ~(state.converged | state.failed),
        iterate,
        AttemptState(
            coefficients=coefficients,
            linear_predictor=linear_predictor,
            probabilities=probabilities,
            deviance=deviance(cases, probabilities, present),
            iteration=jnp.asarray(0),
            was_near=jnp.asarray(False),
            converged=jnp.asarray(False),
            failed=jnp.asarray(False),
        ),
    )
