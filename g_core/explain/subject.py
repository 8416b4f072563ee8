"""The one test that is explained: its variant, its trait, and the objects with which a run would make it.

Belongs here: finding variant and trait among the inputs of a run. Does not belong here: what is told of them.
"""

import dataclasses
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from g_core import _native
from g_core.config.run_plan import RunPlan
from g_core.engine.block_moments import ChunkMoments, copy_moments
from g_core.engine.chunk_scores import chunk_tiles, copied_values
from g_core.engine.chunks import ChunkSpan, tile_rows
from g_core.engine.decode import decode_stream
from g_core.engine.device import start_runtime
from g_core.engine.group_context import BlockGenotypes, GroupContext, block_genotypes, sparse_variants
from g_core.engine.group_tests import make_group_tests
from g_core.engine.null_firth_files import NullFirthFiles
from g_core.engine.prepare import PreparedRun
from g_core.engine.sample_sets import plan_sample_sets, sums_by_trait
from g_core.engine.scan import GroupTest
from g_core.engine.stages import StageClock
from g_core.engine.tiles import Tile
from g_core.errors import InputError
from g_core.inputs.analysis_set import AnalysisSet, MaskGroup, Trait
from g_core.inputs.variants import VariantSelection


@dataclass(frozen=True, slots=True)
class Subject:
    """One variant and one trait in one group.

    Attributes:
        place: The variant among the selected ones.
        trait_index: The trait in its group.
        chunk: The decoded variant.
        values: [1, C] float32, the variant's row.
        tile: The same on the device.
        test: The test that a run would use, with the group's null models.
    """

    plan: RunPlan
    prepared: PreparedRun
    analysis: AnalysisSet
    place: int
    trait_index: int
    span: ChunkSpan
    context: GroupContext
    chunk: _native.DosageChunk
    values: npt.NDArray[np.float32]
    tile: Tile
    genotypes: BlockGenotypes
    test: GroupTest

    @property
    def group(self) -> MaskGroup:
        """The trait's group."""
        return self.context.group

    @property
    def trait(self) -> Trait:
        """The trait."""
        return self.group.traits[self.trait_index]

    @property
    def chromosome_code(self) -> int:
        """Of the variant."""
        return self.span.chromosome_code


def find_variants(selection: VariantSelection, identifier: str) -> list[int]:
    """Places of the selected variants with an identifier.

    Raises:
        InputError: There is none.
    """
    identifiers: list[str] = selection.columns["rsid"].to_pylist()
    places = [place for place, known in enumerate(identifiers) if known == identifier]
    if not places:
        raise InputError(
            f"--variant {identifier}: no variant with this ID among the {len(selection.indices)} selected ones; the "
            "filters of the run hold here too"
        )
    return places


def find_trait(analysis: AnalysisSet, name: str | None) -> tuple[MaskGroup, int]:
    """The group of a trait and its place there; None is the only trait of a run.

    Raises:
        InputError: The run does not analyse it, or has several and none was named.
    """
    names = [trait.name for group in analysis.groups for trait in group.traits]
    if name is None and len(names) > 1:
        raise InputError(f"--trait is missing; the run analyses {', '.join(names)}")
    for group in analysis.groups:
        for place, trait in enumerate(group.traits):
            if name in (None, trait.name):
                return group, place
    failed = {each.name: each.reason for each in analysis.failed_traits}
    why = f" because it failed: {failed[name]}" if name in failed else ""
    raise InputError(f"--trait {name}: not analysed by this run{why}; it analyses {', '.join(names)}")


def prepare_subject(plan: RunPlan, prepared: PreparedRun, place: int, trait: str | None) -> Subject:
    """Decode the variant and make the test of the trait's group.

    The trait gets values of its own samples here, whether or not a run shares those of all kept samples: what is
    explained is its own genotypes, and the two differ in rounding only.
    """
    linear = dataclasses.replace(plan.kernels.linear, largest_shared_missing_fraction=0.0)
    plan = dataclasses.replace(plan, kernels=dataclasses.replace(plan.kernels, linear=linear))
    group, trait_index = find_trait(prepared.analysis, trait)
    analysis = dataclasses.replace(prepared.analysis, groups=(group,))
    sample_sets = plan_sample_sets(plan, analysis)
    rows = tile_rows(analysis.n_kept, plan.compute.device, plan.trait.type)
    runtime = start_runtime(
        device=plan.compute.device,
        threads=plan.compute.threads,
        persistent_cache=plan.compute.jax_persistent_cache,
        cache_directory=plan.compute.jax_cache_dir,
    )
    haploid_males = prepared.haploid_males[place : place + 1]
    span = ChunkSpan(0, 0, 1, int(prepared.selection.chromosome_codes[place]))
    clock = StageClock()
    context = GroupContext(
        plan=plan,
        group=group,
        sample_sets=sample_sets.groups[0],
        haploid_males=haploid_males,
        n_kept=analysis.n_kept,
        kept_indices=analysis.kept_indices,
        tile_rows=rows,
        device=runtime.device,
        clock=clock,
    )
    chunk = next(
        decode_stream(
            plan,
            prepared.reader,
            sample_sets,
            (span,),
            selected_variants=prepared.selection.indices[place : place + 1],
            haploid_males=haploid_males,
            tile_rows=rows,
        )
    )
    (test,) = make_group_tests(
        plan,
        analysis,
        sample_sets,
        haploid_males,
        NullFirthFiles(prepared.null_firth.starts, None),
        tile_rows=rows,
        device=runtime.device,
        clock=clock,
    )
    moments, sets = chunk.moments(0), sample_sets.groups[0]
    sparse = sparse_variants(context, moments)
    own = () if sets.traits is None else sums_by_trait(chunk, sets.traits)
    (tile,) = chunk_tiles(context, chunk, moments, sparse)
    return Subject(
        plan=plan,
        prepared=prepared,
        analysis=analysis,
        place=place,
        trait_index=trait_index,
        span=span,
        context=context,
        chunk=chunk,
        values=copied_values(context, chunk, np.arange(1)),
        tile=tile,
        genotypes=block_genotypes(context, 0, [ChunkMoments(copy_moments(moments), sparse, own, ())]),
        test=test,
    )
