"""Score test of quantitative traits.

Belongs here: residuals of the traits, the model of one chromosome, the test of one tile. Does not belong here: reading
predictions, deciding which variants are tested.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import NamedTuple

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


@dataclass(frozen=True, slots=True)
class ChromosomeColumns:
    """What the traits of one group are tested with on one chromosome, on the host; K basis columns, T traits.

    Attributes:
        basis: [n, K].
        intercept_remainder: [n, 1] what the basis leaves of a column of ones; [n, 0] where that is nothing but
            rounding, as it is unless the covariates' scaling made REGENIE's rule drop the intercept.
        residuals: [n, T] without their part in the span of the basis (predictions bring one); 0 for a trait that
            cannot be tested.
        coarse: [n, T] their coarse parts.
        fine: [n, T] their fine parts.
        scale_factor: [T] from the unit of the residuals to that of the trait; 0 for a trait that cannot be tested.
        degrees_of_freedom: n - K.
    """

    basis: FloatArray
    intercept_remainder: FloatArray
    residuals: FloatArray
    coarse: FloatArray
    fine: FloatArray
    scale_factor: FloatArray
    degrees_of_freedom: float

    @property
    def intercept_remainder_square(self) -> float:
        """Squared length of what the basis leaves of a column of ones."""
        return float(np.sum(self.intercept_remainder**2))

    @property
    def residual_sums(self) -> FloatArray:
        """[T] sum of each residual."""
        return np.array([float(np.ascontiguousarray(column).sum()) for column in self.residuals.T])

    @property
    def split_block(self) -> FloatArray:
        """Columns of the float32 product: basis | intercept remainder | coarse parts | fine parts."""
        return np.column_stack([self.basis, self.intercept_remainder, self.coarse, self.fine])

    @property
    def whole_block(self) -> FloatArray:
        """Columns of the double-precision product: basis | intercept remainder | residuals."""
        return np.column_stack([self.basis, self.intercept_remainder, self.residuals])


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class LinearModel:
    """What the test of one chromosome needs; K basis columns, T traits.

    Attributes:
        columns: [C, width] float32: the split block, then zeros.
        double_columns: [C, width] float64: the whole block, then zeros.
        scale_factor: [T] float64, see ChromosomeColumns.
        intercept_remainder_square: [] float64, see ChromosomeColumns.
        residual_sum: [T] float64, sum of each residual.
        degrees_of_freedom: [] float64, n - K.
        n_basis: K.
        n_remainders: 1 where the basis leaves something of a column of ones, else 0.
    """

    columns: jax.Array
    double_columns: jax.Array
    scale_factor: jax.Array
    intercept_remainder_square: jax.Array
    residual_sum: jax.Array
    degrees_of_freedom: jax.Array
    n_basis: int = field(metadata={"static": True})
    n_remainders: int = field(metadata={"static": True})


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


def chromosome_columns(prepared: PreparedTraits, predictions: FloatArray, config: LinearConfig) -> ChromosomeColumns:
    """Subtract a chromosome's predictions and scale again; no second projection (spec 4.2, REGENIE compute_res).

    Args:
        prepared: from prepare_traits.
        predictions: [n, T], on the scale of the residuals; 0 without predictions.
        config: when the intercept lies in the span of the basis.
    """
    basis = prepared.basis
    n_samples, n_basis = basis.shape
    degrees_of_freedom = float(n_samples - n_basis)
    remainder = 1.0 - basis @ basis.sum(axis=0)
    has_remainder = float(remainder @ remainder) > config.intercept_remainder_fraction * n_samples
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
    return ChromosomeColumns(
        basis=basis,
        intercept_remainder=remainder[:, None] if has_remainder else np.zeros((n_samples, 0)),
        residuals=residuals,
        coarse=coarse,
        fine=fine,
        scale_factor=scale_factor,
        degrees_of_freedom=degrees_of_freedom,
    )


def chromosome_model(
    prepared: PreparedTraits, predictions: FloatArray, n_padded: int, config: LinearConfig
) -> LinearModel:
    """Put the columns of a chromosome on the device; arguments as chromosome_columns.

    Args:
        prepared: from prepare_traits.
        predictions: [n, T].
        n_padded: C, the columns of a tile.
        config: when the intercept lies in the span of the basis.
    """
    made = chromosome_columns(prepared, predictions, config)
    return LinearModel(
        columns=jax.device_put(product_columns(pad_samples(made.split_block, n_padded))),
        double_columns=jax.device_put(double_columns(pad_samples(made.whole_block, n_padded))),
        scale_factor=jax.device_put(made.scale_factor),
        intercept_remainder_square=jax.device_put(np.asarray(made.intercept_remainder_square)),
        residual_sum=jax.device_put(made.residual_sums),
        degrees_of_freedom=jax.device_put(np.asarray(made.degrees_of_freedom)),
        n_basis=made.basis.shape[1],
        n_remainders=made.intercept_remainder.shape[1],
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
    n_traits = model.scale_factor.shape[0]
    facts = VariantFacts(unit, centre, centred_square_sum)
    shape = BlockShape(model.n_basis, model.n_remainders, n_traits)
    single = merge_parts(genotype_product(values, model.columns), shape)
    denominator = square_sum(single, facts, model.intercept_remainder_square, shape)
    needs_double = jnp.logical_not(whole) | is_mostly_explained(denominator, centred_square_sum, config)
    products = replace_where(
        needs_double[:, None], single, lambda: double_product(values, model.double_columns)[:, : shape.width]
    )
    return score_from_products(
        products,
        facts,
        model.intercept_remainder_square,
        model.degrees_of_freedom,
        model.residual_sum,
        model.scale_factor,
        shape,
        config,
    )


class BlockShape(NamedTuple):
    """How the products of one group's columns are laid out: basis | intercept remainder | residuals."""

    n_basis: int
    n_remainders: int
    n_traits: int

    @property
    def width(self) -> int:
        """Columns, with the residuals in one part."""
        return self.n_basis + self.n_remainders + self.n_traits


