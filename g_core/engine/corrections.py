"""The corrections of a binary trait's score test, behind one call.

Belongs here: which kernel corrects which candidates, and what its outcome means for a row. Does not belong here: the
kernels, or which variants are candidates (binary_test.py).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from g_core.config.run_plan import BinaryPlan, CorrectionMethod, KernelConfigs
from g_core.engine.candidates import Candidates
from g_core.engine.tiles import FloatArray
from g_core.kernels.binary_null import BinaryNull
from g_core.kernels.firth_approximate import FirthModel, FirthPhase
from g_core.kernels.firth_batches import FirthResult, fit_firth_approximate
from g_core.kernels.firth_exact import FirthExactModel
from g_core.kernels.firth_exact_batches import fit_firth_exact
from g_core.kernels.saddlepoint import SaddlepointFailure, saddlepoint_model, saddlepoint_test
from g_core.kernels.score import TraitNull
from g_core.results.schema import Correction, Reason


@dataclass(frozen=True, slots=True)
class CorrectedCandidates:
    """One entry a candidate, of the flipped allele; the four numbers are NaN where the correction failed."""

    beta: FloatArray
    standard_error: FloatArray
    chi_square: FloatArray
    log10_p: FloatArray
    failed: npt.NDArray[np.bool_]
    correction: Correction
    reason_if_failed: Reason


CorrectCandidates = Callable[[Candidates], CorrectedCandidates]
"""Corrects a trait's candidates of one block."""


def make_correction(
    null: BinaryNull, binary: BinaryPlan, configs: KernelConfigs, *, workers: int
) -> CorrectCandidates | None:
    """The correction of one trait on one chromosome; None without one, or where a null fit failed."""
    if null.firth_model is not None:
        return approximate_firth(null.firth_model, binary, configs, workers)
    if null.exact_model is not None:
        return exact_firth(null.exact_model, binary, configs, workers)
    if null.trait_null is not None and binary.correction is CorrectionMethod.SADDLEPOINT:
        return saddlepoint(null.trait_null, configs)
    return None


def approximate_firth(model: FirthModel, binary: BinaryPlan, configs: KernelConfigs, workers: int) -> CorrectCandidates:
    """Approximate Firth; rare sparse variants on their carriers only (spec 6.3)."""
    config = configs.firth_approximate

    def correct(candidates: Candidates) -> CorrectedCandidates:
        sparse_and_rare = candidates.sparse & (candidates.minor_allele_count < config.carrier_maximum_mac)
        if binary.skip_fast_firth:
            sparse_and_rare = np.zeros_like(sparse_and_rare)
        fits = fit_firth_approximate(
            candidates.values,
            candidates.unit,
            candidates.centre,
            sparse_and_rare,
            model,
            config,
            configs.probability,
            workers=workers,
        )
        return from_firth(fits, binary, Correction.FIRTH_APPROXIMATE)

    return correct


def exact_firth(model: FirthExactModel, binary: BinaryPlan, configs: KernelConfigs, workers: int) -> CorrectCandidates:
    """Exact Firth (spec 6.5)."""

    def correct(candidates: Candidates) -> CorrectedCandidates:
        fits = fit_firth_exact(
            candidates.values,
            candidates.unit,
            candidates.centre,
            model,
            configs.firth_exact,
            configs.probability,
            workers=workers,
        )
        return from_firth(fits, binary, Correction.FIRTH_EXACT)

    return correct


def saddlepoint(null: TraitNull, configs: KernelConfigs) -> CorrectCandidates:
    """Saddlepoint p-values (spec 6.6)."""
    model = saddlepoint_model(null)

    def correct(candidates: Candidates) -> CorrectedCandidates:
        tests = saddlepoint_test(
            candidates.values,
            candidates.unit,
            candidates.centre,
            candidates.sparse,
            model,
            configs.saddlepoint,
        )
        return CorrectedCandidates(
            beta=np.asarray(tests.beta),
            standard_error=np.asarray(tests.se),
            chi_square=np.asarray(tests.chi_square),
            log10_p=np.asarray(tests.log10_p),
            failed=np.asarray(tests.failure) != SaddlepointFailure.NONE,
            correction=Correction.SADDLEPOINT,
            reason_if_failed=Reason.SADDLEPOINT_FAILED,
        )

    return correct


def from_firth(fits: FirthResult, binary: BinaryPlan, correction: Correction) -> CorrectedCandidates:
    """A Firth result as corrected candidates; with --firth-se the standard error is |BETA| over the root of CHISQ."""
    standard_error = fits.se
    if binary.firth_se:
        with np.errstate(divide="ignore", invalid="ignore"):
            from_ratio = np.abs(fits.beta) / np.sqrt(fits.chi_square)
        standard_error = np.where(fits.chi_square > 0.0, from_ratio, fits.se)
    return CorrectedCandidates(
        beta=fits.beta,
        standard_error=standard_error,
        chi_square=fits.chi_square,
        log10_p=fits.log10_p,
        failed=fits.phase == FirthPhase.FAILED,
        correction=correction,
        reason_if_failed=Reason.FIRTH_NOT_CONVERGED,
    )
