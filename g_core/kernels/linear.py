"""Score test of quantitative traits.

Belongs here: residuals of the traits, the model of one chromosome, the test of one tile. Does not belong here: reading
predictions, deciding which variants are tested.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from g_core.kernels.isolation import isolated, map_traits
from g_core.kernels.padding import pad_samples, product_columns
from g_core.kernels.product import genotype_product
from g_core.kernels.pvalues import log10_p_from_chi_square
from g_core.kernels.residual_columns import double_columns, double_product, replace_where, split_residual
from g_core.kernels.settings import LinearConfig

FloatArray = npt.NDArray[np.float64]


class TraitStatus(StrEnum):
    """Whether a quantitative trait can be tested."""

    OK = "ok"
    IN_COVARIATE_SPAN = "in_covariate_span"


@dataclass(frozen=True, slots=True)
class PreparedTraits:
    """Traits of one group without their covariate part, at unit variance.

    Attributes:
        basis: [n, K] orthonormal.
        residuals: [n, T]; 0 where the trait lies in the covariate span.
        scale: [T] residual standard deviation in the trait's own unit.
        statuses: T entries.
    """

    basis: FloatArray
    residuals: FloatArray
    scale: FloatArray
    statuses: tuple[TraitStatus, ...]


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class LinearModel:
    """What the test of one chromosome needs; K basis columns, T traits.

    Attributes:
        columns: [C, width] float32: basis | intercept remainder | coarse parts | fine parts of the residuals | zeros.
        double_columns: [C, width] float64: basis | intercept remainder | residuals | zeros. The residuals are without
            their part in the span of the basis (predictions bring one).
        scale_factor: [T] float64, from the unit of the residuals to that of the trait; 0 where it has no variance.
        intercept_remainder_square: [] float64, squared length of what the basis leaves of a column of ones. It is 0
            but for rounding unless the covariates' scaling made REGENIE's rule drop the intercept.
        residual_sum: [T] float64, sum of each residual.
        n_basis: K.
        degrees_of_freedom: [] float64, n - K.
    """

    columns: jax.Array
    double_columns: jax.Array
    scale_factor: jax.Array
    intercept_remainder_square: jax.Array
    residual_sum: jax.Array
    degrees_of_freedom: jax.Array
    n_basis: int = field(metadata={"static": True})


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class LinearStatistics:
    """Results of one trait in one tile, or of all with the traits first; see LinearScore."""

    beta: jax.Array
    se: jax.Array
    chi_square: jax.Array
    log10_p: jax.Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class LinearScore:
    """Results of one tile, float64, of the flipped allele; NaN where there is no variance.

    Attributes:
        beta: [R, T] in the trait's unit per allele.
        se: [R, T].
        chi_square: [R, T].
        log10_p: [R, T].
        denominator: [R, T] residual square sum of the dosage.
        no_variance: [R, T] bool.
    """

    beta: jax.Array
    se: jax.Array
    chi_square: jax.Array
    log10_p: jax.Array
    denominator: jax.Array
    no_variance: jax.Array


def prepare_traits(values: FloatArray, basis: FloatArray, config: LinearConfig) -> PreparedTraits:
    """Take the covariates out of the traits and scale them to unit variance (spec 4.1 steps 4 and 5).

    Args:
        values: [n, T], no missing value.
        basis: [n, K] orthonormal.
        config: when a trait lies in the span.
    """
    columns: list[FloatArray] = []
    scales: list[float] = []
    statuses: list[TraitStatus] = []
    # One trait at a time: a product over several would round differently with other traits beside this one.
    for index in range(values.shape[1]):
        # The centre is in the span wherever the intercept is; taking it out first keeps the digits of a large offset.
        trait = np.ascontiguousarray(values[:, index])
        centred = trait - trait.mean()
        residual = centred - basis @ (basis.T @ centred)
        remainder = 1.0 - basis @ basis.sum(axis=0)
        residual = residual + trait.mean() * remainder
        scale = float(np.linalg.norm(residual) / np.sqrt(basis.shape[0] - basis.shape[1]))
        total_sd = float(centred.std())
        rounding = np.finfo(np.float64).eps * basis.shape[0] * float(np.abs(trait).max(initial=0.0))
        usable = scale > max(config.minimum_residual_sd * total_sd, rounding)
        columns.append(residual / scale if usable else np.zeros_like(residual))
        scales.append(scale if usable else 0.0)
        statuses.append(TraitStatus.OK if usable else TraitStatus.IN_COVARIATE_SPAN)
    return PreparedTraits(
        basis=basis, residuals=np.column_stack(columns), scale=np.array(scales), statuses=tuple(statuses)
    )


def chromosome_model(prepared: PreparedTraits, predictions: FloatArray, n_padded: int) -> LinearModel:
    """Subtract a chromosome's predictions and scale again; no second projection (spec 4.2, REGENIE compute_res).

    Args:
        prepared: from prepare_traits.
        predictions: [n, T], on the scale of the residuals; 0 without predictions.
        n_padded: C, the columns of a tile.
    """
    basis = prepared.basis
    n_samples, n_basis = basis.shape
    degrees_of_freedom = float(n_samples - n_basis)
    intercept_remainder = 1.0 - basis @ basis.sum(axis=0)
    residuals = np.zeros_like(prepared.residuals)
    scale_factor = np.zeros(len(prepared.statuses))
    coarse, fine = np.zeros_like(residuals), np.zeros_like(residuals)
    for index, status in enumerate(prepared.statuses):
        residual = prepared.residuals[:, index] - predictions[:, index]
        scale = float(np.linalg.norm(residual) / np.sqrt(degrees_of_freedom))
        if status is TraitStatus.OK and scale > 0.0:
            scaled = residual / scale
            residuals[:, index] = scaled - basis @ (basis.T @ scaled)
            coarse[:, index], fine[:, index] = split_residual(residuals[:, index])
            scale_factor[index] = prepared.scale[index] * scale
    columns = np.column_stack([basis, intercept_remainder, coarse, fine])
    exact_columns = np.column_stack([basis, intercept_remainder, residuals])
    return LinearModel(
        columns=jax.device_put(product_columns(pad_samples(columns, n_padded))),
        double_columns=jax.device_put(double_columns(pad_samples(exact_columns, n_padded))),
        scale_factor=jax.device_put(scale_factor),
        intercept_remainder_square=jax.device_put(float(intercept_remainder @ intercept_remainder)),
        residual_sum=jax.device_put(np.array([float(np.ascontiguousarray(column).sum()) for column in residuals.T])),
        degrees_of_freedom=jax.device_put(degrees_of_freedom),
        n_basis=n_basis,
    )


@partial(jax.jit, static_argnames=("config",))
def linear_score(
    values: jax.Array,
    unit: jax.Array,
    centre: jax.Array,
    centred_square_sum: jax.Array,
    whole: jax.Array,
    model: LinearModel,
    config: LinearConfig,
) -> LinearScore:
    """Test every variant of a tile against every trait (spec 4.5 and 4.7, REGENIE compute_score).

    The dosage is ``centre + unit * values``. With P the projection on the basis and e what it leaves of ones,
    ``(I - P) g = (I - P) unit * values + centre * e``; e is 0 while the intercept is in the span, which is why any
    centring is harmless.

    Args:
        values: [R, C] float32.
        unit: [R] float64.
        centre: [R] float64.
        centred_square_sum: [R] float64, sum of (unit * values) squared without rounding.
        whole: [R] bool, the row's values are whole numbers of 8 bits.
        model: of the chromosome.
        config: when a variant has no variance.
    """
    n_basis, n_traits = model.n_basis, model.scale_factor.shape[0]
    width = n_basis + 1 + n_traits

    def square_sum(products: jax.Array) -> jax.Array:
        on_basis, on_remainder = products[:, :n_basis] * unit[:, None], products[:, n_basis] * unit
        return residual_square_sum(on_basis, on_remainder, centre, centred_square_sum, model.intercept_remainder_square)

    parts = genotype_product(values, model.columns)
    fine = jnp.pad(parts[:, width : width + n_traits], ((0, 0), (n_basis + 1, 0)))
    single = parts[:, :width] + fine
    is_explained = jnp.logical_not(square_sum(single) >= config.double_precision_fraction * centred_square_sum)
    needs_double = jnp.logical_not(whole) | is_explained
    products = replace_where(
        needs_double[:, None], single, lambda: double_product(values, model.double_columns)[:, :width]
    )
    denominator = square_sum(products)
    on_residuals = products[:, n_basis + 1 :] * unit[:, None]
    smallest = jnp.maximum(
        model.degrees_of_freedom * config.minimum_scaled_sd**2,
        config.minimum_unexplained_fraction * centred_square_sum,
    )
    no_variance = jnp.logical_not(denominator >= smallest)
    usable = jnp.where(no_variance, jnp.nan, denominator)

    def test_trait(trait: tuple[jax.Array, jax.Array, jax.Array]) -> LinearStatistics:
        return trait_statistics(centre, usable, *trait)

    statistics = map_traits(test_trait, (on_residuals.T, model.residual_sum, model.scale_factor))
    return LinearScore(
        beta=statistics.beta.T,
        se=statistics.se.T,
        chi_square=statistics.chi_square.T,
        log10_p=statistics.log10_p.T,
        denominator=jnp.broadcast_to(denominator[:, None], statistics.beta.T.shape),
        no_variance=jnp.broadcast_to(no_variance[:, None], statistics.beta.T.shape),
    )


@isolated
def residual_square_sum(
    on_basis: jax.Array,
    on_remainder: jax.Array,
    centre: jax.Array,
    centred_square_sum: jax.Array,
    remainder_square: jax.Array,
) -> jax.Array:
    """Return the square sum of what the covariates leave of each dosage, [R].

    Args:
        on_basis: [R, K] products of the centred dosage.
        on_remainder: [R] the same with the intercept remainder.
        centre: [R].
        centred_square_sum: [R].
        remainder_square: [].
    """
    explained = jnp.sum(on_basis * on_basis, axis=-1)
    return centred_square_sum - explained + centre * (2.0 * on_remainder + centre * remainder_square)


@isolated
def trait_statistics(
    centre: jax.Array,
    denominator: jax.Array,
    on_residual: jax.Array,
    residual_sum: jax.Array,
    scale_factor: jax.Array,
) -> LinearStatistics:
    """Return the results of one trait, [R] each.

    Args:
        centre: [R].
        denominator: [R], NaN where there is no variance.
        on_residual: [R].
        residual_sum: [].
        scale_factor: [], 0 where the trait has no variance.
    """
    numerator = on_residual + centre * residual_sum
    scale = jnp.where(scale_factor > 0.0, scale_factor, jnp.nan)
    beta = numerator / denominator * scale
    se = scale / jnp.sqrt(denominator)
    chi_square = (beta / se) ** 2
    return LinearStatistics(beta=beta, se=se, chi_square=chi_square, log10_p=log10_p_from_chi_square(chi_square))
