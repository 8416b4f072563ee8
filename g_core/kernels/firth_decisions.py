"""What a fit of the approximate Firth test does after each evaluation of its likelihood.

Belongs here: REGENIE's two algorithms for one coefficient, as scalar decisions on every lane. REGENIE stops loosely (a
score below 2.5e-4), so its digits depend on the sequence of iterations and not on the optimum alone: the order of the
checks is the specification. Does not belong here: anything that touches samples (firth_approximate.py).
"""

from dataclasses import replace
from functools import partial
from typing import TypeVar

import jax
import jax.numpy as jnp

from g_core.kernels.firth_approximate import FirthFits, FirthPhase, LikelihoodSums, PseudoDataFailure
from g_core.kernels.settings import FirthApproximateConfig

State = TypeVar("State")


def decide(fits: FirthFits, sums: LikelihoodSums, config: FirthApproximateConfig) -> FirthFits:
    """Move every running fit on by one evaluation (spec 6.3 steps A and B).

    Args:
        fits: before the turn.
        sums: at ``fits.trial``.
        config: stopping rules.
    """
    null = select(fits.phase == FirthPhase.START, sums, fits.null)
    pseudo = decide_pseudo_data(fits, null, sums, config)
    newton = decide_newton(fits, null, sums, config)
    fits_after = select(fits.phase == FirthPhase.NEWTON, newton, fits)
    in_pseudo = fits.phase <= FirthPhase.PSEUDO_DATA
    fits_after = select(in_pseudo, pseudo, fits_after)
    falls_back = in_pseudo & (pseudo.pseudo_data_failure != PseudoDataFailure.NONE)
    return select(falls_back, start_newton(pseudo, config), fits_after)


def select(choose: jax.Array, yes: State, no: State) -> State:
    """Return the state ``yes`` where ``choose`` [B], else ``no``."""
    return jax.tree.map(partial(jnp.where, choose), yes, no)


def clipped(step: jax.Array, config: FirthApproximateConfig) -> jax.Array:
    """Return ``step`` [B] limited to the largest step in size."""
    return jnp.clip(step, -config.max_step, config.max_step)


def decide_pseudo_data(
    fits: FirthFits, null: LikelihoodSums, sums: LikelihoodSums, config: FirthApproximateConfig
) -> FirthFits:
    """Step A: Newton steps on pseudo-data held fixed, then new pseudo-data (REGENIE fit_firth_pseudo, one column).

    The end of the inner steps and the top of the next outer iteration look at the same coefficient, so both are decided
    in one turn.

    Args:
        fits: before the turn.
        null: sums at coefficient 0.
        sums: at ``fits.trial``.
        config: stopping rules.
    """
    starting = fits.phase == FirthPhase.START
    inner_score = sums.score + fits.fixed_correction
    inner_done = (jnp.abs(inner_score) < config.score_tolerance) | (fits.inner >= config.pseudo_inner_iterations)
    outer = starting | inner_done
    iteration = fits.iteration + outer
    outer_score = sums.score + sums.correction

    exhausted = outer & (iteration > fits.iteration_limit)
    converged = outer & ~exhausted & (jnp.abs(outer_score) < config.score_tolerance) & (iteration >= 2)
    likelihood_ratio = null.penalised_deviance - sums.penalised_deviance
    negative = converged & ~(likelihood_ratio >= 0.0)
    remembered = jnp.where(outer & (iteration == config.pseudo_drift_iteration), fits.trial, fits.remembered)
    drifted = (
        outer
        & ~converged
        & (iteration == config.pseudo_drift_iteration + 1)
        & (jnp.abs(fits.trial - remembered) > config.pseudo_drift_limit)
    )
    step = jnp.where(outer, outer_score, inner_score) / sums.information
    step_grew = ~outer & (jnp.abs(step) > fits.step)
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
        fits,
        phase=jnp.where(converged, FirthPhase.CONVERGED_PSEUDO_DATA, FirthPhase.PSEUDO_DATA).astype(jnp.int32),
        trial=fits.trial + clipped(step, config),
        null=null,
        iteration=iteration.astype(jnp.int32),
        inner=jnp.where(outer, 1, fits.inner + 1).astype(jnp.int32),
        step=jnp.abs(step),
        fixed_correction=jnp.where(outer, sums.correction, fits.fixed_correction),
        remembered=remembered,
        beta=fits.trial,
        information=sums.information,
        likelihood_ratio=likelihood_ratio,
        pseudo_data_failure=failure.astype(jnp.int32),
    )


def start_newton(fits: FirthFits, config: FirthApproximateConfig) -> FirthFits:
    """Step B from coefficient 0: its first iteration, from the sums kept from there.

    A genotype without information at 0 has none anywhere; it fails at once.
    """
    step = clipped((fits.null.score + fits.null.correction) / fits.null.information, config)
    hopeless = ~jnp.isfinite(step) | ~jnp.isfinite(fits.null.penalised_deviance)
    return replace(
        fits,
        phase=jnp.where(hopeless, FirthPhase.FAILED, FirthPhase.NEWTON).astype(jnp.int32),
        trial=step,
        iteration=jnp.ones_like(fits.iteration),
        inner=jnp.ones_like(fits.inner),
        step=step,
        origin=jnp.zeros_like(fits.origin),
        accepted_deviance=fits.null.penalised_deviance,
    )


def decide_newton(
    fits: FirthFits, null: LikelihoodSums, sums: LikelihoodSums, config: FirthApproximateConfig
) -> FirthFits:
    """Step B: Newton with step halving (REGENIE fit_firth, one column).

    A step that no halving made acceptable is taken all the same, nudged; the sums stay those of the last evaluation.

    Args:
        fits: before the turn.
        null: sums at coefficient 0.
        sums: at ``fits.trial``.
        config: stopping rules.
    """
    accepted = sums.penalised_deviance < fits.accepted_deviance
    moved = accepted | (fits.inner >= config.newton_max_step_evaluations)
    reached = jnp.where(accepted, fits.trial, fits.trial + config.newton_nudge)
    iteration = fits.iteration + moved
    score = sums.score + sums.correction
    exhausted = moved & (iteration > config.newton_max_iterations)
    ended = moved & ~exhausted & (jnp.abs(score) < config.score_tolerance) & (iteration >= 2)
    likelihood_ratio = null.penalised_deviance - sums.penalised_deviance
    converged = ended & (likelihood_ratio >= 0.0)
    failed = exhausted | (ended & ~converged)
    origin = jnp.where(moved, reached, fits.origin)
    step = jnp.where(moved, clipped(score / sums.information, config), fits.step / 2.0)
    phase = jnp.where(failed, FirthPhase.FAILED, jnp.where(converged, FirthPhase.CONVERGED_NEWTON, FirthPhase.NEWTON))
    return replace(
        fits,
        phase=phase.astype(jnp.int32),
        trial=origin + step,
        null=null,
        iteration=iteration.astype(jnp.int32),
        inner=jnp.where(moved, 1, fits.inner + 1).astype(jnp.int32),
        step=step,
        origin=origin,
        accepted_deviance=jnp.where(moved, sums.penalised_deviance, fits.accepted_deviance),
        beta=reached,
        information=sums.information,
        likelihood_ratio=likelihood_ratio,
    )
