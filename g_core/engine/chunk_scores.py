"""The kernels of a block that have been started, chunk by chunk.

Belongs here: putting a chunk on the device, starting its kernels, and keeping the device from running far behind, so
that chunk buffers go back to the decoder. Does not belong here: which kernel, or what its results mean.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import jax
import numpy as np
import numpy.typing as npt

from g_core import _native
from g_core.config.choices import GenotypeFormat
from g_core.engine.block_moments import ChunkMoments, copy_moments
from g_core.engine.group_context import GroupContext, sparse_variants
from g_core.engine.packed_tiles import PackedRows
from g_core.engine.sample_sets import sums_by_trait
from g_core.engine.stages import Stage
from g_core.engine.tiles import FloatArray, Tile, device_tiles, dosage_tile_values, joined

Score = TypeVar("Score")


@dataclass(slots=True)
class ChunkScores(Generic[Score]):
    """Kernels of a group's chunks in one block; ``Score`` is a tree of arrays, rows first.

    Attributes:
        context: Of the group.
        score: Starts the kernel of a tile.
        moments: Of the chunks so far.
        n_variants: Of the tiles so far.
        scores: Of the tiles so far.
    """

    context: GroupContext
    score: Callable[[Tile], Score]
    moments: list[ChunkMoments] = field(default_factory=list[ChunkMoments])
    n_variants: list[int] = field(default_factory=list[int])
    scores: list[Score] = field(default_factory=list[Score])

    def start(self, chunk: _native.DosageChunk) -> list[Score]:
        """Start the kernels of the next chunk; returns their results-to-be."""
        clock, sets = self.context.clock, self.context.sample_sets
        moments = chunk.moments(self.context.sample_sets.values)
        sparse = sparse_variants(self.context, moments)
        with clock.stage(Stage.HOST_TO_DEVICE):
            tiles = chunk_tiles(self.context, chunk, moments, sparse)
            if clock.waits_for_copies:
                jax.block_until_ready([tile.values for tile in tiles])
        started = [self.score(tile) for tile in tiles]
        self.wait_for_last()
        traits = () if sets.traits is None else sums_by_trait(chunk, sets.traits)
        cases = () if sets.cases is None else sums_by_trait(chunk, sets.cases)
        self.moments.append(ChunkMoments(copy_moments(moments), sparse, traits, cases))
        self.n_variants += [tile.n_variants for tile in tiles]
        self.scores += started
        return started

    def wait_for_last(self) -> None:
        """Wait for the kernels of the chunks before: at most two chunks are on the device."""
        jax.block_until_ready(self.scores[-1:])

    def joined(self, pick: Callable[[Score], jax.Array]) -> FloatArray:
        """One of the results for all variants of the block, on the host."""
        return joined(self.n_variants, [pick(score) for score in self.scores])

    def joined_flags(self, pick: Callable[[Score], jax.Array]) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        """The same for a result that is true or false."""
        return self.joined(pick).astype(np.bool_)


def chunk_tiles(
    context: GroupContext, chunk: _native.DosageChunk, moments: _native.VariantMoments, sparse: npt.NDArray[np.bool_]
) -> list[Tile]:
    """The tiles of a chunk in the group, from whichever form the decoder hands out."""
    plan, rows = context.plan, context.tile_rows
    if plan.compute.genotype_format is GenotypeFormat.PACKED8:
        packed = PackedRows(
            chunk=chunk,
            sample_set=context.sample_sets.values,
            n_samples=context.n_tile_samples,
            effect_is_first_allele=not plan.input.reference_first,
            coding=plan.test.coding,
        )
        tile_values = packed.tile_values(rows, context.device)
    else:
        values = chunk.values(context.sample_sets.values)
        tile_values = dosage_tile_values(values, chunk.n_variants, rows, context.device)
    return device_tiles(tile_values, moments, sparse, rows)


def copied_values(
    context: GroupContext, chunk: _native.DosageChunk, rows: npt.NDArray[np.intp]
) -> npt.NDArray[np.float32]:
    """A copy of the values of some variants of a chunk on the host, [k, C]."""
    values = np.empty((len(rows), context.n_padded), np.float32)
    chunk.copy_values(context.sample_sets.values, rows.astype(np.uint32), values)
    return values
