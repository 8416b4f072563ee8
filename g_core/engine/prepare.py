"""Everything of a run that is known before the device starts.

Belongs here: opening the genotypes and joining every other input to them. Does not belong here: the scan.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from g_core import _native
from g_core.config.run_plan import NonPseudoautosomalRegion, RunPlan
from g_core.engine.null_firth_files import NullFirthFiles, open_null_firth_files
from g_core.engine.stages import Stage, StageClock
from g_core.errors import UsageError
from g_core.inputs.analysis_set import AnalysisSet, load_analysis_set, one_table_problem
from g_core.inputs.variants import VariantSelection, select_variants

X_CHROMOSOME_CODE = 23


@dataclass(frozen=True, slots=True)
class PreparedRun:
    """Genotypes, samples, traits and variants of a run."""

    reader: _native.BgenReader
    analysis: AnalysisSet
    selection: VariantSelection
    haploid_males: npt.NDArray[np.bool_]
    null_firth: NullFirthFiles

    @property
    def trait_names(self) -> tuple[str, ...]:
        """Names of all analysed traits, group by group."""
        return tuple(trait.name for group in self.analysis.groups for trait in group.traits)


def prepare(plan: RunPlan, clock: StageClock) -> PreparedRun:
    """Open the genotypes and join every other input to them; all that can be wrong with inputs is found here.

    Raises:
        GError: Something is.
    """
    with clock.stage(Stage.OPEN_AND_INDEX):
        reader = _native.BgenReader(str(plan.input.bgen))
        selection = select_variants(plan.filters, reader)
    with clock.stage(Stage.PREFLIGHT):
        codes = np.unique(selection.chromosome_codes).tolist()
        analysis = load_analysis_set(plan, reader, codes)
        problem = one_table_problem(analysis) if plan.output.one_table else None
        if problem is not None:
            raise UsageError(problem)
        null_firth = open_null_firth_files(plan.binary, tuple(trait.name for trait in analysis.join_report.traits))
    males = haploid_males(plan.test.non_pseudoautosomal, selection)
    return PreparedRun(reader, analysis, selection, males, null_firth)


def haploid_males(region: NonPseudoautosomalRegion, selection: VariantSelection) -> npt.NDArray[np.bool_]:
    """Selected variants of which males have one copy: X outside its pseudo-autosomal parts."""
    positions = selection.columns["position"].to_numpy()
    inside = (positions >= region.first_position) & (positions <= region.last_position)
    return (selection.chromosome_codes == X_CHROMOSOME_CODE) & inside
