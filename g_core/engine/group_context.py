"""What the test of one mask group shares between trait types: its size, filters, and the genotype part of a row.

Belongs here: per-variant summaries and the row filters. Does not belong here: any test statistic.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from g_core import _native
from g_core.config.choices import Coding
from g_core.config.run_plan import RunPlan
from g_core.engine.block_moments import BlockMoments, BlockSums, ChunkMoments, join_moments, join_sums
from g_core.engine.chunks import COLUMN_MULTIPLE, padded
from g_core.engine.device import JaxDevice
from g_core.engine.sample_sets import GroupSampleSets
from g_core.engine.stages import StageClock
from g_core.inputs.analysis_set import MaskGroup
from g_core.kernels.genotype import VariantSummary, find_sparse, summarise_variants
from g_core.results.batch import GenotypeRows, JointRows

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class GroupContext:
    """One mask group of a run.

    Attributes:
        sample_sets: Where the group's sets stand in the stream.
        haploid_males: One entry a selected variant: males carry one copy there (X outside the pseudo-autosomal parts).
    """

    plan: RunPlan
    group: MaskGroup
    sample_sets: GroupSampleSets
    haploid_males: npt.NDArray[np.bool_]
    n_kept: int
    kept_indices: npt.NDArray[np.uint32]
    tile_rows: int
    device: JaxDevice
    clock: StageClock

    @property
    def n_samples(self) -> int:
        """Samples of the group."""
        return int(self.group.sample_indices.shape[0])

    @property
    def n_tile_samples(self) -> int:
        """Samples of a tile: the group's, or all kept ones where it shares their values."""
        return self.n_samples if self.sample_sets.lacking is None else self.n_kept

    @property
    def n_padded(self) -> int:
        """Columns of a tile."""
        return padded(self.n_tile_samples, COLUMN_MULTIPLE)

    def predictions(self, chromosome_code: int) -> FloatArray:
        """Leave-one-chromosome-out predictions of all traits, [n, T]; zeros for a trait without."""
        rows = [
            np.zeros(self.n_samples) if trait.predictions is None else trait.predictions.row(chromosome_code)
            for trait in self.group.traits
        ]
        return np.column_stack(rows)


@dataclass(frozen=True, slots=True)
class RowFilter:
    """Which variants make a row for a trait, and how many each filter took."""

    kept: npt.NDArray[np.bool_]
    below_minimum_mac: int
    below_minimum_info: int
    below_minimum_homozygotes: int


@dataclass(frozen=True, slots=True)
class TraitGenotypes:
    """What is said of a chunk's variants in one trait's own samples, and which of them make a row."""

    summary: VariantSummary
    row_filter: RowFilter


@dataclass(frozen=True, slots=True)
class BlockGenotypes:
    """What is said of a block's variants in one group.

    Attributes:
        summary: Over all samples of the group.
        sparse: REGENIE's rule, over all samples of the group.
        kept: The variant passes the filters over all samples of the group.
        untested: A dominant or recessive dosage that nearly nobody has; never set in the additive model.
        traits: T entries; one and the same unless the group is joint.
    """

    moments: BlockMoments
    summary: VariantSummary
    sparse: npt.NDArray[np.bool_]
    kept: npt.NDArray[np.bool_]
    untested: npt.NDArray[np.bool_]
    traits: tuple[TraitGenotypes, ...]


def block_genotypes(context: GroupContext, first_variant: int, chunks: Sequence[ChunkMoments]) -> BlockGenotypes:
    """Summarise and filter the variants of a block.

    Args:
        context: Of the group.
        first_variant: Of the block among the selected ones.
        chunks: Moments of the block's chunks in order.
    """
    moments = join_moments([chunk.moments for chunk in chunks])
    sparse = np.concatenate([chunk.sparse for chunk in chunks])
    haploid_males = context.haploid_males[first_variant : first_variant + sparse.shape[0]]
    summary = summarise(context, haploid_males, moments)
    filters = context.plan.filters
    few_homozygotes = (context.plan.test.coding is Coding.RECESSIVE) & (moments.tested_sum < filters.min_homozygotes)
    row_filter = filter_rows((summary,), few_homozygotes, filters.min_mac, filters.min_info)
    coded = context.plan.test.coding is not Coding.ADDITIVE
    minimum_mean = context.plan.kernels.genotype.minimum_coded_mean
    own = [
        summarise(context, haploid_males, join_sums([chunk.traits[index] for chunk in chunks]))
        for index in range(len(chunks[0].traits))
    ]
    return BlockGenotypes(
        moments=moments,
        summary=summary,
        sparse=sparse,
        untested=coded & ~(moments.tested_sum >= minimum_mean * moments.n_present),
        kept=row_filter.kept,
        traits=trait_genotypes(context, TraitGenotypes(summary, row_filter), own, few_homozygotes),
    )


