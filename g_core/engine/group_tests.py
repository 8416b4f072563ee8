"""Chooses the test of each mask group by trait type.

Belongs here: one line a trait type. Does not belong here: what a test does.
"""

import numpy as np
import numpy.typing as npt

from g_core.config.choices import TraitType
from g_core.config.run_plan import RunPlan
from g_core.engine.device import JaxDevice
from g_core.engine.group_context import GroupContext
from g_core.engine.null_firth_files import NullFirthFiles
from g_core.engine.sample_sets import RunSampleSets
from g_core.engine.scan import GroupTest
from g_core.engine.stages import StageClock
from g_core.inputs.analysis_set import AnalysisSet

MASKED_GROUPS_TOGETHER = 8
"""Groups of one product and one kernel: its compile time grows with them. No result hangs on it."""


def make_group_tests(
    plan: RunPlan,
    analysis: AnalysisSet,
    sample_sets: RunSampleSets,
    haploid_males: npt.NDArray[np.bool_],
    null_firth: NullFirthFiles,
    *,
    tile_rows: int,
    device: JaxDevice,
    clock: StageClock,
) -> list[GroupTest]:
    """The tests of all mask groups; groups that lack a few samples are tested several together.

    Args:
        plan: Of the run.
        analysis: Its samples and traits.
        sample_sets: Whose values and sums the stream has.
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
            sample_sets=sets,
            haploid_males=haploid_males,
            n_kept=analysis.n_kept,
            kept_indices=analysis.kept_indices,
            tile_rows=tile_rows,
            device=device,
            clock=clock,
        )
        for group, sets in zip(analysis.groups, sample_sets.groups, strict=True)
    ]
    # Kernels of the other trait type, with what they import, would cost as much as the device's own start.
    if plan.trait.type is TraitType.BINARY:
        from g_core.engine.binary_test import BinaryTest

        return [BinaryTest(context, null_firth) for context in contexts]
    from g_core.engine.masked_quantitative_test import MaskedQuantitativeTest
    from g_core.engine.quantitative_test import QuantitativeTest

    masked = [context for context in contexts if context.sample_sets.lacking is not None]
    return [
        *(QuantitativeTest(context) for context in contexts if context.sample_sets.lacking is None),
        *(
            MaskedQuantitativeTest(tuple(masked[first : first + MASKED_GROUPS_TOGETHER]))
            for first in range(0, len(masked), MASKED_GROUPS_TOGETHER)
        ),
    ]
