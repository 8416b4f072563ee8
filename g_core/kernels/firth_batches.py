"""Approximate Firth fits of any number of candidates in batches of one shape.

Belongs here: which candidates are fitted on which samples, the program of a batch, the results. Does not belong here:
the fit itself (firth_approximate.py, firth_likelihood.py, firth_decisions.py), the queue (firth_queue.py), which
variants are corrected (engine/).
"""

from dataclasses import dataclass, replace
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax import lax

from g_core.kernels.firth_approximate import FirthFits, FirthModel, FirthPhase, started_fits
from g_core.kernels.firth_carriers import find_carriers
from g_core.kernels.firth_decisions import decide
from g_core.kernels.firth_likelihood import FirthSamples, all_samples, evaluate_lanes, listed_samples, pad_model
from g_core.kernels.firth_queue import Rows, run_fits
from g_core.kernels.firth_shape import Slabs, batch_lanes, cut_slabs
from g_core.kernels.pvalues import log10_p_from_chi_square
from g_core.kernels.settings import FirthApproximateConfig, ProbabilityConfig

FloatArray = npt.NDArray[np.float64]
SampleChoice = FloatArray | npt.NDArray[np.int32]


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


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class Candidates:
    """A batch's variants.

    Attributes:
        values: [C, B] float32, C padded to fill the slabs.
        unit: [B].
        centre: [B].
        samples: [B] float64, above which dosage a sample has a part in the fit; or [B, M] int32, a list of samples.
    """

    values: jax.Array
    unit: jax.Array
    centre: jax.Array
    samples: jax.Array


def fit_firth_approximate(
    values: npt.NDArray[np.float32],
    unit: FloatArray,
    centre: FloatArray,
    sparse_and_rare: npt.NDArray[np.bool_],
    model: FirthModel,
    config: FirthApproximateConfig,
    probability_config: ProbabilityConfig,
    *,
    workers: int,
) -> FirthResult:
    """Fit any number of candidates (spec 6.3 and 6.4, REGENIE fit_firth_logistic_snp_fast).

    A candidate's result depends neither on the others nor on the number of workers.

    Args:
        values: [N, C] float32 rows of the tile.
        unit: [N] float64.
        centre: [N] float64.
        sparse_and_rare: [N] the sparse rule holds and the trait's minor allele count is below
            ``carrier_maximum_mac``: carriers only, and more iterations.
        model: of the trait.
        config: stopping rules and lanes.
        probability_config: clamps.
        workers: threads that take batches.
    """
    n_columns = values.shape[1]
    lanes = batch_lanes(n_columns, config.lanes)
    slabs = cut_slabs(n_columns, lanes)
    padded_model = pad_model(model, slabs)
    fits = started_fits(sparse_and_rare, config)
    carriers = find_carriers(values, unit, centre, sparse_and_rare, np.asarray(model.present), config.carrier_dosage)

    def advance(batch: FirthFits, rows: Rows, may_run: int) -> FirthFits:
        candidates = pad_candidates(values[rows], unit[rows], centre[rows], carriers.of_batch(rows), slabs)
        return advance_fits(
            batch, may_run, candidates, padded_model, slabs=slabs, config=config, probability_config=probability_config
        )

    for waiting in (np.flatnonzero(~carriers.are_listed), np.flatnonzero(carriers.are_listed)):
        run_fits(fits, waiting, advance, is_running, lanes=lanes, workers=workers)
    return firth_result(fits)


def pad_candidates(
    values: npt.NDArray[np.float32], unit: FloatArray, centre: FloatArray, samples: SampleChoice, slabs: Slabs
) -> Candidates:
    """Return a batch's variants with absent samples that fill the slabs."""
    padded = np.zeros((slabs.count * slabs.height, values.shape[0]), dtype=np.float32)
    # Turned here, once: XLA would turn them again wherever it uses them.
    padded[: values.shape[1]] = values.T
    return Candidates(*(jax.device_put(array) for array in (padded, unit, centre, samples)))


def batch_samples(candidates: Candidates, model: FirthModel, slabs: Slabs) -> FirthSamples:
    """Return what a batch is evaluated on; arguments as in advance_fits."""
    genotype = (candidates.values, candidates.unit, candidates.centre)
    if candidates.samples.ndim == 1:
        return all_samples(*genotype, candidates.samples, model, slabs)
    return listed_samples(*genotype, candidates.samples, model)


def is_running(fits: FirthFits) -> npt.NDArray[np.bool_]:
    """Which fits have not ended, [B]."""
    return np.asarray(fits.phase) < FirthPhase.CONVERGED_PSEUDO_DATA


def firth_result(fits: FirthFits) -> FirthResult:
    """Return the results of fits that have all ended."""
    phase = np.asarray(fits.phase)
    converged = phase != FirthPhase.FAILED
    with np.errstate(divide="ignore", invalid="ignore"):
        se = 1.0 / np.sqrt(np.asarray(fits.information))
    return FirthResult(
        beta=np.where(converged, np.asarray(fits.beta), np.nan),
        se=np.where(converged, se, np.nan),
        chi_square=np.where(converged, np.asarray(fits.likelihood_ratio), np.nan),
        log10_p=np.where(converged, np.asarray(fits.log10_p), np.nan),
        phase=phase,
        pseudo_data_failure=np.asarray(fits.pseudo_data_failure),
        iterations=np.asarray(fits.iteration),
    )


@partial(jax.jit, static_argnames=("slabs", "config", "probability_config"))
def advance_fits(
    fits: FirthFits,
    may_run: jax.Array | int,
    candidates: Candidates,
    model: FirthModel,
    *,
    slabs: Slabs,
    config: FirthApproximateConfig,
    probability_config: ProbabilityConfig,
) -> FirthFits:
    """Take turns until no more than ``may_run`` fits run.

    Args:
        fits: B of them.
        may_run: number of fits.
        candidates: B of them.
        model: of the trait, padded to fill the slabs.
        slabs: that the samples are cut into.
        config: stopping rules.
        probability_config: clamps.
    """
    samples = batch_samples(candidates, model, slabs)

    def goes_on(state: FirthFits) -> jax.Array:
        return jnp.sum(state.phase < FirthPhase.CONVERGED_PSEUDO_DATA) > may_run

    def turn(state: FirthFits) -> FirthFits:
        return decide(state, evaluate_lanes(samples, state.trial, probability_config), config)

    advanced = lax.while_loop(goes_on, turn, fits)
    return replace(advanced, log10_p=log10_p_from_chi_square(advanced.likelihood_ratio))
