"""The sample sets that a run asks the decoder for: whose values, and whose sums alone.

Belongs here: which sets a run needs, and finding a chunk's sums of them. Does not belong here: what the sums mean
(kernels/genotype.py, mask_moments.py).

A group gets values of its own samples, but for quantitative traits that lack a few of the kept samples: those share the
values of all kept samples, and the sums over the samples that they lack are subtracted. Whether a trait does hangs on
its own samples alone, never on which traits run with it.

Sums of further sets are wanted of joint groups (each trait's own samples) and of cases. Where all traits of a group
have all its samples and genotypes are tested as they are, the group's own moments and one product say everything.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from g_core import _native
from g_core.config.choices import Coding, TraitType
from g_core.config.run_plan import RunPlan
from g_core.engine.block_moments import BlockSums, copy_sums
from g_core.inputs.analysis_set import AnalysisSet, MaskGroup, Trait


@dataclass(frozen=True, slots=True)
class SampleSet:
    """Samples of the BGEN, ascending, and which of them are male."""

    sample_indices: npt.NDArray[np.uint32]
    is_male: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class GroupSampleSets:
    """Where a group's sets stand in the stream.

    Attributes:
        values: The value set that its tiles come from.
        lacking: The moment set of the kept samples that it lacks, where it shares the values of all kept samples.
        traits: Moment sets of each trait's own samples, T entries; None where those are the group's.
        cases: Moment sets of each trait's cases, T entries; None where the score kernel counts them.
    """

    values: int
    lacking: int | None
    traits: tuple[int, ...] | None
    cases: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class RunSampleSets:
    """All sets of a run, in the order the stream gets them, and where each group's are."""

    value_sets: tuple[SampleSet, ...]
    moment_sets: tuple[SampleSet, ...]
    groups: tuple[GroupSampleSets, ...]


class SetCollector:
    """Numbers the sets as they are asked for; sets of the same samples are one."""

    def __init__(self) -> None:
        self.sets: list[SampleSet] = []
        self.places: dict[bytes, int] = {}

    def add(self, sample_indices: npt.NDArray[np.uint32], is_male: npt.NDArray[np.bool_]) -> int:
        """The number of a set."""
        place = self.places.setdefault(sample_indices.tobytes(), len(self.sets))
        if place == len(self.sets):
            self.sets.append(SampleSet(sample_indices, is_male))
        return place


def plan_sample_sets(plan: RunPlan, analysis: AnalysisSet) -> RunSampleSets:
    """List the sets that a run needs."""
    values, moments = SetCollector(), SetCollector()

    def add_members(group: MaskGroup, members: npt.NDArray[np.bool_]) -> int:
        return moments.add(group.sample_indices[members], group.is_male[members])

    groups: list[GroupSampleSets] = []
    for group in analysis.groups:
        needs_cases = plan.trait.type is TraitType.BINARY and (
            group.is_joint or plan.test.coding is not Coding.ADDITIVE
        )
        traits = tuple(add_members(group, trait.present) for trait in group.traits) if group.is_joint else None
        cases = tuple(add_members(group, is_case(trait)) for trait in group.traits) if needs_cases else None
        if shares_values(plan, analysis, group):
            lacks = ~np.isin(analysis.kept_indices, group.sample_indices, assume_unique=True)
            own_values = values.add(analysis.kept_indices, analysis.kept_is_male)
            lacking = moments.add(analysis.kept_indices[lacks], analysis.kept_is_male[lacks])
        else:
            own_values, lacking = values.add(group.sample_indices, group.is_male), None
        groups.append(GroupSampleSets(own_values, lacking, traits, cases))
    return RunSampleSets(tuple(values.sets), tuple(moments.sets), tuple(groups))


def shares_values(plan: RunPlan, analysis: AnalysisSet, group: MaskGroup) -> bool:
    """Whether a group that lacks some of the kept samples is tested on the values of all of them."""
    n_lacking = analysis.n_kept - group.sample_indices.shape[0]
    most = plan.kernels.linear.largest_shared_missing_fraction * analysis.n_kept
    return (
        plan.trait.type is TraitType.QUANTITATIVE
        and plan.test.coding is Coding.ADDITIVE
        and not group.is_joint
        and not plan.output.one_table
        and 0 < n_lacking <= most
    )


def is_case(trait: Trait) -> npt.NDArray[np.bool_]:
    """Which samples of the group are cases of a binary trait."""
    return trait.present & (trait.values == 1.0)


def sums_by_trait(chunk: _native.DosageChunk, positions: tuple[int, ...]) -> tuple[BlockSums, ...]:
    """A chunk's sums over the sets at these positions."""
    return tuple(copy_sums(chunk.sums(position)) for position in positions)
