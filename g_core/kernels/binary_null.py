"""The null models of one binary trait on one chromosome, in the order REGENIE fits them.

Belongs here: logistic null, weighted basis, null Firth fit, and which failure takes the trait out. Does not belong
here: the fits themselves (logistic_null.py, firth_null.py).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from g_core.kernels.covariate_basis import BasisConfig
from g_core.kernels.firth_approximate import FirthModel, firth_model
from g_core.kernels.firth_null import FirthNullConfig, FirthNullFit, fit_firth_null
from g_core.kernels.logistic_null import LogisticNullConfig, LogisticNullFit, NullStatus, fit_logistic_null
from g_core.kernels.padding import pad_samples
from g_core.kernels.probability import ProbabilityConfig
from g_core.kernels.score import TraitNull, trait_null

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class BinaryNullConfigs:
    """The thresholds that null fits use."""

    basis: BasisConfig
    probability: ProbabilityConfig
    logistic_null: LogisticNullConfig
    firth_null: FirthNullConfig


@dataclass(frozen=True, slots=True)
class BinaryNull:
    """Null models of one trait on one chromosome.

    Attributes:
        logistic: the null logistic fit.
        firth: the null Firth fit; None when not asked for or when the logistic fit failed.
        trait_null: what the score test needs; None when a fit that was asked for failed: the trait has no results on
            this chromosome.
        firth_model: what the variants' Firth fits need; None when not asked for or failed.
    """

    logistic: LogisticNullFit
    firth: FirthNullFit | None
    trait_null: TraitNull | None
    firth_model: FirthModel | None


def fit_binary_null(
    cases: FloatArray,
    basis: FloatArray,
    predictions: FloatArray | None,
    *,
    n_padded: int,
    with_firth: bool,
    configs: BinaryNullConfigs,
) -> BinaryNull:
    """Fit the null models (spec 5.2, 5.3, 6.2).

    Args:
        cases: [n] 0/1.
        basis: [n, K] orthonormal.
        predictions: [n] of this chromosome on the logit scale, None without.
        n_padded: C, the columns of a tile; arrays of the result have this length.
        with_firth: whether the null Firth fit is wanted.
        configs: thresholds.
    """
    n_samples = cases.shape[0]
    padded_cases, padded_basis = pad_samples(cases, n_padded), pad_samples(basis, n_padded)
    offset = np.zeros(n_padded) if predictions is None else pad_samples(predictions, n_padded)
    present = np.arange(n_padded) < n_samples
    logistic = fit_logistic_null(
        padded_cases,
        padded_basis,
        offset,
        present,
        has_predictions=predictions is not None,
        config=configs.logistic_null,
        probability_config=configs.probability,
    )
    if logistic.status is not NullStatus.CONVERGED:
        return BinaryNull(logistic=logistic, firth=None, trait_null=None, firth_model=None)
    null = trait_null(padded_cases, padded_basis, present, logistic.probabilities, configs.basis)
    if not with_firth:
        return BinaryNull(logistic=logistic, firth=None, trait_null=null, firth_model=None)
    firth = fit_firth_null(
        padded_cases,
        padded_basis,
        offset,
        present,
        logistic.coefficients,
        config=configs.firth_null,
        probability_config=configs.probability,
    )
    if firth.status is not NullStatus.CONVERGED:
        return BinaryNull(logistic=logistic, firth=firth, trait_null=None, firth_model=None)
    return BinaryNull(
        logistic=logistic, firth=firth, trait_null=null, firth_model=firth_model(null, firth.linear_predictor)
    )
