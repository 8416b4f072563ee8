"""The null models of one binary trait on one chromosome, in the order REGENIE fits them.

Belongs here: logistic null, weighted basis, null Firth fit, and which failure takes the trait out. Does not belong
here: the fits themselves (logistic_null.py, firth_null.py).
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from g_core.kernels.firth_approximate import FirthModel, firth_model
from g_core.kernels.firth_exact import FirthExactModel, firth_exact_model
from g_core.kernels.firth_null import FirthNullFit, fit_firth_null
from g_core.kernels.logistic_null import LogisticNullFit, NullStatus, fit_logistic_null
from g_core.kernels.padding import pad_mask, pad_samples
from g_core.kernels.score import TraitNull, trait_null
from g_core.kernels.settings import BasisConfig, FirthNullConfig, LogisticNullConfig, ProbabilityConfig

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class BinaryNullConfigs:
    """The thresholds that null fits use."""

    basis: BasisConfig
    probability: ProbabilityConfig
    logistic_null: LogisticNullConfig
    firth_null: FirthNullConfig


class FirthKind(StrEnum):
    """Which Firth test the variants will have, which decides where the null Firth fit starts."""

    NONE = "none"
    APPROXIMATE = "approximate"
    EXACT = "exact"


@dataclass(frozen=True, slots=True)
class BinaryNull:
    """Null models of one trait on one chromosome.

    Attributes:
        logistic: the null logistic fit.
        firth: the null Firth fit; None when not asked for or when the logistic fit failed.
        trait_null: what the score test needs; None when a fit that was asked for cannot be used: the trait has no
            results on this chromosome.
        firth_model: what the variants' approximate fits need; None when not asked for or failed.
        exact_model: what the variants' exact fits need; None when not asked for or failed.
    """

    logistic: LogisticNullFit
    firth: FirthNullFit | None
    trait_null: TraitNull | None
    firth_model: FirthModel | None
    exact_model: FirthExactModel | None


def fit_binary_null(
    cases: FloatArray,
    own: npt.NDArray[np.bool_],
    basis: FloatArray,
    predictions: FloatArray | None,
    *,
    n_padded: int,
    firth_kind: FirthKind,
    stored_start: FloatArray | None,
    keep_unconverged: bool,
    configs: BinaryNullConfigs,
) -> BinaryNull:
    """Fit the null models (spec 5.2, 5.3, 6.2).

    Args:
        cases: [n] 0/1, 0 outside the trait's own samples.
        own: [n] the trait's own samples; all of them unless the group is joint.
        basis: [n, K] orthonormal.
        predictions: [n] of this chromosome on the logit scale, 0 outside the own samples; None without.
        n_padded: C, the columns of a tile; arrays of the result have this length.
        firth_kind: which Firth test follows. The approximate one starts its null fit at the logistic coefficients, the
            exact one at 0 (spec 6.2 and 6.5).
        stored_start: [K] where the approximate one starts instead (``--use-null-firth``). Signs are taken from the
            logistic coefficients: an eigenvector's own sign is nobody's choice.
        keep_unconverged: go on with the last state of a fit that did not converge (``--null-nonconvergence warn``).
        configs: thresholds.
    """
    padded_cases, padded_basis = pad_samples(cases, n_padded), pad_samples(basis, n_padded)
    offset = np.zeros(n_padded) if predictions is None else pad_samples(predictions, n_padded)
    present, analysed = pad_mask(own, n_padded), np.arange(n_padded) < own.shape[0]
    logistic = fit_logistic_null(
        padded_cases,
        padded_basis,
        offset,
        present,
        has_predictions=predictions is not None,
        config=configs.logistic_null,
        probability_config=configs.probability,
    )
    if not is_usable(logistic, keep_unconverged=keep_unconverged):
        return BinaryNull(logistic=logistic, firth=None, trait_null=None, firth_model=None, exact_model=None)
    null = trait_null(padded_cases, padded_basis, present, logistic.probabilities, configs.basis)
    if firth_kind is FirthKind.NONE:
        return BinaryNull(logistic=logistic, firth=None, trait_null=null, firth_model=None, exact_model=None)
    is_exact = firth_kind is FirthKind.EXACT
    firth = fit_firth_null(
        padded_cases,
        padded_basis,
        offset,
        present,
        np.zeros_like(logistic.coefficients) if is_exact else firth_start(logistic.coefficients, stored_start),
        start_is_stored=stored_start is not None and not is_exact,
        config=configs.firth_null,
        probability_config=configs.probability,
    )
    if not is_usable(firth, keep_unconverged=keep_unconverged):
        return BinaryNull(logistic=logistic, firth=firth, trait_null=None, firth_model=None, exact_model=None)
    if not is_exact:
        model = firth_model(null, firth.linear_predictor)
        return BinaryNull(logistic=logistic, firth=firth, trait_null=null, firth_model=model, exact_model=None)
    exact = firth_exact_model(
        cases=padded_cases,
        basis=padded_basis,
        offset=offset,
        present=present,
        analysed=analysed,
        start=firth.coefficients,
    )
    return BinaryNull(logistic=logistic, firth=firth, trait_null=null, firth_model=None, exact_model=exact)


def is_usable(fit: LogisticNullFit | FirthNullFit, *, keep_unconverged: bool) -> bool:
    """Whether tests can be based on a fit; one that did not converge must at least have ended at numbers."""
    return fit.status is NullStatus.CONVERGED or (keep_unconverged and bool(np.isfinite(fit.coefficients).all()))


def firth_start(logistic: FloatArray, stored: FloatArray | None) -> FloatArray:
    """Where the null Firth fit starts, [K]: at the logistic coefficients, or at stored ones with their signs."""
    if stored is None:
        return logistic
    return np.where(np.sign(stored) != np.sign(logistic), -stored, stored)
