"""Tests groups of quantitative traits that each lack a few of the kept samples, on the values of all of them.

Belongs here: which kernel runs when, and each group's genotype facts. Does not belong here: the kernel
(kernels/linear_masked.py), the subtraction of moments (mask_moments.py).
"""

from collections.abc import Callable
from dataclasses import dataclass

import jax
import numpy as np
import numpy.typing as npt

from g_core import _native
from g_core.engine.chunk_scores import chunk_tiles
from g_core.engine.chunks import ChunkSpan
from g_core.engine.group_context import GroupContext, TraitGenotypes, filter_rows, genotype_rows, summarise
from g_core.engine.mask_moments import MaskMoments, join_mask_sums, mask_moments, missing_products
from g_core.engine.quantitative_models import score_masked_tile
from g_core.engine.quantitative_rows import host_scores, rows_of_traits
from g_core.engine.scan import GroupRows
from g_core.engine.stages import Stage
from g_core.engine.tiles import FloatArray, Tile, joined
from g_core.kernels.covariate_basis import covariate_basis
from g_core.kernels.linear import LinearScore, PreparedTraits, chromosome_columns, prepare_traits
from g_core.kernels.linear_masked import GroupColumns, MaskedModel, MaskedVariants, masked_model
from g_core.results.batch import TraitRows


@dataclass(frozen=True, slots=True)
class MaskedGroup:
    """One group: its traits without their covariate part, and which of the kept samples are its own.

    Attributes:
        lacking: The stream's moment set of the kept samples that it lacks.
    """

    context: GroupContext
    lacking: int
    prepared: PreparedTraits
    kept_places: npt.NDArray[np.intp]


class MaskedQuantitativeTest:
    """The linear score test of several groups on one product; models are made when their chromosome begins."""

    def __init__(self, contexts: tuple[GroupContext, ...]) -> None:
        self.context = contexts[0]
        self.groups = tuple(masked_group(context) for context in contexts)
        self.models: dict[int, MaskedModel] = {}
        self.notes: list[str] = []

    def model(self, chromosome_code: int) -> MaskedModel:
        """The columns of a chromosome."""
        if chromosome_code not in self.models:
            with self.context.clock.stage(Stage.NULL_MODELS):
                config = self.context.plan.kernels.linear
                columns = [
                    GroupColumns(
                        chromosome_columns(group.prepared, group.context.predictions(chromosome_code), config),
                        group.kept_places,
                    )
                    for group in self.groups
                ]
                self.models[chromosome_code] = masked_model(columns, self.context.n_padded)
        return self.models[chromosome_code]

    def fit(self, chromosome_code: int) -> None:
        """Make the columns of a chromosome, unless they are there."""
        self.model(chromosome_code)

    def begin(self, chromosome_code: int) -> "MaskedQuantitativeBlock":
        """Begin a block."""
        return MaskedQuantitativeBlock(self.groups, self.model(chromosome_code))


def masked_group(context: GroupContext) -> MaskedGroup:
    """Take the covariates out of a group's traits."""
    basis = covariate_basis(context.group.design, context.plan.kernels.basis).basis
    values = np.column_stack([trait.values for trait in context.group.traits])
    places = np.flatnonzero(np.isin(context.kept_indices, context.group.sample_indices, assume_unique=True))
    lacking = context.sample_sets.lacking
    if lacking is None:
        raise ValueError("the group has values of its own")
    return MaskedGroup(context, lacking, prepare_traits(values, basis, context.plan.kernels.linear), places)


