"""What a fit of the exact Firth test does after each evaluation of its likelihood.

Belongs here: REGENIE's two algorithms for many coefficients and the order in which the fit without the variant and the
fit with it use them, as decisions of one lane (vmapped). REGENIE stops loosely, so its digits depend on the sequence of
iterations: the order of the checks is the specification. Does not belong here: anything that touches samples
(firth_exact.py).

In the fit without the variant its coefficient stays 0, but information, hat values and penalty are those of the whole
design.
"""

from dataclasses import dataclass, replace

import jax
import jax.numpy as jnp
from jax.scipy.linalg import cho_solve

from g_core.kernels.firth_approximate import PseudoDataFailure
from g_core.kernels.firth_exact import FirthExactFits, FirthExactPhase, FirthExactPoint
from g_core.kernels.settings import FirthExactConfig


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class FitRules:
    """The stopping rules of the fit that a lane is in.

    Attributes:
        free: [J] bool, coefficients that move.
        with_variant: [] bool.
        score_tolerance: [].
        max_step: [].
        max_iterations: [].
    """

    free: jax.Array
    with_variant: jax.Array
    score_tolerance: jax.Array
    max_step: jax.Array
    max_iterations: jax.Array


def decide_exact(
    fit: FirthExactFits, point: FirthExactPoint, start: jax.Array, config: FirthExactConfig
) -> FirthExactFits:
    """Move one lane on by one evaluation; a final one stays as it is. Fields have no lane axis here.

    Args:
        fit: before the turn.
        point: at ``fit.trial``.
        start: [K] coefficients of the covariates' own Firth fit.
        config: stopping rules.
    """
    rules = fit_rules(fit, config)
    is_pseudo_data = (fit.phase == FirthExactPhase.NULL_PSEUDO_DATA) | (fit.phase == FirthExactPhase.PSEUDO_DATA)
    is_final = fit.phase >= FirthExactPhase.CONVERGED_PSEUDO_DATA
    moved = choose(
        is_pseudo_data,
        decide_exact_pseudo_data(fit, point, rules, start, config),
        decide_exact_newton(fit, point, rules, config),
    )
    return choose(is_final, fit, moved)


def fit_rules(fit: FirthExactFits, config: FirthExactConfig) -> FitRules:
    """Return the rules of the lane's phase."""
    with_variant = fit.phase >= FirthExactPhase.PSEUDO_DATA
    n_coefficients = fit.trial.shape[0]
    return FitRules(
        free=with_variant | (jnp.arange(n_coefficients) < n_coefficients - 1),
        with_variant=with_variant,
        score_tolerance=jnp.where(with_variant, config.score_tolerance, config.null_score_tolerance),
        max_step=jnp.where(with_variant, config.max_step, config.null_max_step),
        max_iterations=jnp.where(with_variant, config.max_iterations, config.null_max_iterations),
    )


def choose(condition: jax.Array, yes: FirthExactFits, no: FirthExactFits) -> FirthExactFits:
    """Return ``yes`` where ``condition`` [], else ``no``."""
    return jax.tree.map(lambda left, right: jnp.where(condition, left, right), yes, no)


def begin(fit: FirthExactFits, phase: FirthExactPhase, coefficients: jax.Array) -> FirthExactFits:
    """Return the lane before the first iteration of an algorithm at ``coefficients`` [J]."""
    return replace(
        fit,
        phase=jnp.asarray(phase, dtype=jnp.int32),
        trial=coefficients,
        iteration=jnp.zeros_like(fit.iteration),
        inner=jnp.zeros_like(fit.inner),
        compared_score=jnp.asarray(jnp.inf),
        strikes=jnp.zeros_like(fit.strikes),
        origin=coefficients,
        step=jnp.zeros_like(fit.step),
        accepted_deviance=jnp.asarray(jnp.inf),
        forced=jnp.asarray(False),
    )


