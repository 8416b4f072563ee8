"""What a fit of the approximate Firth test does after each evaluation of its likelihood.

Belongs here: REGENIE's two algorithms for one coefficient, as scalar decisions on every lane. REGENIE stops loosely (a
score below 2.5e-4), so its digits depend on the sequence of iterations and not on the optimum alone: the order of the
checks is the specification. Does not belong here: anything that touches samples (firth_approximate.py).
"""

from dataclasses import replace
from functools import partial

import jax
import jax.numpy as jnp

from g_core.kernels.firth_approximate import FirthLanes, FirthPhase, LikelihoodSums, PseudoDataFailure, select_lanes
from g_core.kernels.settings import FirthApproximateConfig


def decide(lanes: FirthLanes, sums: LikelihoodSums, config: FirthApproximateConfig) -> FirthLanes:
    """Move every running lane on by one evaluation (spec 6.3 steps A and B).

    Args:
        lanes: before the turn.
        sums: at ``lanes.trial``.
        config: stopping rules.
    """
    null = jax.tree.map(partial(jnp.where, lanes.phase == FirthPhase.START), sums, lanes.null)
    pseudo = decide_pseudo_data(lanes, null, sums, config)
    newton = decide_newton(lanes, null, sums, config)
    restarted = start_newton(pseudo, config)
    lanes_after = select_lanes(lanes.phase == FirthPhase.NEWTON, newton, lanes, lanes.genotype)
    in_pseudo = lanes.phase <= FirthPhase.PSEUDO_DATA
    lanes_after = select_lanes(in_pseudo, pseudo, lanes_after, lanes.genotype)
    falls_back = in_pseudo & (pseudo.pseudo_data_failure != PseudoDataFailure.NONE)
    return select_lanes(falls_back, restarted, lanes_after, lanes.genotype)


def clipped(step: jax.Array, config: FirthApproximateConfig) -> jax.Array:
    """Return ``step`` [B] limited to the largest step in size."""
    return jnp.clip(step, -config.max_step, config.max_step)


def decide_pseudo_data(
    lanes: FirthLanes, null: LikelihoodSums, sums: LikelihoodSums, config: FirthApproximateConfig
) -> FirthLanes:
    """Step A: Newton steps on pseudo-data held fixed, then new pseudo-data (REGENIE fit_firth_pseudo, one column).

    The end of the inner steps and the top of the next outer iteration look at the same coefficient, so both are decided
    in one turn.

    Args:
        lanes: before the turn.
        null: sums at coefficient 0.
        sums: at ``lanes.trial``.
        config: stopping rules.
    """
    starting = lanes.phase == FirthPhase.START
    inner_score = sums.score + lanes.fixed_correction
    inner_done = (jnp.abs(inner_score) < config.score_tolerance) | (lanes.inner >= config.pseudo_inner_iterations)
    outer = starting | inner_done
    iteration = lanes.iteration + outer
    outer_score = sums.score + sums.correction

    exhausted = outer & (iteration > lanes.iteration_limit)
    converged = outer & ~exhausted & (jnp.abs(outer_score) < config.score_tolerance) & (iteration >= 2)
    likelihood_ratio = null.penalised_deviance - sums.penalised_deviance
    negative = converged & ~(likelihood_ratio >= 0.0)
    remembered = jnp.where(outer & (iteration == config.pseudo_drift_iteration), lanes.trial, lanes.remembered)
    drifted = (
        outer
        & ~converged
        & (iteration == config.pseudo_drift_iteration + 1)
        & (jnp.abs(lanes.trial - remembered) > config.pseudo_drift_limit)
    )
    step = jnp.where(outer, outer_score, inner_score) / sums.information
    step_grew = ~outer & (jnp.abs(step) > lanes.step)
    no_information = ~(sums.information > 0.0) | ~jnp.isfinite(sums.penalised_deviance)

    failure = jnp.select(
        [no_information, exhausted | drifted, negative, step_grew],
        [
            PseudoDataFailure.NO_INFORMATION,
            PseudoDataFailure.NOT_CONVERGED,
            PseudoDataFailure.NEGATIVE_LIKELIHOOD_RATIO,
            PseudoDataFailure.STEP_GREW,
        ],
        PseudoDataFailure.NONE,
    )
    return replace(
        lanes,
        phase=jnp.where(converged, FirthPhase.CONVERGED_PSEUDO_DATA, FirthPhase.PSEUDO_DATA).astype(jnp.int32),
        trial=lanes.trial + clipped(step, config),
        null=null,
        iteration=iteration.astype(jnp.int32),
        inner=jnp.where(outer, 1, lanes.inner + 1).astype(jnp.int32),
        step=jnp.abs(step),
        fixed_correction=jnp.where(outer, sums.correction, lanes.fixed_correction),
        remembered=remembered,
        beta=lanes.trial,
        information=sums.information,
        likelihood_ratio=likelihood_ratio,
        pseudo_data_failure=failure.astype(jnp.int32),
    )


