"""What the test of one mask group shares between trait types: its size, filters, and the genotype part of a row.

Belongs here: per-variant summaries and the row filters. Does not belong here: any test statistic.
"""

from dataclasses import dataclass

import jax
import numpy as np
import numpy.typing as npt

from g_core import _native
from g_core.config.run_plan import RunPlan
from g_core.engine.chunks import COLUMN_MULTIPLE, ChunkSpan, padded
from g_core.engine.device import JaxDevice
from g_core.engine.stages import StageClock
from g_core.engine.tiles import Tile, device_tiles
from g_core.inputs.analysis_set import MaskGroup
from g_core.kernels.genotype import VariantSummary, summarise_variants

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class GroupContext:
    """One mask group of a run.

    Attributes:
        haploid_males: One entry a selected variant: males carry one copy there (X outside the pseudo-autosomal parts).
    """

    plan: RunPlan
    group: MaskGroup
    haploid_males: npt.NDArray[np.bool_]
    n_kept: int
    tile_rows: int
    device: JaxDevice
    clock: StageClock

    @property
    def n_samples(self) -> int:
        """Samples of the group."""
        return int(self.group.sample_indices.shape[0])

    @property
    def n_padded(self) -> int:
        """Columns of a tile."""
        return padded(self.n_samples, COLUMN_MULTIPLE)

    def predictions(self, chromosome_code: int) -> FloatArray:
        """Leave-one-chromosome-out predictions of all traits, [n, T]; zeros for a trait without."""
        rows = [
            np.zeros(self.n_samples) if trait.predictions is None else trait.predictions.row(chromosome_code)
            for trait in self.group.traits
        ]
        return np.column_stack(rows)


@dataclass(frozen=True, slots=True)
class RowFilter:
    """Which variants make a row for the group's traits, and how many each filter took."""

    kept: npt.NDArray[np.bool_]
    below_minimum_mac: int
    below_minimum_info: int


@dataclass(frozen=True, slots=True)
class ChunkGenotypes:
    """One chunk in one group: its tiles on the device and what is said of its variants on the host."""

    values: npt.NDArray[np.float32]
    moments: _native.VariantMoments
    tiles: list[Tile]
    summary: VariantSummary
    row_filter: RowFilter


def chunk_genotypes(
    context: GroupContext, span: ChunkSpan, chunk: _native.DosageChunk, sample_set: int
) -> ChunkGenotypes:
    """Put a chunk's values on the device and summarise its variants."""
    values, moments = chunk.values(sample_set), chunk.moments(sample_set)
    haploid_males = context.haploid_males[span.start : span.stop]
    summary = summarise_variants(
        n_present=moments.n_present,
        dosage_sum=moments.dosage_sum,
        info_sum=moments.info_sum,
        male_present=np.where(haploid_males, moments.male_present, 0),
        male_dosage_sum=np.where(haploid_males, moments.male_dosage_sum, 0.0),
        flipped=moments.flipped,
        n_nonzero_present=moments.n_nonzero_present,
        n_samples=context.n_samples,
        n_kept=context.n_kept,
        config=context.plan.kernels.genotype,
    )
    return ChunkGenotypes(
        values=values,
        moments=moments,
        tiles=device_tiles(values, moments, context.tile_rows, context.device),
        summary=summary,
        row_filter=filter_rows(summary, context.plan.filters.min_mac, context.plan.filters.min_info),
    )


def filter_rows(summary: VariantSummary, minimum_mac: float, minimum_info: float | None) -> RowFilter:
    """Apply --minMAC, then --minINFO, as REGENIE orders them (spec 7)."""
    rare = ~(summary.minor_allele_count >= minimum_mac)
    poor = np.zeros_like(rare) if minimum_info is None else ~rare & ~(summary.info >= minimum_info)
    return RowFilter(
        kept=~(rare | poor),
        below_minimum_mac=int(np.count_nonzero(rare)),
        below_minimum_info=int(np.count_nonzero(poor)),
    )


def joined(tiles: list[Tile], arrays: list[jax.Array]) -> FloatArray:
    """Kernel results of a chunk's tiles as one host array, without the padded rows."""
    return np.concatenate([np.asarray(array)[: tile.n_variants] for tile, array in zip(tiles, arrays, strict=True)])
