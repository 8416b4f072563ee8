"""Exact Firth fits of any number of candidates in batches of one shape.

Belongs here: the program of a batch and the results. Does not belong here: the fit itself (firth_exact.py,
firth_exact_decisions.py), the queue (firth_queue.py), which variants are corrected (engine/).
"""

from dataclasses import replace
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax import lax

from g_core.kernels.firth_approximate import FirthPhase
from g_core.kernels.firth_batches import FirthResult
from g_core.kernels.firth_exact import (
    FirthExactFits,
    FirthExactModel,
    FirthExactPhase,
    evaluate_exact_lanes,
    load_exact_lanes,
    started_exact_fits,
)
from g_core.kernels.firth_exact_decisions import decide_exact
from g_core.kernels.firth_queue import Rows, run_fits
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
    *,
    workers: int,
) -> FirthResult:
    """Fit any number of candidates, ``config.lanes`` side by side.

    A candidate's result depends neither on the others nor on the number of workers (spec 6.5, REGENIE
    fit_firth_logistic_snp). Its ``se`` is from the information of covariates and variant together. ``iterations`` are
    those of the last algorithm that ran; ``pseudo_data_failure`` is of the fit with the variant.

    Args:
        values: [N, C] float32 rows of the tile.
        unit: [N] float64.
        centre: [N] float64; the dosage is ``centre + unit * values``, missing ones imputed.
        model: of the trait.
        config: stopping rules and lanes.
        probability_config: clamps.
        workers: threads that take batches.
    """
    fits = started_exact_fits(values.shape[0], np.asarray(model.start))

    def advance(batch: FirthExactFits, rows: Rows, may_run: int) -> FirthExactFits:
        return advance_exact_fits(
            batch,
            may_run,
            values[rows],
            unit[rows],
            centre[rows],
            model,
            config=config,
            probability_config=probability_config,
        )

    run_fits(fits, np.arange(values.shape[0]), advance, is_running, lanes=config.lanes, workers=workers)
    return exact_result(fits)


def is_running(fits: FirthExactFits) -> npt.NDArray[np.bool_]:
    """Which fits have not ended, [B]."""
    return np.asarray(fits.phase) < FirthExactPhase.CONVERGED_PSEUDO_DATA


def exact_result(fits: FirthExactFits) -> FirthResult:
    """Return the results of fits that have all ended."""
    phase = np.asarray(fits.phase)
    converged = phase != FirthExactPhase.FAILED
    return FirthResult(
        beta=np.where(converged, np.asarray(fits.beta), np.nan),
        se=np.where(converged, np.asarray(fits.se), np.nan),
        chi_square=np.where(converged, np.asarray(fits.likelihood_ratio), np.nan),
        log10_p=np.where(converged, np.asarray(fits.log10_p), np.nan),
        phase=np.array([RESULT_PHASES[FirthExactPhase(code)] for code in phase.tolist()], dtype=np.int32),
        pseudo_data_failure=np.asarray(fits.pseudo_data_failure),
        iterations=np.asarray(fits.iteration),
    )


@partial(jax.jit, static_argnames=("config", "probability_config"))
def advance_exact_fits(
    fits: FirthExactFits,
    may_run: jax.Array | int,
    values: jax.Array | npt.NDArray[np.float32],
    unit: jax.Array | FloatArray,
    centre: jax.Array | FloatArray,
    model: FirthExactModel,
    *,
    config: FirthExactConfig,
    probability_config: ProbabilityConfig,
) -> FirthExactFits:
    """Take turns until no more than ``may_run`` fits run.

    Args:
        fits: B of them.
        may_run: number of fits.
        values: [B, C] float32.
        unit: [B].
        centre: [B].
        model: of the trait.
        config: stopping rules.
        probability_config: clamps.
    """
    lanes = load_exact_lanes(fits, jax.device_put(values), jax.device_put(unit), jax.device_put(centre), model)
    decide_lanes = jax.vmap(lambda fit, point: decide_exact(fit, point, model.start, config))

    def goes_on(state: FirthExactFits) -> jax.Array:
        return jnp.sum(state.phase < FirthExactPhase.CONVERGED_PSEUDO_DATA) > may_run

    def turn(state: FirthExactFits) -> FirthExactFits:
        return decide_lanes(state, evaluate_exact_lanes(replace(lanes, fits=state), model, probability_config))

    advanced = lax.while_loop(goes_on, turn, fits)
    return replace(advanced, log10_p=log10_p_from_chi_square(advanced.likelihood_ratio))
