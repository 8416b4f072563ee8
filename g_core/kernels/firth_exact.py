"""Exact Firth test: covariates and variant fitted together, one candidate a lane.

Belongs here: the likelihood of many candidates side by side and the state of their fits. Does not belong here: what a
fit does next (firth_exact_decisions.py), keeping the lanes full (firth_exact_batches.py), the covariates' own fit
(firth_null.py).

The design of a candidate is the covariate basis, shared by all lanes, and one more column, its dosage. So sums over
samples are products of one row a lane with the shared basis, and nothing of size lanes x samples x coefficients is ever
made. As in the approximate test, the score on fixed pseudo-data is the plain score plus a constant of the outer
iteration; a turn is one evaluation of every lane followed by decisions.
"""

from dataclasses import dataclass
from enum import IntEnum

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax import lax
from jax.scipy.linalg import cho_solve

from g_core.kernels.firth_approximate import PseudoDataFailure
from g_core.kernels.firth_queue import host_field
from g_core.kernels.probability import deviance, probability
from g_core.kernels.sample_sums import row_products
from g_core.kernels.settings import ProbabilityConfig

FloatArray = npt.NDArray[np.float64]


class FirthExactPhase(IntEnum):
    """What a lane does in a turn. The first four run, the last three are final."""

    NULL_PSEUDO_DATA = 0
    NULL_NEWTON = 1
    PSEUDO_DATA = 2
    NEWTON = 3
    CONVERGED_PSEUDO_DATA = 4
    CONVERGED_NEWTON = 5
    FAILED = 6


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class FirthExactModel:
    """What the fits of one trait on one chromosome share; K covariates.

    Attributes:
        cases: [C] 0/1.
        columns: [K, C] covariate basis, 0 outside the analysed samples.
        offset: [C] predictions on the logit scale.
        present: [C] bool, samples of the trait.
        analysed: [C] bool, samples of the group. Those not present enter the information with weight 1, as in REGENIE
            (spec 6.2); where every trait has its own complete samples there are none.
        start: [K] coefficients of the covariates' own Firth fit.
        outside_information: [K, K] of the samples analysed and not present.
    """

    cases: jax.Array
    columns: jax.Array
    offset: jax.Array
    present: jax.Array
    analysed: jax.Array
    start: jax.Array
    outside_information: jax.Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class FirthExactPoint:
    """The likelihood of each lane at its trial coefficients; J = K + 1, the dosage last.

    Attributes:
        penalised_deviance: [B] deviance minus log det of the information.
        information: [B, J, J] over analysed samples, those not present at weight 1.
        present_information: [B, J, J] over the samples present.
        genotype_variance: [B] last diagonal element of the inverse of ``information``.
        score: [B, J] unpenalised.
        correction: [B, J] what Firth's penalty adds to the score.
    """

    penalised_deviance: jax.Array
    information: jax.Array
    present_information: jax.Array
    genotype_variance: jax.Array
    score: jax.Array
    correction: jax.Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class FirthExactFits:
    """State of B fits between turns, without their genotypes.

    Attributes:
        phase: [B] FirthExactPhase.
        trial: [B, J] coefficients that the next turn evaluates.
        iteration: [B] of the algorithm that runs; 0 until its start is evaluated.
        inner: [B] steps on this set of pseudo-data, or evaluations of this Newton step.
        compared_score: [B] smallest score so far (pseudo-data) or the last one (Newton).
        strikes: [B] iterations without a smaller score.
        fixed_correction: [B, J] correction of the outer iteration, held while the inner ones run.
        origin: [B, J] accepted coefficients that Newton steps from.
        step: [B, J] under trial from there.
        accepted_deviance: [B] penalised deviance there.
        forced: [B] bool, Newton takes the trial point whatever its deviance.
        null_coefficients: [B, J] of the fit without the variant, whose last element is 0.
        null_deviance: [B] penalised deviance there.
        beta: [B] result.
        se: [B] result.
        likelihood_ratio: [B] result.
        log10_p: [B] of the likelihood ratio, once a batch has returned.
        pseudo_data_failure: [B] PseudoDataFailure of the fit with the variant.
    """

    phase: jax.Array
    trial: jax.Array
    iteration: jax.Array
    inner: jax.Array
    compared_score: jax.Array
    strikes: jax.Array
    fixed_correction: jax.Array
    origin: jax.Array
    step: jax.Array
    accepted_deviance: jax.Array
    forced: jax.Array
    null_coefficients: jax.Array
    null_deviance: jax.Array
    beta: jax.Array
    se: jax.Array
    likelihood_ratio: jax.Array
    log10_p: jax.Array
    pseudo_data_failure: jax.Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class FirthExactLanes:
    """B lanes.

    Attributes:
        genotype: [B, C] float64 dosage, 0 outside the analysed samples.
        outside_information: [B, J, J] of the samples analysed and not present.
        fits: their state.
    """

    genotype: jax.Array
    outside_information: jax.Array
    fits: FirthExactFits


def firth_exact_model(
    *,
    cases: FloatArray,
    basis: FloatArray,
    offset: FloatArray,
    present: npt.NDArray[np.bool_],
    analysed: npt.NDArray[np.bool_],
    start: FloatArray,
) -> FirthExactModel:
    """Put what a trait's fits share on the device.

    Args:
        cases: [C] 0/1.
        basis: [C, K], rows of samples not analysed 0.
        offset: [C] predictions, 0 without.
        present: [C] samples of the trait.
        analysed: [C] samples of the group, padding excluded.
        start: [K] coefficients of fit_firth_null started at 0, which must have converged.
    """
    outside = basis[analysed & ~present]
    return FirthExactModel(
        cases=jax.device_put(cases),
        columns=jax.device_put(np.ascontiguousarray(basis.T)),
        offset=jax.device_put(offset),
        present=jax.device_put(present),
        analysed=jax.device_put(analysed),
        start=jax.device_put(start),
        outside_information=jax.device_put(outside.T @ outside),
    )


