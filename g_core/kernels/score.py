"""Score test of binary traits.

Belongs here: the weighted basis of a fitted null model, the model of one chromosome, the test of one tile. Does not
belong here: fitting the null model (logistic_null.py), corrections (firth_approximate.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from g_core.kernels.covariate_basis import covariate_basis
from g_core.kernels.isolation import isolated, map_traits
from g_core.kernels.padding import product_columns
from g_core.kernels.product import genotype_product, genotype_square_product
from g_core.kernels.pvalues import log10_p_from_chi_square
from g_core.kernels.residual_columns import double_columns, double_product, replace_where, split_residual
from g_core.kernels.settings import BasisConfig, ScoreConfig

FloatArray = npt.NDArray[np.float64]

# After the weighted basis, each trait's block of products holds those with sqrt(w) * remainder, y, and y - p; the
# float32 columns have the latter in two parts.
TRAILING_PRODUCTS = 3


@dataclass(frozen=True, slots=True)
class TraitNull:
    """What the tests of one binary trait need from its null model on one chromosome; K' weighted basis columns.

    Attributes:
        cases: [C] 0/1.
        present: [C] bool.
        probabilities: [C] of the null logistic fit.
        weights: [C] p (1 - p), 0 where absent.
        weighted_basis: [C, K'] orthonormal, spans sqrt(weights) * basis.
        projection: [C, K'] with ``g - projection @ (weighted_root_basis' g)`` the genotype without its weighted
            regression on the covariates.
    """

    cases: FloatArray
    present: npt.NDArray[np.bool_]
    probabilities: FloatArray
    weights: FloatArray
    weighted_basis: FloatArray
    projection: FloatArray


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class BinaryModel:
    """What the score test of one chromosome needs; T traits, K columns of a weighted basis each.

    Attributes:
        columns: [C, width] float32: per trait K columns sqrt(w) * basis | sqrt(w) * remainder | y | coarse part of
            y - p | fine part; then zeros.
        double_columns: [C, width] float64: the same with y - p in one.
        square_columns: [C, width] float32: w of each trait less its mean, then zeros. The mean's part of a weighted
            square sum is exact, and what remains has terms of either sign, whose float32 sum has no drift.
        double_square_columns: [C, width] float64: w of each trait, then zeros.
        mean_weight: [T] float64.
        residual_on_basis: [T, K] float64, weighted basis' (y - p) / sqrt(w); the score the fit stopped at.
        remainder_square: [T] float64, squared length of the remainder: what the weighted basis leaves of sqrt(w).
        residual_on_remainder: [T] float64.
        residual_sum: [T] float64, sum of y - p.
        double_precision: [] bool, whether every variant takes the double-precision columns.
    """

    columns: jax.Array
    double_columns: jax.Array
    square_columns: jax.Array
    double_square_columns: jax.Array
    mean_weight: jax.Array
    residual_on_basis: jax.Array
    remainder_square: jax.Array
    residual_on_remainder: jax.Array
    residual_sum: jax.Array
    double_precision: jax.Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class BinaryScore:
    """Results of one tile, float64 [R, T], of the flipped allele on the log-odds scale; NaN where no variance.

    Attributes:
        statistic: signed square root of chi_square; what is compared with the correction threshold.
        beta: one-step estimate.
        se: its standard error.
        chi_square: the statistic squared.
        log10_p: of chi_square.
        denominator: weighted residual square sum of the dosage.
        no_variance: bool.
        case_value_sum: sum of ``values`` over the cases, for the frequencies by case status.
    """

    statistic: jax.Array
    beta: jax.Array
    se: jax.Array
    chi_square: jax.Array
    log10_p: jax.Array
    denominator: jax.Array
    no_variance: jax.Array
    case_value_sum: jax.Array


def trait_null(
    cases: FloatArray,
    basis: FloatArray,
    present: npt.NDArray[np.bool_],
    probabilities: FloatArray,
    basis_config: BasisConfig,
) -> TraitNull:
    """Build the weighted basis of a trait whose null logistic fit converged (spec 5.3).

    Args:
        cases: [C].
        basis: [C, K], rows of absent samples 0.
        present: [C].
        probabilities: [C] fitted.
        basis_config: the cut-off, the same as for the covariates.
    """
    weights = np.where(present, probabilities * (1.0 - probabilities), 0.0)
    weighted = covariate_basis(np.sqrt(weights)[:, None] * basis, basis_config)
    return TraitNull(
        cases=cases,
        present=present,
        probabilities=probabilities,
        weights=weights,
        weighted_basis=weighted.basis,
        projection=basis @ weighted.coordinates,
    )


def binary_model(
    nulls: Sequence[TraitNull | None], n_padded: int, n_basis: int, *, double_precision: bool
) -> BinaryModel:
    """Pack the traits of one chromosome; a trait whose null model failed (None) gets zero columns, so no variance.

    Args:
        nulls: T entries.
        n_padded: C.
        n_basis: K, columns reserved per trait; a weighted basis with fewer leaves zeros.
        double_precision: for traits that lack some of the group's samples. Each of those has the same centred weight,
            minus the mean, whose repeated addition float32 rounds the same way each time.
    """
    single_blocks: list[FloatArray] = []
    double_blocks: list[FloatArray] = []
    weights = np.zeros((n_padded, len(nulls)))
    centred_weights = np.zeros_like(weights)
    mean_weight = np.zeros(len(nulls))
    residual_on_basis = np.zeros((len(nulls), n_basis))
    remainder_square = np.zeros(len(nulls))
    residual_on_remainder = np.zeros(len(nulls))
    residual_sum = np.zeros(len(nulls))
    for index, null in enumerate(nulls):
        block = np.zeros((n_padded, n_basis + TRAILING_PRODUCTS))
        if null is not None:
            width = null.weighted_basis.shape[1]
            root = np.sqrt(null.weights)
            raw_residual = np.where(null.present, null.cases - null.probabilities, 0.0)
            residual = raw_residual / np.where(root > 0.0, root, 1.0)
            remainder = root - null.weighted_basis @ (null.weighted_basis.T @ root)
            block[:, :width] = root[:, None] * null.weighted_basis
            block[:, n_basis] = root * remainder
            block[:, n_basis + 1] = np.where(null.present, null.cases, 0.0)
            block[:, n_basis + 2] = raw_residual
            mean_weight[index] = null.weights.sum() / np.count_nonzero(null.present)
            weights[:, index] = null.weights
            centred_weights[:, index] = null.weights - mean_weight[index]
            residual_on_basis[index, :width] = null.weighted_basis.T @ residual
            remainder_square[index] = remainder @ remainder
            residual_on_remainder[index] = remainder @ residual
            residual_sum[index] = raw_residual.sum()
        double_blocks.append(block)
        single_blocks.append(np.column_stack([block[:, :-1], *split_residual(block[:, -1])]))
    return BinaryModel(
        columns=jax.device_put(product_columns(np.hstack(single_blocks))),
        double_columns=jax.device_put(double_columns(np.hstack(double_blocks))),
        square_columns=jax.device_put(product_columns(centred_weights)),
        double_square_columns=jax.device_put(double_columns(weights)),
        mean_weight=jax.device_put(mean_weight),
        residual_on_basis=jax.device_put(residual_on_basis),
        remainder_square=jax.device_put(remainder_square),
        residual_on_remainder=jax.device_put(residual_on_remainder),
        residual_sum=jax.device_put(residual_sum),
        double_precision=jax.device_put(double_precision),
    )


@partial(jax.jit, static_argnames=("config",))
def binary_score(
    values: jax.Array,
    unit: jax.Array,
    centre: jax.Array,
    centred_square_sum: jax.Array,
    whole: jax.Array,
    sparse: jax.Array,
    model: BinaryModel,
    config: ScoreConfig,
) -> BinaryScore:
    """Test every variant of a tile against every trait (spec 5.3, REGENIE compute_score_bt).

    The dosage is ``centre + unit * values``. Centring by any constant is harmless: sqrt(w) is in the span of the
    weighted basis while the intercept is in that of the covariates, so the projection takes the weighted mean out; what
    the basis leaves of sqrt(w) is 0 but for rounding then, and is carried exactly where it is not.

    The residual is orthogonal to the covariates as far as the null fit converged. What is left is taken out of the
    numerator, except of sparse variants: there REGENIE leaves it in.

    Args:
        values: [R, C] float32.
        unit: [R] float64.
        centre: [R] float64.
        centred_square_sum: [R] float64, sum of (unit * values) squared without rounding.
        whole: [R] bool, the row's values are whole numbers of 8 bits.
        sparse: [R] bool, REGENIE's rule.
        model: of the chromosome.
        config: when a variant has no variance.
    """
    n_traits, n_basis = model.residual_on_basis.shape
    n_products = n_basis + TRAILING_PRODUCTS

    def by_block(product: jax.Array, width: int) -> jax.Array:
        return product[:, : n_traits * width].reshape(-1, n_traits, width)

    parts = by_block(genotype_product(values, model.columns), n_products + 1)
    fine = jnp.pad(parts[:, :, n_products:], ((0, 0), (0, 0), (n_products - 1, 0)))
    single = parts[:, :, :n_products] + fine
    single_squares = genotype_square_product(values, model.square_columns)[:, :n_traits]

    def is_explained(trait: tuple[jax.Array, ...]) -> jax.Array:
        return mostly_explained(unit, centred_square_sum, *trait, config=config)

    explained = map_traits(
        is_explained, (jnp.swapaxes(single[:, :, :n_basis], 0, 1), single_squares.T, model.mean_weight)
    )
    needs_double = jnp.logical_not(whole)[:, None] | explained.T | model.double_precision
    products = replace_where(
        needs_double[:, :, None], single, lambda: by_block(double_product(values, model.double_columns), n_products)
    )
    squares = replace_where(
        needs_double,
        single_squares,
        lambda: double_product(values.astype(jnp.float64) ** 2, model.double_square_columns)[:, :n_traits],
    )

    def test_trait(trait: tuple[jax.Array, ...]) -> BinaryScore:
        return trait_statistics(unit, centre, centred_square_sum, sparse, *trait, config=config)

    by_trait = map_traits(
        test_trait,
        (
            jnp.swapaxes(products, 0, 1),
            squares.T,
            # Double-precision squares have the mean weight in them. To take it from the exact square sum would leave
            # the rounding of the values in the difference.
            jnp.where(needs_double, 0.0, model.mean_weight).T,
            model.residual_on_basis,
            model.remainder_square,
            model.residual_on_remainder,
            model.residual_sum,
        ),
    )
    return jax.tree.map(jnp.transpose, by_trait)


@isolated
def mostly_explained(
    unit: jax.Array,
    centred_square_sum: jax.Array,
    on_basis: jax.Array,
    square_product: jax.Array,
    mean_weight: jax.Array,
    *,
    config: ScoreConfig,
) -> jax.Array:
    """Return for which variants so little is left of one trait's sums that float32 cannot resolve it, [R].

    The covariates may explain nearly all of a variant; and where nearly all its carriers have next to no weight, such
    as carriers without the trait, the mean weight's part of the weighted square sum and the rest of it cancel.

    Args:
        unit: [R].
        centred_square_sum: [R].
        on_basis: [R, K] of the values with the weighted basis.
        square_product: [R] of the squared values with the centred weights.
        mean_weight: [].
        config: how little.
    """
    at_mean_weight = mean_weight * centred_square_sum
    weighted_square_sum = at_mean_weight + square_product * unit * unit
    explained = jnp.sum(on_basis * on_basis, axis=-1) * unit * unit
    largest = jnp.maximum(at_mean_weight, weighted_square_sum)
    return jnp.logical_not(weighted_square_sum - explained >= config.double_precision_fraction * largest)


@isolated
def trait_statistics(
    unit: jax.Array,
    centre: jax.Array,
    centred_square_sum: jax.Array,
    sparse: jax.Array,
    products: jax.Array,
    square_product: jax.Array,
    mean_weight: jax.Array,
    residual_on_basis: jax.Array,
    remainder_square: jax.Array,
    residual_on_remainder: jax.Array,
    residual_sum: jax.Array,
    *,
    config: ScoreConfig,
) -> BinaryScore:
    """Return the results of one trait, [R] each.

    Args:
        unit: [R].
        centre: [R].
        centred_square_sum: [R].
        sparse: [R].
        products: [R, K + 3] of the values with the trait's columns.
        square_product: [R] of the squared values with the weights less ``mean_weight``.
        mean_weight: [R], 0 where the product has it.
        residual_on_basis: [K].
        remainder_square: [].
        residual_on_remainder: [].
        residual_sum: [].
        config: when a variant has no variance.
    """
    n_basis = residual_on_basis.shape[0]
    scaled = products * unit[:, None]
    on_basis = scaled[:, :n_basis]
    weighted_square_sum = mean_weight * centred_square_sum + square_product * unit * unit
    explained = jnp.sum(on_basis * on_basis, axis=-1)
    dense_numerator = centre * residual_on_remainder - jnp.sum(on_basis * residual_on_basis, axis=-1)
    numerator = scaled[:, n_basis + 2] + jnp.where(sparse, centre * residual_sum, dense_numerator)
    denominator = weighted_square_sum - explained + centre * (2.0 * scaled[:, n_basis] + centre * remainder_square)
    smallest = jnp.maximum(
        config.minimum_denominator_root**2, config.minimum_unexplained_fraction * weighted_square_sum
    )
    no_variance = jnp.logical_not(denominator >= smallest)
    se = 1.0 / jnp.sqrt(jnp.where(no_variance, jnp.nan, denominator))
    statistic = numerator * se
    chi_square = statistic * statistic
    return BinaryScore(
        statistic=statistic,
        beta=statistic * se,
        se=se,
        chi_square=chi_square,
        log10_p=log10_p_from_chi_square(chi_square),
        denominator=denominator,
        no_variance=no_variance,
        case_value_sum=products[:, n_basis + 1],
    )
