"""Chooses the test of each mask group by trait type.

Belongs here: one line a trait type. Does not belong here: what a test does.
"""

import numpy as np
import numpy.typing as npt

from g_core.config.choices import TraitType
from g_core.config.run_plan import RunPlan
from g_core.engine.device import JaxDevice
from g_core.engine.group_context import GroupContext
from g_core.engine.moment_sets import RunMomentSets
from g_core.engine.null_firth_files import NullFirthFiles
from g_core.engine.scan import GroupTest
from g_core.engine.stages import StageClock
from g_core.inputs.analysis_set import AnalysisSet


def make_group_tests(
    plan: RunPlan,
    analysis: AnalysisSet,
    moment_sets: RunMomentSets,
    haploid_males: npt.NDArray[np.bool_],
    null_firth: NullFirthFiles,
    *,
    tile_rows: int,
    device: JaxDevice,
    clock: StageClock,
) -> list[GroupTest]:
    """One test a mask group, in the order of the groups.

    Args:
        plan: Of the run.
        analysis: Its samples and traits.
        moment_sets: The further sets that the stream sums over.
        haploid_males: One entry a selected variant: males have one copy there.
        null_firth: Coefficients of null Firth fits between runs.
        tile_rows: Variants in one kernel call.
        device: Where kernels run.
        clock: Takes the stages' time.
    """
    contexts = [
        GroupContext(
            plan=plan,
            group=group,
            sample_set=sample_set,
            moment_sets=sets,
            haploid_males=haploid_males,
            n_kept=analysis.n_kept,
            tile_rows=tile_rows,
            device=device,
            clock=clock,
        )
        for sample_set, (group, sets) in enumerate(zip(analysis.groups, moment_sets.groups, strict=True))
    ]
    # Kernels of the other trait type, with what they import, would cost as much as the device's own start.
    if plan.trait.type is TraitType.BINARY:
        from g_core.engine.binary_test import BinaryTest

        return [BinaryTest(context, null_firth) for context in contexts]
    from g_core.engine.quantitative_test import QuantitativeTest

    return [QuantitativeTest(context) for context in contexts]
