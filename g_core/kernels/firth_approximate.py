"""Approximate Firth test: one coefficient per variant, covariates held at their null Firth fit.

Belongs here: the model of a trait and the state of its fits, one a lane. Does not belong here: the likelihood
(firth_likelihood.py), what a fit does next (firth_decisions.py), which fits run side by side (firth_batches.py), the
null fit (firth_null.py).

Every evaluation of the likelihood at a coefficient needs four sums over samples only, because the score on fixed
pseudo-data ``sum v (y + h (1/2 - p_outer) - p)`` is ``sum v (y - p)`` plus a constant of the outer iteration. A turn is
one such evaluation of every lane followed by scalar decisions, whichever algorithm the lane is in.
"""

from dataclasses import dataclass
from enum import IntEnum

import jax
import numpy as np
import numpy.typing as npt

from g_core.kernels.firth_queue import host_field
from g_core.kernels.score import TraitNull
from g_core.kernels.settings import FirthApproximateConfig

FloatArray = npt.NDArray[np.float64]


class FirthPhase(IntEnum):
    """What a lane does in a turn. The first three run, the last three are final."""

    START = 0
    PSEUDO_DATA = 1
    NEWTON = 2
    CONVERGED_PSEUDO_DATA = 3
    CONVERGED_NEWTON = 4
    FAILED = 5


class PseudoDataFailure(IntEnum):
    """Why the pseudo-data algorithm handed a variant to Newton (REGENIE's codes)."""

    NONE = 0
    NOT_CONVERGED = 1
    STEP_GREW = 2
    NO_INFORMATION = 3
    NEGATIVE_LIKELIHOOD_RATIO = 4


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class FirthModel:
    """What the fits of one trait on one chromosome share; K' weighted basis columns.

    Attributes:
        cases: [C] 0/1.
        present: [C] bool.
        offset: [C] linear predictor of the null Firth fit.
        weighted_root_basis: [C, K'] sqrt(w) * weighted basis, w of the null *logistic* fit.
        projection: [C, K'] see TraitNull.
    """

    cases: jax.Array
    present: jax.Array
    offset: jax.Array
    weighted_root_basis: jax.Array
    projection: jax.Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class LikelihoodSums:
    """The likelihood of each lane at one coefficient, [B] each.

    Attributes:
        penalised_deviance: deviance minus log of the information.
        information: sum v^2 w.
        score: sum v (y - p), unpenalised.
        correction: sum v h (1/2 - p), h the hat values: what Firth's penalty adds to the score.
    """

    penalised_deviance: jax.Array
    information: jax.Array
    score: jax.Array
    correction: jax.Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class FirthFits:
    """State of B fits between turns; on the host, numpy arrays of all candidates.

    Attributes:
        phase: [B] FirthPhase.
        trial: [B] the coefficient that the next turn evaluates.
        null: sums at coefficient 0.
        iteration: [B] outer iteration.
        iteration_limit: [B] of the pseudo-data algorithm.
        inner: [B] evaluations in this outer iteration (pseudo-data) or of this step (Newton).
        step: [B] size of the last unclipped step (pseudo-data), or the step under trial (Newton).
        fixed_correction: [B] correction of the outer iteration, held while the inner ones run.
        remembered: [B] coefficient at the drift iteration.
        origin: [B] accepted coefficient that Newton steps from.
        accepted_deviance: [B] penalised deviance there.
        beta: [B] result.
        information: [B] at the result.
        likelihood_ratio: [B] result.
        log10_p: [B] of the likelihood ratio, once a batch has returned.
        pseudo_data_failure: [B] PseudoDataFailure.
    """

    phase: jax.Array
    trial: jax.Array
    null: LikelihoodSums
    iteration: jax.Array
    iteration_limit: jax.Array
    inner: jax.Array
    step: jax.Array
    fixed_correction: jax.Array
    remembered: jax.Array
    origin: jax.Array
    accepted_deviance: jax.Array
    beta: jax.Array
    information: jax.Array
    likelihood_ratio: jax.Array
    log10_p: jax.Array
    pseudo_data_failure: jax.Array


def firth_model(null: TraitNull, offset: FloatArray) -> FirthModel:
    """Put a trait's null models on the device.

    Args:
        null: from the null logistic fit.
        offset: [C] linear predictor of the null Firth fit.
    """
    return FirthModel(
        cases=jax.device_put(null.cases),
        present=jax.device_put(null.present),
        offset=jax.device_put(offset),
        weighted_root_basis=jax.device_put(np.sqrt(null.weights)[:, None] * null.weighted_basis),
        projection=jax.device_put(null.projection),
    )


def started_fits(sparse_and_rare: npt.NDArray[np.bool_], config: FirthApproximateConfig) -> FirthFits:
    """Return fits that have evaluated nothing yet, as numpy arrays.

    Args:
        sparse_and_rare: [B] candidates that may take more iterations.
        config: how many.
    """
    floats = np.zeros(sparse_and_rare.shape[0])
    integers = np.zeros(sparse_and_rare.shape[0], dtype=np.int32)
    limit = np.where(sparse_and_rare, config.pseudo_max_iterations_sparse, config.pseudo_max_iterations)
    return FirthFits(
        phase=host_field(np.full_like(integers, FirthPhase.START)),
        trial=host_field(floats),
        null=LikelihoodSums(*(host_field(floats) for _ in range(4))),
        iteration=host_field(integers),
        iteration_limit=host_field(limit.astype(np.int32)),
        inner=host_field(integers),
        step=host_field(floats),
        fixed_correction=host_field(floats),
        remembered=host_field(floats),
        origin=host_field(floats),
        accepted_deviance=host_field(floats),
        beta=host_field(floats),
        information=host_field(floats),
        likelihood_ratio=host_field(floats),
        log10_p=host_field(floats),
        pseudo_data_failure=host_field(integers),
    )