def started_exact_fits(n_fits: int, start: FloatArray) -> FirthExactFits:
    """Return fits that have evaluated nothing yet, as numpy arrays; ``start`` [K] their covariate coefficients."""
    floats = np.zeros(n_fits)
    integers = np.zeros(n_fits, dtype=np.int32)
    coefficients = np.tile(np.append(start, 0.0), (n_fits, 1))
    return FirthExactFits(
        phase=host_field(np.full_like(integers, FirthExactPhase.NULL_PSEUDO_DATA)),
        trial=host_field(coefficients),
        iteration=host_field(integers),
        inner=host_field(integers),
        compared_score=host_field(np.full_like(floats, np.inf)),
        strikes=host_field(integers),
        fixed_correction=host_field(np.zeros_like(coefficients)),
        origin=host_field(coefficients),
        step=host_field(np.zeros_like(coefficients)),
        accepted_deviance=host_field(np.full_like(floats, np.inf)),
        forced=host_field(np.zeros(n_fits, dtype=np.bool_)),
        null_coefficients=host_field(coefficients),
        null_deviance=host_field(floats),
        beta=host_field(floats),
        se=host_field(floats),
        likelihood_ratio=host_field(floats),
        log10_p=host_field(floats),
        pseudo_data_failure=host_field(np.full_like(integers, PseudoDataFailure.NONE)),
    )


def load_exact_lanes(
    fits: FirthExactFits, values: jax.Array, unit: jax.Array, centre: jax.Array, model: FirthExactModel
) -> FirthExactLanes:
    """Return the lanes of fits; arguments as in advance_exact_fits."""
    dosage = jnp.where(model.analysed, centre[:, None] + unit[:, None] * values.astype(jnp.float64), 0.0)
    outside = jnp.where(model.present, 0.0, dosage)
    return FirthExactLanes(
        genotype=dosage,
        outside_information=bordered(
            jnp.broadcast_to(model.outside_information, (dosage.shape[0], *model.outside_information.shape)),
            row_products(outside, model.columns.T),
            jnp.sum(outside * outside, axis=1),
        ),
        fits=fits,
    )


def bordered(block: jax.Array, border: jax.Array, corner: jax.Array) -> jax.Array:
    """Return [B, K + 1, K + 1] from ``block`` [B, K, K], ``border`` [B, K] and ``corner`` [B]."""
    above = jnp.concatenate([block, border[:, :, None]], axis=2)
    below = jnp.concatenate([border, corner[:, None]], axis=1)
    return jnp.concatenate([above, below[:, None, :]], axis=1)


def evaluate_exact_lanes(
    lanes: FirthExactLanes, model: FirthExactModel, probability_config: ProbabilityConfig
) -> FirthExactPoint:
    """Evaluate the penalised likelihood of every lane at its trial coefficients (spec 6.1 and 6.5)."""
    genotype, trial, columns = lanes.genotype, lanes.fits.trial, model.columns
    n_basis = columns.shape[0]
    linear_predictor = model.offset + trial[:, :n_basis] @ columns + genotype * trial[:, n_basis:]
    # Materialised once: XLA would otherwise evaluate the exponential again for each of the sums.
    probabilities = lax.optimization_barrier(probability(linear_predictor, probability_config))
    weights = jnp.where(model.present, probabilities * (1.0 - probabilities), 0.0)
    weighted_genotype = weights * genotype

    # One covariate at a time: [B, C] is the largest array.
    rows = lax.map(lambda column: row_products(weights * column, columns.T), columns)
    present_information = bordered(
        jnp.swapaxes(rows, 0, 1),
        row_products(weighted_genotype, columns.T),
        jnp.sum(weighted_genotype * genotype, axis=1),
    )
    information = present_information + lanes.outside_information
    # Not positive definite gives NaN, which no comparison accepts: the run fails.
    factor = jnp.linalg.cholesky(information)
    inverse = jax.vmap(lambda lower: cho_solve((lower, True), jnp.eye(n_basis + 1)))(factor)

    def add_covariate(form: jax.Array, pair: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, None]:
        column, inverse_row = pair
        return form + column * (inverse_row @ columns), None

    from_genotype = genotype * (
        2.0 * (inverse[:, n_basis, :n_basis] @ columns) + inverse[:, n_basis, n_basis, None] * genotype
    )
    inverse_rows = jnp.swapaxes(inverse[:, :n_basis, :n_basis], 0, 1)
    quadratic_form, _ = lax.scan(add_covariate, from_genotype, (columns, inverse_rows))
    penalty = weights * quadratic_form * (0.5 - probabilities)
    residual = jnp.where(model.present, model.cases - probabilities, 0.0)

    def on_design(vector: jax.Array) -> jax.Array:
        return jnp.concatenate([row_products(vector, columns.T), jnp.sum(vector * genotype, axis=1)[:, None]], axis=1)

    log_determinant = 2.0 * jnp.sum(jnp.log(jnp.diagonal(factor, axis1=1, axis2=2)), axis=1)
    return FirthExactPoint(
        penalised_deviance=deviance(model.cases, probabilities, model.present) - log_determinant,
        information=information,
        present_information=present_information,
        genotype_variance=inverse[:, n_basis, n_basis],
        score=on_design(residual),
        correction=on_design(penalty),
    )