class MaskedQuantitativeBlock:
    """The test of one block."""

    def __init__(self, groups: tuple[MaskedGroup, ...], model: MaskedModel) -> None:
        self.groups = groups
        self.context = groups[0].context
        self.model = model
        self.n_samples = np.array([group.context.n_samples for group in groups])
        self.nothing_missing = jax.device_put(np.zeros((self.context.tile_rows, model.double_columns.shape[1])))
        self.first_variant: int | None = None
        self.flipped: list[npt.NDArray[np.bool_]] = []
        self.masks: list[MaskMoments] = []
        self.n_variants: list[int] = []
        self.scores: list[tuple[LinearScore, ...]] = []

    def add(self, span: ChunkSpan, chunk: _native.DosageChunk) -> None:
        """Start the score kernels of the next chunk."""
        if self.first_variant is None:
            self.first_variant = span.start
        context = self.context
        with context.clock.stage(Stage.COMPUTE):
            kept = chunk.moments(context.sample_sets.values)
            lacking = [chunk.sums(group.lacking) for group in self.groups]
            masks = mask_moments(kept, lacking, self.n_samples)
            with context.clock.stage(Stage.HOST_TO_DEVICE):
                tiles = chunk_tiles(context, chunk, kept, np.zeros(span.n_variants, np.bool_))
            started = [
                score_masked_tile(tile.values, tile.row_facts, variants, self.model, context.plan.kernels.linear)
                for tile, variants in zip(tiles, self.tile_variants(kept, masks, tiles), strict=True)
            ]
            jax.block_until_ready(self.scores[-1:])
        self.flipped.append(kept.flipped)
        self.masks.append(masks)
        self.n_variants += [tile.n_variants for tile in tiles]
        self.scores += started

    def tile_variants(
        self, kept: _native.VariantMoments, masks: MaskMoments, tiles: list[Tile]
    ) -> list[MaskedVariants]:
        """What the kernel is told of each tile's variants."""
        rows = self.context.tile_rows
        width = rows * len(tiles)
        square_sum = padded_columns(masks.centred_square_sum, width)
        shift = padded_columns(masks.mean_shift, width)
        missing = None
        if kept.missing_offsets[-1] > 0:
            missing = missing_products(kept, np.asarray(self.model.double_columns), width)
        return [
            MaskedVariants(
                centred_square_sum=square_sum[:, start : start + rows],
                mean_shift=shift[:, start : start + rows],
                missing_products=self.nothing_missing if missing is None else missing[start : start + rows],
            )
            for start in range(0, width, rows)
        ]

    def finish(self) -> GroupRows:
        """Collect the rows of the block, by trait."""
        if self.first_variant is None:
            raise ValueError("a block without chunks has no rows")
        with self.context.clock.stage(Stage.COMPUTE):
            jax.block_until_ready(self.scores[-1:])
            rows: dict[str, TraitRows] = {}
            for place in range(len(self.groups)):
                rows |= self.group_rows(place, self.first_variant)
            return GroupRows(rows, None)

    def group_rows(self, place: int, first_variant: int) -> dict[str, TraitRows]:
        """The rows of one group's traits."""
        group = self.groups[place]
        context, filters = group.context, group.context.plan.filters
        flipped = np.concatenate(self.flipped)
        haploid_males = context.haploid_males[first_variant : first_variant + flipped.shape[0]]
        summary = summarise(context, haploid_males, join_mask_sums(self.masks, place))
        row_filter = filter_rows((summary,), np.zeros_like(flipped), filters.min_mac, filters.min_info)
        traits = (TraitGenotypes(summary, row_filter),) * len(context.group.traits)
        with context.clock.stage(Stage.DEVICE_TO_HOST):
            scores = host_scores(lambda pick: self.joined(place, pick), flipped)
        return rows_of_traits(context.group, group.prepared.statuses, scores, scores.no_variance, genotype_rows(traits))

    def joined(self, place: int, pick: Callable[[LinearScore], jax.Array]) -> FloatArray:
        """One of a group's results for all variants of the block, on the host."""
        return joined(self.n_variants, [pick(scores[place]) for scores in self.scores])


def padded_columns(values: FloatArray, width: int) -> FloatArray:
    """``values`` [G, V] with zeros up to [G, width]."""
    padded = np.zeros((values.shape[0], width))
    padded[:, : values.shape[1]] = values
    return padded
