"""What a run asks of the decoder.

Belongs here: how a plan becomes a request to the native stream. Does not belong here: decoding (rust/bgen).
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from g_core import _native
from g_core.config.choices import TraitType
from g_core.config.run_plan import RunPlan
from g_core.engine.chunks import COLUMN_MULTIPLE, ChunkSpan
from g_core.engine.sample_sets import RunSampleSets

AUTO_DECODE_TILE_VARIANTS = 32


def decode_stream(
    plan: RunPlan,
    reader: _native.BgenReader,
    sample_sets: RunSampleSets,
    spans: Sequence[ChunkSpan],
    *,
    selected_variants: npt.NDArray[np.uint32],
    haploid_males: npt.NDArray[np.bool_],
    tile_rows: int,
) -> _native.DosageStream:
    """Start decoding ahead.

    Args:
        plan: Of the run.
        reader: The open BGEN.
        sample_sets: Whose values and whose sums.
        spans: Chunks over the selected variants.
        selected_variants: Positions in the BGEN.
        haploid_males: One entry a selected variant; the same for all variants of a chunk.
        tile_rows: Variants in one kernel call.
    """
    # REGENIE flips no quantitative dosage, and its joint formula for sparse variants depends on that.
    has_joint_group = any(group.traits is not None for group in sample_sets.groups)
    keeps_effect_allele = plan.trait.type is TraitType.QUANTITATIVE and has_joint_group
    return reader.stream(
        variant_indices=selected_variants,
        chunk_offsets=np.array([spans[0].start if spans else 0, *(span.stop for span in spans)], np.uint64),
        chunk_counts_males=np.array([haploid_males[span.start] for span in spans], np.bool_),
        sample_sets=[each.sample_indices for each in sample_sets.value_sets],
        males=[each.is_male for each in sample_sets.value_sets],
        moment_sets=[each.sample_indices for each in sample_sets.moment_sets],
        moment_males=[each.is_male for each in sample_sets.moment_sets],
        effect_is_first_allele=not plan.input.reference_first,
        coding=str(plan.test.coding),
        genotype_format=str(plan.compute.genotype_format),
        flip_to_minor_allele=not keeps_effect_allele,
        halve_males=plan.test.skip_dosage_compensation,
        count_genotypes=plan.output.one_table,
        tile_rows=tile_rows,
        column_multiple=COLUMN_MULTIPLE,
        threads=plan.compute.threads,
        staging_depth=plan.compute.staging_depth,
        decode_tile_variants=plan.compute.decode_tile_variants or AUTO_DECODE_TILE_VARIANTS,
        trusted_no_missing_diploid=plan.compute.trusted_no_missing_diploid,
    )
