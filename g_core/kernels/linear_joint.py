"""Score test of quantitative traits that differ in their samples and are analysed together, as REGENIE does it.

Belongs here: REGENIE's joint model (sample mode ``regenie``), peculiarities included. Does not belong here: the test of
traits that share their samples (linear.py).

All traits share one covariate basis, over the samples that have any trait; a missing value is 0 before the covariates
are taken out; and the variance of a sparse variant is computed as though the basis were orthonormal over each trait's
own samples. That is why this mode exists only to reproduce REGENIE's joint runs. It is computed in double precision.
"""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from g_core.kernels.linear import LinearScore, PreparedTraits, TraitStatus
from g_core.kernels.padding import pad_samples
from g_core.kernels.pvalues import log10_p_from_chi_square
from g_core.kernels.residual_columns import double_columns
from g_core.kernels.settings import LinearConfig

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class JointLinearModel:
    """What the test of one chromosome needs; K basis columns, T traits.

    Attributes:
        analysed: [C] float64, 1 for samples that have any trait, 0 for padding.
        basis: [C, at least K] float64, orthonormal over the analysed samples; then zero columns.
        residuals: [C, at least T] float64, 0 outside a trait's own samples.
        present: [C, at least T] float64, 1 for a trait's own samples.
        basis_excess: [T, K, K] identity minus the basis's cross product over the trait's own samples.
        scale_factor: [T] float64, from the unit of the residuals to that of the trait; 0 where it has no variance.
        degrees_of_freedom: [] float64, analysed samples minus K.
    """

    analysed: jax.Array
    basis: jax.Array
    residuals: jax.Array
    present: jax.Array
    basis_excess: jax.Array
    scale_factor: jax.Array
    degrees_of_freedom: jax.Array


def prepare_joint_traits(
    values: FloatArray, observed: BoolArray, present: BoolArray, basis: FloatArray, config: LinearConfig
) -> PreparedTraits:
    """Take the covariates out of the traits and scale them (spec 4.1, REGENIE residualize_phenotypes).

    Args:
        values: [n, T]; what it holds where not observed is not read.
        observed: [n, T] before predictions mask any: only there a value enters the regression on the covariates.
        present: [n, T] a trait's own samples.
        basis: [n, K] orthonormal over the n samples.
        config: when a trait lies in the span.
    """
    n_basis = basis.shape[1]
    columns: list[FloatArray] = []
    scales: list[float] = []
    statuses: list[TraitStatus] = []
    for index in range(values.shape[1]):
        own = present[:, index]
        trait = np.where(observed[:, index], values[:, index], 0.0)
        # A value that predictions mask keeps its raw size here, and counts in the scale: REGENIE masks it later.
        residual = trait - np.where(own, basis @ (basis.T @ trait), 0.0)
        scale = float(np.linalg.norm(residual) / np.sqrt(own.sum() - n_basis))
        total_sd = float(trait[own].std())
        rounding = np.finfo(np.float64).eps * basis.shape[0] * float(np.abs(trait).max(initial=0.0))
        usable = scale > max(config.minimum_residual_sd * total_sd, rounding)
        columns.append(residual / scale if usable else np.zeros_like(residual))
        scales.append(scale if usable else 0.0)
        statuses.append(TraitStatus.OK if usable else TraitStatus.IN_COVARIATE_SPAN)
    return PreparedTraits(
        basis=basis, residuals=np.column_stack(columns), scale=np.array(scales), statuses=tuple(statuses)
    )


def joint_chromosome_model(
    prepared: PreparedTraits, present: BoolArray, predictions: FloatArray, n_padded: int
) -> JointLinearModel:
    """Subtract a chromosome's predictions and scale again (spec 4.2, REGENIE compute_res).

    Args:
        prepared: from prepare_joint_traits.
        present: [n, T].
        predictions: [n, T], 0 where not present.
        n_padded: C.
    """
    basis = prepared.basis
    n_samples, n_basis = basis.shape
    residuals = np.zeros_like(prepared.residuals)
    scale_factor = np.zeros(len(prepared.statuses))
    excess = np.zeros((len(prepared.statuses), n_basis, n_basis))
    for index, status in enumerate(prepared.statuses):
        own = present[:, index]
        residual = np.where(own, prepared.residuals[:, index] - predictions[:, index], 0.0)
        scale = float(np.linalg.norm(residual) / np.sqrt(own.sum() - n_basis))
        excess[index] = np.eye(n_basis) - basis[own].T @ basis[own]
        if status is TraitStatus.OK and scale > 0.0:
            residuals[:, index] = residual / scale
            scale_factor[index] = prepared.scale[index] * scale
    return JointLinearModel(
        analysed=jax.device_put(pad_samples(np.ones(n_samples), n_padded)),
        basis=jax.device_put(double_columns(pad_samples(basis, n_padded))),
        residuals=jax.device_put(double_columns(pad_samples(residuals, n_padded))),
        present=jax.device_put(double_columns(pad_samples(present.astype(np.float64), n_padded))),
        basis_excess=jax.device_put(excess),
        scale_factor=jax.device_put(scale_factor),
        degrees_of_freedom=jax.device_put(float(n_samples - n_basis)),
    )


@partial(jax.jit, static_argnames=("config",))
def joint_linear_score(
    values: jax.Array,
    unit: jax.Array,
    centre: jax.Array,
    sparse: jax.Array,
    model: JointLinearModel,
    config: LinearConfig,
) -> LinearScore:
    """Test every variant of a tile against every trait (spec 4.6 and 4.7, REGENIE compute_score_qt).

    Args:
        values: [R, C] float32; the dosage ``centre + unit * values`` counts ALLELE1, which is never flipped here
            because the sparse formula depends on it.
        unit: [R] float64.
        centre: [R] float64.
        sparse: [R] bool, REGENIE's rule.
        model: of the chromosome.
        config: when a variant has no variance.

    Returns:
        ``denominator`` and ``no_variance`` are [R, T] here.
    """
    n_traits, n_basis = model.basis_excess.shape[:2]
    dosage = (centre[:, None] + unit[:, None] * values.astype(jnp.float64)) * model.analysed
    on_basis = jnp.matmul(dosage, model.basis)
    rest = dosage - jnp.matmul(on_basis, model.basis.T)
    numerator = jnp.matmul(rest, model.residuals)[:, :n_traits]
    squares = rest * rest
    dense = jnp.matmul(squares, model.present)[:, :n_traits]
    covariates = on_basis[:, :n_basis]
    excess = jnp.einsum("rk,tkl,rl->rt", covariates, model.basis_excess, covariates)
    denominator = jnp.where(sparse[:, None], dense + excess, dense)
    flat = jnp.logical_not(jnp.sum(squares, axis=1) >= model.degrees_of_freedom * config.minimum_scaled_sd**2)
    no_variance = flat[:, None] | jnp.logical_not(denominator > 0.0)
    usable = jnp.where(no_variance, jnp.nan, denominator)
    scale = jnp.where(model.scale_factor > 0.0, model.scale_factor, jnp.nan)
    chi_square = numerator * numerator / usable
    return LinearScore(
        beta=numerator / usable * scale,
        se=scale / jnp.sqrt(usable),
        chi_square=chi_square,
        log10_p=log10_p_from_chi_square(chi_square),
        denominator=denominator,
        no_variance=no_variance,
    )