def sparse_variants(context: GroupContext, moments: _native.VariantMoments) -> npt.NDArray[np.bool_]:
    """Which variants of a chunk are sparse over all samples of the group."""
    return find_sparse(
        n_present=moments.n_present,
        n_nonzero_present=moments.n_nonzero_present,
        tested_sum=moments.tested_sum,
        flipped=moments.flipped,
        n_samples=context.n_samples,
        n_kept=context.n_kept,
        config=context.plan.kernels.genotype,
    )


def summarise(
    context: GroupContext, haploid_males: npt.NDArray[np.bool_], sums: BlockMoments | BlockSums
) -> VariantSummary:
    """Summarise a block's variants in one set of samples; males count once where they have one copy."""
    return summarise_variants(
        n_present=sums.n_present,
        dosage_sum=sums.dosage_sum,
        info_sum=sums.info_sum,
        male_present=np.where(haploid_males, sums.male_present, 0),
        male_dosage_sum=np.where(haploid_males, sums.male_dosage_sum, 0.0),
        males_halved=context.plan.test.skip_dosage_compensation,
    )


def trait_genotypes(
    context: GroupContext, group: TraitGenotypes, own: Sequence[VariantSummary], few_homozygotes: npt.NDArray[np.bool_]
) -> tuple[TraitGenotypes, ...]:
    """Each trait's summary and filter; a variant below a filter in all samples of the group is out for every trait.

    Args:
        context: Of the group.
        group: Over all samples of the group.
        own: Over each trait's own samples; empty where those are the group's.
        few_homozygotes: Below --minHOMs.
    """
    if not own:
        return (group,) * len(context.group.traits)
    filters = context.plan.filters
    return tuple(
        TraitGenotypes(trait, filter_rows((group.summary, trait), few_homozygotes, filters.min_mac, filters.min_info))
        for trait in own
    )


def filter_rows(
    summaries: tuple[VariantSummary, ...],
    few_homozygotes: npt.NDArray[np.bool_],
    minimum_mac: float,
    minimum_info: float | None,
) -> RowFilter:
    """Apply --minMAC, then --minINFO, then --minHOMs, as REGENIE orders them (spec 7).

    Args:
        summaries: A variant must pass in each of these sets of samples.
        few_homozygotes: Below --minHOMs.
        minimum_mac: Alleles.
        minimum_info: None without the filter.
    """
    rare, poor = np.zeros_like(few_homozygotes), np.zeros_like(few_homozygotes)
    for summary in summaries:
        rare |= ~(summary.minor_allele_count >= minimum_mac)
        if minimum_info is not None:
            poor |= ~(summary.info >= minimum_info)
    poor &= ~rare
    few = few_homozygotes & ~(rare | poor)
    return RowFilter(
        kept=~(rare | poor | few),
        below_minimum_mac=int(np.count_nonzero(rare)),
        below_minimum_info=int(np.count_nonzero(poor)),
        below_minimum_homozygotes=int(np.count_nonzero(few)),
    )


def joint_rows(genotypes: BlockGenotypes, *, tested: npt.NDArray[np.bool_] | None) -> JointRows:
    """What one table of all traits says of a block's variants.

    Args:
        genotypes: The block.
        tested: Variants that some trait could be tested with, where the others make no line.
    """
    summary, moments = genotypes.summary, genotypes.moments
    kept = genotypes.kept & ~genotypes.untested
    return JointRows(
        kept=kept if tested is None else kept & tested,
        frequency=summary.allele_frequency,
        information=summary.info,
        n_present=moments.n_present.astype(np.int32),
        n_hom_reference=moments.n_hom_reference.astype(np.int32),
        n_heterozygous=(moments.n_present - moments.n_hom_reference - moments.n_hom_effect).astype(np.int32),
        n_hom_effect=moments.n_hom_effect.astype(np.int32),
    )


def genotype_rows(traits: Sequence[TraitGenotypes]) -> tuple[GenotypeRows, ...]:
    """The genotype part of each trait's rows, T entries; one and the same where the traits' genotypes are."""
    made: dict[int, GenotypeRows] = {}
    for trait in traits:
        if id(trait) not in made:
            summary, row_filter = trait.summary, trait.row_filter
            made[id(trait)] = GenotypeRows(
                kept=row_filter.kept,
                frequency=summary.allele_frequency,
                information=summary.info,
                n_present=summary.n_present.astype(np.int32),
                below_minimum_mac=row_filter.below_minimum_mac,
                below_minimum_info=row_filter.below_minimum_info,
                below_minimum_homozygotes=row_filter.below_minimum_homozygotes,
            )
    return tuple(made[id(trait)] for trait in traits)