def solve_free(information: jax.Array, score: jax.Array, free: jax.Array) -> jax.Array:
    """Return the step that solves ``information`` [J, J] for ``score`` [J] over the free coefficients, 0 elsewhere."""
    both_free = free[:, None] & free[None, :]
    restricted = jnp.where(both_free, information, jnp.eye(free.shape[0]))
    return cho_solve((jnp.linalg.cholesky(restricted), True), jnp.where(free, score, 0.0))


def largest(score: jax.Array, free: jax.Array) -> jax.Array:
    """Return the largest size among the free elements of ``score`` [J]."""
    return jnp.max(jnp.abs(jnp.where(free, score, 0.0)))


def null_solved(fit: FirthExactFits) -> FirthExactFits:
    """The fit without the variant has converged at ``fit.trial``: the fit with it begins there."""
    return replace(begin(fit, FirthExactPhase.PSEUDO_DATA, fit.trial), null_coefficients=fit.trial)


def decide_exact_pseudo_data(
    fit: FirthExactFits, point: FirthExactPoint, rules: FitRules, start: jax.Array, config: FirthExactConfig
) -> FirthExactFits:
    """Unpenalised steps on pseudo-data held fixed, then new pseudo-data (REGENIE fit_firth_pseudo, many columns).

    The end of the inner steps and the top of the next outer iteration look at the same coefficients, so both are
    decided in one turn.

    Args:
        fit: before the turn.
        point: at ``fit.trial``.
        rules: of the phase.
        start: [K], for a Newton run that cannot start where this run stopped.
        config: stopping rules.
    """
    starting = fit.iteration == 0
    inner_score = point.score + fit.fixed_correction
    outer_score = point.score + point.correction
    inner_done = (largest(inner_score, rules.free) < rules.score_tolerance) | (
        fit.inner >= config.pseudo_inner_iterations
    )
    outer = starting | inner_done
    iteration = fit.iteration + outer
    largest_score = largest(outer_score, rules.free)
    null_deviance = jnp.where(starting & rules.with_variant, point.penalised_deviance, fit.null_deviance)
    likelihood_ratio = null_deviance - point.penalised_deviance

    exhausted = outer & (iteration > rules.max_iterations)
    stops = outer & ~exhausted & (largest_score < rules.score_tolerance) & (iteration >= 2)
    negative = stops & rules.with_variant & ~(likelihood_ratio >= 0.0)
    late = (largest_score > config.pseudo_late_score_limit) | (
        jnp.max(jnp.abs(fit.trial)) > config.pseudo_late_coefficient_limit
    )
    diverges = (
        ((iteration > 2) & (jnp.abs(fit.trial[0]) > config.pseudo_first_coefficient_limit))
        | (fit.strikes > config.pseudo_max_stalls)
        | ((iteration > config.pseudo_late_iterations) & late)
    )
    score = jnp.where(outer, outer_score, inner_score)
    singular = ~jnp.isfinite(largest(score, rules.free))
    failure = jnp.select(
        [singular, exhausted | (outer & ~stops & diverges), negative],
        [
            PseudoDataFailure.NO_INFORMATION,
            PseudoDataFailure.NOT_CONVERGED,
            PseudoDataFailure.NEGATIVE_LIKELIHOOD_RATIO,
        ],
        PseudoDataFailure.NONE,
    ).astype(jnp.int32)
    failed = failure != PseudoDataFailure.NONE

    improved = largest_score < fit.compared_score
    step = solve_free(point.present_information, score, rules.free)
    moved = replace(
        fit,
        trial=fit.trial + step,
        iteration=iteration.astype(jnp.int32),
        inner=jnp.where(outer, 1, fit.inner + 1).astype(jnp.int32),
        compared_score=jnp.where(outer & improved, largest_score, fit.compared_score),
        strikes=jnp.where(outer, jnp.where(improved, 0, fit.strikes + 1), fit.strikes).astype(jnp.int32),
        fixed_correction=jnp.where(outer, point.correction, fit.fixed_correction),
        null_deviance=null_deviance,
    )
    solved = replace(
        moved,
        phase=jnp.asarray(FirthExactPhase.CONVERGED_PSEUDO_DATA, dtype=jnp.int32),
        beta=fit.trial[-1],
        se=jnp.sqrt(point.genotype_variance),
        likelihood_ratio=likelihood_ratio,
    )
    # Where the run left no number at all there is nothing to start from either.
    too_far = (jnp.abs(fit.trial[0]) > config.null_restart_coefficient_limit) | ~jnp.all(jnp.isfinite(fit.trial))
    null_fallback = begin(fit, FirthExactPhase.NULL_NEWTON, jnp.where(too_far, jnp.append(start, 0.0), fit.trial))
    fallback = replace(
        begin(fit, FirthExactPhase.NEWTON, fit.null_coefficients),
        null_deviance=null_deviance,
        pseudo_data_failure=failure,
    )
    after = choose(stops, choose(rules.with_variant, solved, null_solved(fit)), moved)
    return choose(failed, choose(rules.with_variant, fallback, null_fallback), after)


