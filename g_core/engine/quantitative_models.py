"""The two models of a group of quantitative traits, behind one call: traits that share their samples, and joint ones.

Belongs here: which kernel a group takes, and its model a chromosome. Does not belong here: what a score becomes in a
row (quantitative_test.py).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import jax
import numpy as np
import numpy.typing as npt

from g_core.engine.group_context import GroupContext
from g_core.engine.tiles import Tile, unpack_row_facts
from g_core.kernels import linear, linear_joint, linear_masked
from g_core.kernels.covariate_basis import covariate_basis
from g_core.kernels.settings import LinearConfig

ScoreTile = Callable[[Tile], linear.LinearScore]
"""Starts the test of every variant of a tile against every trait of the group."""


@dataclass(frozen=True, slots=True)
class QuantitativeModels:
    """The traits of a group without their covariate part, and the test on a chromosome.

    Attributes:
        prepared: The traits.
        at: Makes the test of a chromosome, given its code.
    """

    prepared: linear.PreparedTraits
    at: Callable[[int], ScoreTile]


def quantitative_models(context: GroupContext) -> QuantitativeModels:
    """The models of a group."""
    basis = covariate_basis(context.group.design, context.plan.kernels.basis).basis
    return joint_models(context, basis) if context.group.is_joint else separate_models(context, basis)


def separate_models(context: GroupContext, basis: npt.NDArray[np.float64]) -> QuantitativeModels:
    """Every trait has all samples of the group; no trait's result hangs on another."""
    config = context.plan.kernels.linear
    values = np.column_stack([trait.values for trait in context.group.traits])
    prepared = linear.prepare_traits(values, basis, config)

    def at(chromosome_code: int) -> ScoreTile:
        model = linear.chromosome_model(prepared, context.predictions(chromosome_code), context.n_padded, config)
        return lambda tile: score_separate_tile(tile.values, tile.row_facts, model, config)

    return QuantitativeModels(prepared, at)


def joint_models(context: GroupContext, basis: npt.NDArray[np.float64]) -> QuantitativeModels:
    """Traits that differ in their samples, as REGENIE tests them together."""
    config, traits = context.plan.kernels.linear, context.group.traits
    present = np.column_stack([trait.present for trait in traits])
    prepared = linear_joint.prepare_joint_traits(
        np.column_stack([trait.values for trait in traits]),
        np.column_stack([trait.observed for trait in traits]),
        present,
        basis,
        config,
    )

    def at(chromosome_code: int) -> ScoreTile:
        predictions = context.predictions(chromosome_code)
        model = linear_joint.joint_chromosome_model(prepared, present, predictions, context.n_padded)
        return lambda tile: score_joint_tile(tile.values, tile.row_facts, model, config)

    return QuantitativeModels(prepared, at)


@partial(jax.jit, static_argnames=("config",))
def score_separate_tile(
    values: jax.Array, row_facts: jax.Array, model: linear.LinearModel, config: LinearConfig
) -> linear.LinearScore:
    """linear_score of a tile's values and row facts."""
    rows = unpack_row_facts(row_facts)
    return linear.linear_score(values, rows.unit, rows.centre, rows.centred_square_sum, rows.whole, model, config)


@partial(jax.jit, static_argnames=("config",))
def score_masked_tile(
    values: jax.Array,
    row_facts: jax.Array,
    variants: linear_masked.MaskedVariants,
    model: linear_masked.MaskedModel,
    config: LinearConfig,
) -> tuple[linear.LinearScore, ...]:
    """masked_linear_score of a tile's values and row facts."""
    rows = unpack_row_facts(row_facts)
    return linear_masked.masked_linear_score(values, rows.unit, rows.centre, rows.whole, variants, model, config)


@partial(jax.jit, static_argnames=("config",))
def score_joint_tile(
    values: jax.Array, row_facts: jax.Array, model: linear_joint.JointLinearModel, config: LinearConfig
) -> linear.LinearScore:
    """joint_linear_score of a tile's values and row facts."""
    rows = unpack_row_facts(row_facts)
    return linear_joint.joint_linear_score(values, rows.unit, rows.centre, rows.sparse, model, config)