class VariantFacts(NamedTuple):
    """unit, centre and centred square sum of a tile's variants, [R] each; see linear_score."""

    unit: jax.Array
    centre: jax.Array
    centred_square_sum: jax.Array


def merge_parts(parts: jax.Array, shape: BlockShape) -> jax.Array:
    """Add the fine parts' products to the coarse parts': [R, width + T or more] to [R, width]."""
    covariates = shape.n_basis + shape.n_remainders
    fine = jnp.pad(parts[:, shape.width : shape.width + shape.n_traits], ((0, 0), (covariates, 0)))
    return parts[:, : shape.width] + fine


def square_sum(products: jax.Array, facts: VariantFacts, remainder_square: jax.Array, shape: BlockShape) -> jax.Array:
    """Return the square sum of what the covariates leave of each dosage, [R], from ``products`` [R, width]."""
    on_basis = products[:, : shape.n_basis] * facts.unit[:, None]
    on_remainder = products[:, shape.n_basis] * facts.unit if shape.n_remainders else jnp.zeros_like(facts.unit)
    return residual_square_sum(on_basis, on_remainder, facts.centre, facts.centred_square_sum, remainder_square)


def is_mostly_explained(denominator: jax.Array, centred_square_sum: jax.Array, config: LinearConfig) -> jax.Array:
    """Return for which variants float32 does not resolve what the covariates leave, [R]."""
    return jnp.logical_not(denominator >= config.double_precision_fraction * centred_square_sum)


def score_from_products(
    products: jax.Array,
    facts: VariantFacts,
    remainder_square: jax.Array,
    degrees_of_freedom: jax.Array,
    residual_sum: jax.Array,
    scale_factor: jax.Array,
    shape: BlockShape,
    config: LinearConfig,
) -> LinearScore:
    """Return the results of one group's traits from the products of its columns, [R, width]."""
    denominator = square_sum(products, facts, remainder_square, shape)
    on_residuals = products[:, shape.n_basis + shape.n_remainders :] * facts.unit[:, None]
    smallest = jnp.maximum(
        degrees_of_freedom * config.minimum_scaled_sd**2,
        config.minimum_unexplained_fraction * facts.centred_square_sum,
    )
    no_variance = jnp.logical_not(denominator >= smallest)
    usable = jnp.where(no_variance, jnp.nan, denominator)

    def test_trait(trait: tuple[jax.Array, jax.Array, jax.Array]) -> LinearStatistics:
        return trait_statistics(facts.centre, usable, *trait)

    statistics = map_traits(test_trait, (on_residuals.T, residual_sum, scale_factor))
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