def decide_exact_newton(
    fit: FirthExactFits, point: FirthExactPoint, rules: FitRules, config: FirthExactConfig
) -> FirthExactFits:
    """Newton with step halving (REGENIE fit_firth_nr); without the variant it steps with the covariates' block.

    An accepted trial point is the point of the next iteration, so it is evaluated once. A step that no halving made
    acceptable ends the fit without the variant; the fit with it takes the step all the same, nudged.

    Args:
        fit: before the turn.
        point: at ``fit.trial``.
        rules: of the phase.
        config: stopping rules.
    """
    arrived = fit.forced | (point.penalised_deviance < fit.accepted_deviance)
    iteration = fit.iteration + arrived
    score = point.score + point.correction
    largest_score = largest(score, rules.free)
    likelihood_ratio = fit.null_deviance - point.penalised_deviance

    exhausted = arrived & (iteration > rules.max_iterations)
    stops = arrived & ~exhausted & (largest_score < rules.score_tolerance) & (iteration >= 2)
    negative = stops & rules.with_variant & ~(likelihood_ratio >= 0.0)
    increases = jnp.where(largest_score > fit.compared_score, fit.strikes + 1, 0)
    climbs = arrived & ~stops & ~rules.with_variant & (increases > config.null_max_score_increases)
    out_of_steps = ~arrived & (fit.inner >= config.max_step_evaluations)
    singular = (arrived & ~jnp.isfinite(largest_score)) | (~arrived & (fit.iteration == 0))
    failed = exhausted | negative | climbs | singular | (out_of_steps & ~rules.with_variant)

    step = solve_free(point.information, score, rules.free)
    step = step / jnp.maximum(jnp.max(jnp.abs(step)) / rules.max_step, 1.0)
    at_point = replace(
        fit,
        trial=fit.trial + step,
        iteration=iteration.astype(jnp.int32),
        inner=jnp.ones_like(fit.inner),
        compared_score=largest_score,
        strikes=increases.astype(jnp.int32),
        origin=fit.trial,
        step=step,
        accepted_deviance=point.penalised_deviance,
        forced=jnp.asarray(False),
    )
    halved = replace(fit, trial=fit.origin + fit.step / 2.0, inner=fit.inner + 1, step=fit.step / 2.0)
    nudged = replace(fit, trial=fit.trial.at[0].add(config.newton_nudge), forced=jnp.asarray(True))
    solved = replace(
        at_point,
        phase=jnp.asarray(FirthExactPhase.CONVERGED_NEWTON, dtype=jnp.int32),
        beta=fit.trial[-1],
        se=jnp.sqrt(point.genotype_variance),
        likelihood_ratio=likelihood_ratio,
    )
    after = choose(arrived, at_point, choose(out_of_steps, nudged, halved))
    after = choose(stops, choose(rules.with_variant, solved, null_solved(fit)), after)
    return choose(failed, replace(after, phase=jnp.asarray(FirthExactPhase.FAILED, dtype=jnp.int32)), after)
