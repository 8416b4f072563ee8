"""Score test of quantitative traits that lack a few of the samples, each its own, on one product.

Belongs here: the columns of several groups side by side, and the test of one tile. Does not belong here: the test of
one group, whose arithmetic this shares (linear.py); the moments of each group's samples (engine/).

A genotype tile holds the values of all kept samples. A group's columns are 0 for the samples it lacks, so that the
products are those over its own samples. A missing genotype has the mean over all kept samples in the tile, and must
have that over the group's: the difference times the sum of the group's columns over the missing genotypes is added.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from g_core.kernels.linear import (
    BlockShape,
    ChromosomeColumns,
    LinearScore,
    VariantFacts,
    is_mostly_explained,
    merge_parts,
    score_from_products,
    square_sum,
)
from g_core.kernels.padding import product_columns
from g_core.kernels.product import genotype_product
from g_core.kernels.residual_columns import double_columns, double_product, replace_where
from g_core.kernels.settings import LinearConfig

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class GroupColumns:
    """One group's columns on one chromosome, and which kept samples its rows are."""

    columns: ChromosomeColumns
    kept_places: npt.NDArray[np.intp]

    @property
    def shape(self) -> BlockShape:
        """How its products are laid out."""
        made = self.columns
        return BlockShape(made.basis.shape[1], made.intercept_remainder.shape[1], made.residuals.shape[1])


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class MaskedModel:
    """What the test of one chromosome needs; G groups of T_g traits.

    Attributes:
        columns: [C, width] float32: the split block of each group, then zeros.
        double_columns: [C, width] float64: the whole block of each group, then zeros.
        intercept_remainder_square: [G] float64.
        degrees_of_freedom: [G] float64.
        scale_factor: G arrays [T_g] float64.
        residual_sum: G arrays [T_g] float64.
        shapes: How each group's products are laid out.
    """

    columns: jax.Array
    double_columns: jax.Array
    intercept_remainder_square: jax.Array
    degrees_of_freedom: jax.Array
    scale_factor: tuple[jax.Array, ...]
    residual_sum: tuple[jax.Array, ...]
    shapes: tuple[BlockShape, ...] = field(metadata={"static": True})


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class MaskedVariants:
    """What the groups' own samples say of a tile's variants.

    Attributes:
        centred_square_sum: [G, R] float64, over the group's samples, missing genotypes at the group's mean.
        mean_shift: [G, R] float64, the group's mean less that of all kept samples, in units; 0 where no genotype is
            missing.
        missing_products: [R, width] float64, sum of ``double_columns`` over the samples whose genotype is missing.
    """

    centred_square_sum: jax.Array | FloatArray
    mean_shift: jax.Array | FloatArray
    missing_products: jax.Array | FloatArray


def masked_model(groups: Sequence[GroupColumns], n_padded: int) -> MaskedModel:
    """Put the groups' columns side by side on the device.

    Args:
        groups: G of them.
        n_padded: C, the columns of a tile of all kept samples.
    """
    split = np.hstack([scatter(group.columns.split_block, group.kept_places, n_padded) for group in groups])
    whole = np.hstack([scatter(group.columns.whole_block, group.kept_places, n_padded) for group in groups])
    return MaskedModel(
        columns=jax.device_put(product_columns(split)),
        double_columns=jax.device_put(double_columns(whole)),
        intercept_remainder_square=jax.device_put(
            np.array([group.columns.intercept_remainder_square for group in groups])
        ),
        degrees_of_freedom=jax.device_put(np.array([group.columns.degrees_of_freedom for group in groups])),
        scale_factor=tuple(jax.device_put(group.columns.scale_factor) for group in groups),
        residual_sum=tuple(jax.device_put(group.columns.residual_sums) for group in groups),
        shapes=tuple(group.shape for group in groups),
    )


def scatter(block: FloatArray, places: npt.NDArray[np.intp], n_padded: int) -> FloatArray:
    """Return ``block`` [n, W] with its rows at ``places`` of [n_padded, W], 0 elsewhere."""
    scattered = np.zeros((n_padded, block.shape[1]))
    scattered[places] = block
    return scattered


@partial(jax.jit, static_argnames=("config",))
def masked_linear_score(
    values: jax.Array,
    unit: jax.Array,
    centre: jax.Array,
    whole: jax.Array,
    variants: MaskedVariants,
    model: MaskedModel,
    config: LinearConfig,
) -> tuple[LinearScore, ...]:
    """Test every variant of a tile against every trait of every group; see linear_score.

    Args:
        values: [R, C] float32, of all kept samples.
        unit: [R] float64.
        centre: [R] float64.
        whole: [R] bool, the row's values are whole numbers of 8 bits.
        variants: in the groups' own samples.
        model: of the chromosome.
        config: when a variant has no variance.

    Returns:
        One entry a group.
    """
    n_groups = len(model.shapes)
    split_widths = [shape.width + shape.n_traits for shape in model.shapes]
    whole_widths = [shape.width for shape in model.shapes]
    facts = [VariantFacts(unit, centre, variants.centred_square_sum[group]) for group in range(n_groups)]
    parts = cut(genotype_product(values, model.columns), split_widths)
    single = [merge_parts(part, shape) for part, shape in zip(parts, model.shapes, strict=True)]
    needs_double = [
        jnp.logical_not(whole)
        | is_mostly_explained(
            square_sum(single[group], facts[group], model.intercept_remainder_square[group], model.shapes[group]),
            facts[group].centred_square_sum,
            config,
        )
        for group in range(n_groups)
    ]
    columns_of_groups = jnp.concatenate(single, axis=1)
    wants = jnp.concatenate(
        [
            jnp.broadcast_to(each[:, None], (each.shape[0], width))
            for each, width in zip(needs_double, whole_widths, strict=True)
        ],
        axis=1,
    )
    width = columns_of_groups.shape[1]
    products = cut(
        replace_where(wants, columns_of_groups, lambda: double_product(values, model.double_columns)[:, :width]),
        whole_widths,
    )
    missing = cut(jnp.asarray(variants.missing_products)[:, :width], whole_widths)
    return tuple(
        score_from_products(
            products[group] + variants.mean_shift[group][:, None] * missing[group],
            facts[group],
            model.intercept_remainder_square[group],
            model.degrees_of_freedom[group],
            model.residual_sum[group],
            model.scale_factor[group],
            model.shapes[group],
            config,
        )
        for group in range(n_groups)
    )


def cut(products: jax.Array, widths: Sequence[int]) -> list[jax.Array]:
    """Return the columns of each group, one after another."""
    edges = np.cumsum([0, *widths]).tolist()
    return [products[:, edges[group] : edges[group + 1]] for group in range(len(widths))]
