"""Puts an explanation together: variant, samples, genotype, models, test, and the row that a run would write.

Belongs here: the order of the sections. Does not belong here: what each tells.
"""

from g_core.config.run_plan import RunPlan
from g_core.engine.binary_test import BinaryTest
from g_core.engine.prepare import prepare
from g_core.engine.quantitative_test import QuantitativeTest
from g_core.engine.stages import StageClock
from g_core.explain.binary import binary_sections
from g_core.explain.genotype import filter_section, genotype_section, samples_section, variant_section
from g_core.explain.quantitative import quantitative_sections
from g_core.explain.section import Section, number
from g_core.explain.subject import Subject, find_variants, prepare_subject
from g_core.results.batch import NO_REASON
from g_core.results.schema import Correction, Reason


def explain(plan: RunPlan, variant: str, trait: str | None) -> list[Section]:
    """Explain the test of a variant for a trait; nothing is written.

    Args:
        plan: Of the run that would make the test.
        variant: Its ID; every selected variant of that ID is explained.
        trait: Name; None where the run has one.

    Raises:
        GError: The inputs cannot be read, or hold no such variant or trait.
    """
    prepared = prepare(plan, StageClock())
    sections: list[Section] = []
    for place in find_variants(prepared.selection, variant):
        subject = prepare_subject(plan, prepared, place, trait)
        sections += [variant_section(subject), samples_section(subject)]
        sections += [genotype_section(subject), filter_section(subject)]
        if isinstance(subject.test, QuantitativeTest):
            sections += quantitative_sections(subject, subject.test)
        elif isinstance(subject.test, BinaryTest):
            sections += binary_sections(subject, subject.test)
        sections.append(row_section(subject))
    return sections


def row_section(subject: Subject) -> Section:
    """What the run would write."""
    block = subject.test.begin(subject.chromosome_code)
    block.add(subject.span, subject.chunk)
    rows = block.finish().by_trait[subject.trait.name]
    if not rows.genotypes.kept[0]:
        return Section("the row", (("none", "a filter takes it"),))
    reason = int(rows.reason_codes[0])
    status = "ok" if reason == NO_REASON else f"failed: {list(Reason)[reason]}"
    return Section(
        "the row",
        (
            ("A1FREQ", number(float(rows.genotypes.frequency[0]))),
            ("INFO", number(float(rows.genotypes.information[0]))),
            ("N", str(int(rows.genotypes.n_present[0]))),
            ("BETA", number(float(rows.beta[0]))),
            ("SE", number(float(rows.standard_error[0]))),
            ("CHISQ", number(float(rows.chi_square[0]))),
            ("LOG10P", number(float(rows.log10_p[0]))),
            ("CORRECTION", str(list(Correction)[int(rows.correction_codes[0])])),
            ("STATUS", status),
        ),
    )
