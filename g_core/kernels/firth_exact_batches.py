"""Exact Firth fits of any number of candidates in batches of one shape.

Belongs here: the driver that keeps the lanes full and collects results. Does not belong here: the fit itself
(firth_exact.py, firth_exact_decisions.py), which variants are corrected (engine/).
"""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax import lax

from g_core.kernels.firth_approximate import FirthPhase
from g_core.kernels.firth_batches import FirthResult, refill
from g_core.kernels.firth_exact import (
    FirthExactFits,
    FirthExactLanes,
    FirthExactModel,
    FirthExactPhase,
    empty_exact_lanes,
    evaluate_exact_lanes,
    load_exact_lanes,
)
from g_core.kernels.firth_exact_decisions import decide_exact
from g_core.kernels.pvalues import log10_p_from_chi_square
from g_core.kernels.settings import FirthExactConfig, ProbabilityConfig

FloatArray = npt.NDArray[np.float64]

RESULT_PHASES = {
    FirthExactPhase.CONVERGED_PSEUDO_DATA: FirthPhase.CONVERGED_PSEUDO_DATA,
    FirthExactPhase.CONVERGED_NEWTON: FirthPhase.CONVERGED_NEWTON,
    FirthExactPhase.FAILED: FirthPhase.FAILED,
}


def fit_firth_exact(
    values: npt.NDArray[np.float32],
    unit: FloatArray,
    centre: FloatArray,
    model: FirthExactModel,
    config: FirthExactConfig,
    probability_config: ProbabilityConfig,
) -> FirthResult:
    """Fit any number of candidates, ``config.lanes`` side by side; a finished lane takes the next candidate.

    A candidate's result does not depend on the others (spec 6.5, REGENIE fit_firth_logistic_snp). Its ``se`` is from
    the information of covariates and variant together. ``iterations`` are those of the last algorithm that ran;
    ``pseudo_data_failure`` is of the fit with the variant.

    Args:
        values: [N, C] float32 rows of the tile.
        unit: [N] float64.
        centre: [N] float64; the dosage is ``centre + unit * values``, missing ones imputed.
        model: of the trait.
        config: stopping rules and lanes.
        probability_config: clamps.
    """
    n_candidates = values.shape[0]
    result = FirthResult(
        *(np.full(n_candidates, np.nan) for _ in range(4)),
        *(np.zeros(n_candidates, dtype=np.int32) for _ in range(3)),
    )
    lanes = empty_exact_lanes(config.lanes, model)
    slots = np.full(config.lanes, -1)
    waiting = iter(range(n_candidates))
    loaded: tuple[jax.Array, ...] = ()
    while True:
        fresh = refill(slots, waiting)
        if np.all(slots < 0):
            return result
        if fresh.any():
            rows = np.maximum(slots, 0)
            loaded = tuple(jnp.asarray(array[rows]) for array in (values, unit, centre))
        lanes, log10_p = advance_exact_lanes(
            lanes, fresh, *loaded, model, config=config, probability_config=probability_config
        )
        harvest_exact(lanes.fits, np.asarray(log10_p), slots, result)


def harvest_exact(fits: FirthExactFits, log10_p: FloatArray, slots: npt.NDArray[np.int64], result: FirthResult) -> None:
    """Write the finished lanes into ``result`` and empty their slots, in place.

    Args:
        fits: after a call of advance_exact_lanes.
        log10_p: [B].
        slots: [B] candidate of each lane, -1 where none.
        result: of all candidates.
    """
    phase = np.asarray(fits.phase)
    done = (slots >= 0) & (phase >= FirthExactPhase.CONVERGED_PSEUDO_DATA)
    target = slots[done]
    converged = phase[done] != FirthExactPhase.FAILED
    result.beta[target] = np.where(converged, np.asarray(fits.beta)[done], np.nan)
    result.se[target] = np.where(converged, np.asarray(fits.se)[done], np.nan)
    result.chi_square[target] = np.where(converged, np.asarray(fits.likelihood_ratio)[done], np.nan)
    result.log10_p[target] = np.where(converged, log10_p[done], np.nan)
    result.phase[target] = [RESULT_PHASES[FirthExactPhase(code)] for code in phase[done]]
    result.pseudo_data_failure[target] = np.asarray(fits.pseudo_data_failure)[done]
    result.iterations[target] = np.asarray(fits.iteration)[done]
    slots[done] = -1


@partial(jax.jit, static_argnames=("config", "probability_config"))
def advance_exact_lanes(
    lanes: FirthExactLanes,
    fresh: jax.Array,
    values: jax.Array,
    unit: jax.Array,
    centre: jax.Array,
    model: FirthExactModel,
    *,
    config: FirthExactConfig,
    probability_config: ProbabilityConfig,
) -> tuple[FirthExactLanes, jax.Array]:
    """Load the fresh lanes, then take up to ``turns_per_call`` turns; returns the lanes and log10 P of their result.

    Args:
        lanes: B of them.
        fresh: [B] bool, lanes that take a new candidate from the arguments below.
        values: [B, C] float32.
        unit: [B].
        centre: [B].
        model: of the trait.
        config: stopping rules.
        probability_config: clamps.
    """
    lanes = lax.cond(
        jnp.any(fresh),
        lambda: load_exact_lanes(lanes, fresh, values, unit, centre, model),
        lambda: lanes,
    )
    decide_lanes = jax.vmap(lambda fit, point: decide_exact(fit, point, model.start, config))

    def is_running(state: tuple[FirthExactFits, jax.Array]) -> jax.Array:
        fits, turns = state
        return jnp.any(fits.phase < FirthExactPhase.CONVERGED_PSEUDO_DATA) & (turns < config.turns_per_call)

    def turn(state: tuple[FirthExactFits, jax.Array]) -> tuple[FirthExactFits, jax.Array]:
        fits, turns = state
        current = FirthExactLanes(lanes.genotype, lanes.outside_information, fits)
        point = evaluate_exact_lanes(current, model, probability_config)
        return decide_lanes(fits, point), turns + 1

    fits, _ = lax.while_loop(is_running, turn, (lanes.fits, jnp.asarray(0)))
    advanced = FirthExactLanes(lanes.genotype, lanes.outside_information, fits)
    return advanced, log10_p_from_chi_square(fits.likelihood_ratio)
