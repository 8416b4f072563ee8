"""Approximate Firth fits of any number of candidates in batches of one shape.

Belongs here: the driver that keeps the lanes full and collects results. Does not belong here: the fit itself
(firth_approximate.py, firth_decisions.py), which variants are corrected (engine/).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax import lax

from g_core.kernels.firth_approximate import FirthLanes, FirthModel, FirthPhase, empty_lanes, evaluate_lanes, load_lanes
from g_core.kernels.firth_decisions import decide
from g_core.kernels.pvalues import log10_p_from_chi_square
from g_core.kernels.settings import FirthApproximateConfig, ProbabilityConfig

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FirthResult:
    """One entry per candidate, of the flipped allele; the first four are NaN where the fit failed.

    Attributes:
        beta: [B] float64.
        se: [B] inverse root of the unpenalised information.
        chi_square: [B] penalised likelihood ratio.
        log10_p: [B].
        phase: [B] int32, a final FirthPhase.
        pseudo_data_failure: [B] int32, PseudoDataFailure.
        iterations: [B] int32, outer iterations of the algorithm that ended the fit.
    """

    beta: FloatArray
    se: FloatArray
    chi_square: FloatArray
    log10_p: FloatArray
    phase: npt.NDArray[np.int32]
    pseudo_data_failure: npt.NDArray[np.int32]
    iterations: npt.NDArray[np.int32]


def fit_firth_approximate(
    values: npt.NDArray[np.float32],
    unit: FloatArray,
    centre: FloatArray,
    sparse_and_rare: npt.NDArray[np.bool_],
    model: FirthModel,
    config: FirthApproximateConfig,
    probability_config: ProbabilityConfig,
) -> FirthResult:
    """Fit any number of candidates, ``config.lanes`` side by side; a finished lane takes the next candidate.

    A candidate's result does not depend on the others (spec 6.3 and 6.4, REGENIE fit_firth_logistic_snp_fast).

    Args:
        values: [N, C] float32 rows of the tile.
        unit: [N] float64.
        centre: [N] float64.
        sparse_and_rare: [N] the sparse rule holds and the trait's minor allele count is below
            ``carrier_maximum_mac``: carriers only, and more iterations.
        model: of the trait.
        config: stopping rules and lanes.
        probability_config: clamps.
    """
    n_candidates = values.shape[0]
    result = FirthResult(
        *(np.full(n_candidates, np.nan) for _ in range(4)),
        *(np.zeros(n_candidates, dtype=np.int32) for _ in range(3)),
    )
    lanes = empty_lanes(config.lanes, values.shape[1])
    slots = np.full(config.lanes, -1)
    waiting = iter(range(n_candidates))
    loaded: tuple[jax.Array, ...] = ()
    while True:
        fresh = refill(slots, waiting)
        if np.all(slots < 0):
            return result
        if fresh.any():
            rows = np.maximum(slots, 0)
            loaded = tuple(jnp.asarray(array[rows]) for array in (values, unit, centre, sparse_and_rare))
        lanes, log10_p = advance_lanes(
            lanes, fresh, *loaded, model, config=config, probability_config=probability_config
        )
        harvest(lanes, np.asarray(log10_p), slots, result)


def refill(slots: npt.NDArray[np.int64], waiting: Iterator[int]) -> npt.NDArray[np.bool_]:
    """Give each empty slot (-1) the next candidate, in place; returns which slots are new, [B]."""
    fresh = np.zeros(slots.shape[0], dtype=np.bool_)
    for slot in np.flatnonzero(slots < 0):
        candidate = next(waiting, None)
        if candidate is None:
            break
        slots[slot] = candidate
        fresh[slot] = True
    return fresh


def harvest(lanes: FirthLanes, log10_p: FloatArray, slots: npt.NDArray[np.int64], result: FirthResult) -> None:
    """Write the finished lanes into ``result`` and empty their slots, in place.

    Args:
        lanes: after a call of advance_lanes.
        log10_p: [B].
        slots: [B] candidate of each lane, -1 where none.
        result: of all candidates.
    """
    phase = np.asarray(lanes.phase)
    done = (slots >= 0) & (phase >= FirthPhase.CONVERGED_PSEUDO_DATA)
    target = slots[done]
    converged = phase[done] != FirthPhase.FAILED
    with np.errstate(divide="ignore"):
        se = 1.0 / np.sqrt(np.asarray(lanes.information)[done])
    result.beta[target] = np.where(converged, np.asarray(lanes.beta)[done], np.nan)
    result.se[target] = np.where(converged, se, np.nan)
    result.chi_square[target] = np.where(converged, np.asarray(lanes.likelihood_ratio)[done], np.nan)
    result.log10_p[target] = np.where(converged, log10_p[done], np.nan)
    result.phase[target] = phase[done]
    result.pseudo_data_failure[target] = np.asarray(lanes.pseudo_data_failure)[done]
    result.iterations[target] = np.asarray(lanes.iteration)[done]
    slots[done] = -1


@partial(jax.jit, static_argnames=("config", "probability_config"))
def advance_lanes(
    lanes: FirthLanes,
    fresh: jax.Array,
    values: jax.Array,
    unit: jax.Array,
    centre: jax.Array,
    sparse_and_rare: jax.Array,
    model: FirthModel,
    *,
    config: FirthApproximateConfig,
    probability_config: ProbabilityConfig,
) -> tuple[FirthLanes, jax.Array]:
    """Load the fresh lanes, then take up to ``turns_per_call`` turns; returns the lanes and log10 P of their result.

    Args:
        lanes: B of them.
        fresh: [B] bool, lanes that take a new candidate from the arguments below.
        values: [B, C] float32.
        unit: [B].
        centre: [B].
        sparse_and_rare: [B] bool.
        model: of the trait.
        config: stopping rules.
        probability_config: clamps.
    """
    lanes = lax.cond(
        jnp.any(fresh),
        lambda: load_lanes(lanes, fresh, values, unit, centre, sparse_and_rare, model, config),
        lambda: lanes,
    )

    def is_running(state: tuple[FirthLanes, jax.Array]) -> jax.Array:
        return jnp.any(state[0].phase < FirthPhase.CONVERGED_PSEUDO_DATA) & (state[1] < config.turns_per_call)

    def turn(state: tuple[FirthLanes, jax.Array]) -> tuple[FirthLanes, jax.Array]:
        current, turns = state
        sums = evaluate_lanes(current.genotype, current.trial, model, probability_config)
        return decide(current, sums, config), turns + 1

    lanes, _ = lax.while_loop(is_running, turn, (lanes, jnp.asarray(0)))
    return lanes, log10_p_from_chi_square(lanes.likelihood_ratio)
