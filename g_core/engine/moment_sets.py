"""Sample sets of which only sums are wanted: each trait's own samples, and its cases.

Belongs here: which sets a run needs, and finding a chunk's sums of them. Does not belong here: what the sums mean
(kernels/genotype.py).

Where all traits of a group have all its samples and genotypes are tested as they are, the group's own moments and one
product say everything, and no further set is needed.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from g_core import _native
from g_core.config.choices import Coding, TraitType
from g_core.config.run_plan import RunPlan
from g_core.inputs.analysis_set import AnalysisSet, MaskGroup, Trait


@dataclass(frozen=True, slots=True)
class MomentSet:
    """Samples of the BGEN, ascending, and which of them are male."""

    sample_indices: npt.NDArray[np.uint32]
    is_male: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class GroupMomentSets:
    """Where the sets of a group's traits stand in the stream; None where they are not needed, else T entries."""

    traits: tuple[int, ...] | None
    cases: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class RunMomentSets:
    """All sets of a run, in the order the stream gets them, and where each group's are."""

    sets: tuple[MomentSet, ...]
    groups: tuple[GroupMomentSets, ...]


def plan_moment_sets(plan: RunPlan, analysis: AnalysisSet) -> RunMomentSets:
    """List the sets that a run needs."""
    sets: list[MomentSet] = []

    def add(group: MaskGroup, members: npt.NDArray[np.bool_]) -> int:
        sets.append(MomentSet(group.sample_indices[members], group.is_male[members]))
        return len(sets) - 1

    groups: list[GroupMomentSets] = []
    for group in analysis.groups:
        traits = tuple(add(group, trait.present) for trait in group.traits) if group.is_joint else None
        needs_cases = plan.trait.type is TraitType.BINARY and (
            group.is_joint or plan.test.coding is not Coding.ADDITIVE
        )
        cases = tuple(add(group, is_case(trait)) for trait in group.traits) if needs_cases else None
        groups.append(GroupMomentSets(traits, cases))
    return RunMomentSets(tuple(sets), tuple(groups))


def is_case(trait: Trait) -> npt.NDArray[np.bool_]:
    """Which samples of the group are cases of a binary trait."""
    return trait.present & (trait.values == 1.0)


def sums_by_trait(chunk: _native.DosageChunk, positions: tuple[int, ...]) -> tuple[_native.GenotypeSums, ...]:
    """A chunk's sums over the sets at these positions."""
    return tuple(chunk.sums(position) for position in positions)
