"""Approximate Firth test: one coefficient per variant, covariates held at their null Firth fit.

Belongs here: the likelihood of many variants side by side, one a lane, and the state of their fits. Does not belong
here: what a fit does next (firth_decisions.py), keeping the lanes full (firth_batches.py), the null fit
(firth_null.py).

Every evaluation of the likelihood at a coefficient needs four sums over samples only, because the score on fixed
pseudo-data ``sum v (y + h (1/2 - p_outer) - p)`` is ``sum v (y - p)`` plus a constant of the outer iteration. A turn is
one such evaluation of every lane followed by scalar decisions, whichever algorithm the lane is in.
"""

from dataclasses import dataclass, replace
from enum import IntEnum

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax import lax

from g_core.kernels.probability import deviance, probability
from g_core.kernels.sample_sums import row_products
from g_core.kernels.score import TraitNull
from g_core.kernels.settings import FirthApproximateConfig, ProbabilityConfig

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
class FirthLanes:
    """State of B fits between turns.

    Attributes:
        genotype: [B, C] float64, dosage without its weighted regression on the covariates; 0 for samples left out.
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
        pseudo_data_failure: [B] PseudoDataFailure.
    """

    genotype: jax.Array
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
    pseudo_data_failure: jax.Array


def firth_model(null: TraitNull, offset: FloatArray) -> FirthModel:
    """Put a trait's null models on the device.

    Args:
        null: from the null logistic fit.
        offset: [C] linear predictor of the null Firth fit.
    """
    return FirthModel(
        cases=jnp.asarray(null.cases),
        present=jnp.asarray(null.present),
        offset=jnp.asarray(offset),
        weighted_root_basis=jnp.asarray(np.sqrt(null.weights)[:, None] * null.weighted_basis),
        projection=jnp.asarray(null.projection),
    )


def empty_lanes(n_lanes: int, n_columns: int) -> FirthLanes:
    """Return lanes without a candidate: all final, so that a turn leaves them alone."""
    zeros = jnp.zeros(n_lanes)
    integers = jnp.zeros(n_lanes, dtype=jnp.int32)
    return FirthLanes(
        genotype=jnp.zeros((n_lanes, n_columns)),
        phase=jnp.full(n_lanes, FirthPhase.FAILED, dtype=jnp.int32),
        trial=zeros,
        null=LikelihoodSums(zeros, zeros, zeros, zeros),
        iteration=integers,
        iteration_limit=integers,
        inner=integers,
        step=zeros,
        fixed_correction=zeros,
        remembered=zeros,
        origin=zeros,
        accepted_deviance=zeros,
        beta=zeros,
        information=zeros,
        likelihood_ratio=zeros,
        pseudo_data_failure=integers,
    )


def load_lanes(
    lanes: FirthLanes,
    fresh: jax.Array,
    values: jax.Array,
    unit: jax.Array,
    centre: jax.Array,
    sparse_and_rare: jax.Array,
    model: FirthModel,
    config: FirthApproximateConfig,
) -> FirthLanes:
    """Put new candidates into the fresh lanes; arguments as in advance_lanes."""
    dosage = centre[:, None] + unit[:, None] * values.astype(jnp.float64)
    adjusted = dosage - row_products(dosage, model.weighted_root_basis) @ model.projection.T
    carriers = (dosage > config.carrier_dosage) & model.present
    # Samples that are no carriers keep their probability at the offset whatever the coefficient: their deviance cancels
    # in the likelihood ratio, and a genotype of 0 takes them out of the other sums.
    only_carriers = sparse_and_rare & jnp.any(carriers, axis=1)
    used = model.present & (carriers | ~only_carriers[:, None])
    genotype = jnp.where(fresh[:, None], jnp.where(used, adjusted, 0.0), lanes.genotype)
    limit = jnp.where(sparse_and_rare, config.pseudo_max_iterations_sparse, config.pseudo_max_iterations)
    started = replace(
        empty_lanes(*genotype.shape),
        phase=jnp.full_like(lanes.phase, FirthPhase.START),
        iteration_limit=limit.astype(jnp.int32),
    )
    return select_lanes(fresh, started, lanes, genotype)


def select_lanes(choose: jax.Array, yes: FirthLanes, no: FirthLanes, genotype: jax.Array) -> FirthLanes:
    """Return ``yes`` where ``choose`` [B], else ``no``, with ``genotype`` [B, C]."""
    picked = [
        genotype if left.ndim == genotype.ndim else jnp.where(choose, left, right)
        for left, right in zip(jax.tree.leaves(yes), jax.tree.leaves(no), strict=True)
    ]
    return jax.tree.unflatten(jax.tree.structure(no), picked)


def evaluate_lanes(
    genotype: jax.Array, coefficient: jax.Array, model: FirthModel, probability_config: ProbabilityConfig
) -> LikelihoodSums:
    """Evaluate every lane at its coefficient: ``genotype`` [B, C], ``coefficient`` [B]."""
    linear_predictor = model.offset + genotype * coefficient[:, None]
    # Materialised once: XLA would otherwise evaluate the exponential again for each of the sums.
    probabilities = lax.optimization_barrier(probability(linear_predictor, probability_config))
    weights = probabilities * (1.0 - probabilities)
    weighted_square = genotype * genotype * weights
    information = jnp.sum(weighted_square, axis=1)
    third_moment = jnp.sum(weighted_square * genotype * (0.5 - probabilities), axis=1)
    return LikelihoodSums(
        penalised_deviance=deviance(model.cases, probabilities, model.present) - jnp.log(information),
        information=information,
        score=jnp.sum(genotype * (model.cases - probabilities), axis=1),
        correction=third_moment / information,
    )