def start_newton(lanes: FirthLanes, config: FirthApproximateConfig) -> FirthLanes:
    """Step B from coefficient 0: its first iteration, from the sums kept from there.

    A genotype without information at 0 has none anywhere; it fails at once.
    """
    step = clipped((lanes.null.score + lanes.null.correction) / lanes.null.information, config)
    hopeless = ~jnp.isfinite(step) | ~jnp.isfinite(lanes.null.penalised_deviance)
    return replace(
        lanes,
        phase=jnp.where(hopeless, FirthPhase.FAILED, FirthPhase.NEWTON).astype(jnp.int32),
        trial=step,
        iteration=jnp.ones_like(lanes.iteration),
        inner=jnp.ones_like(lanes.inner),
        step=step,
        origin=jnp.zeros_like(lanes.origin),
        accepted_deviance=lanes.null.penalised_deviance,
    )


def decide_newton(
    lanes: FirthLanes, null: LikelihoodSums, sums: LikelihoodSums, config: FirthApproximateConfig
) -> FirthLanes:
    """Step B: Newton with step halving (REGENIE fit_firth, one column).

    A step that no halving made acceptable is taken all the same, nudged; the sums stay those of the last evaluation.

    Args:
        lanes: before the turn.
        null: sums at coefficient 0.
        sums: at ``lanes.trial``.
        config: stopping rules.
    """
    accepted = sums.penalised_deviance < lanes.accepted_deviance
    moved = accepted | (lanes.inner >= config.newton_max_step_evaluations)
    reached = jnp.where(accepted, lanes.trial, lanes.trial + config.newton_nudge)
    iteration = lanes.iteration + moved
    score = sums.score + sums.correction
    exhausted = moved & (iteration > config.newton_max_iterations)
    ended = moved & ~exhausted & (jnp.abs(score) < config.score_tolerance) & (iteration >= 2)
    likelihood_ratio = null.penalised_deviance - sums.penalised_deviance
    converged = ended & (likelihood_ratio >= 0.0)
    failed = exhausted | (ended & ~converged)
    origin = jnp.where(moved, reached, lanes.origin)
    step = jnp.where(moved, clipped(score / sums.information, config), lanes.step / 2.0)
    phase = jnp.where(failed, FirthPhase.FAILED, jnp.where(converged, FirthPhase.CONVERGED_NEWTON, FirthPhase.NEWTON))
    return replace(
        lanes,
        phase=phase.astype(jnp.int32),
        trial=origin + step,
        null=null,
        iteration=iteration.astype(jnp.int32),
        inner=jnp.where(moved, 1, lanes.inner + 1).astype(jnp.int32),
        step=step,
        origin=origin,
        accepted_deviance=jnp.where(moved, sums.penalised_deviance, lanes.accepted_deviance),
        beta=reached,
        information=sums.information,
        likelihood_ratio=likelihood_ratio,
    )
