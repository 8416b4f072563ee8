"""The null models, the score test and the correction of a binary trait, number by number.

Belongs here: what each fit ended with and why a correction was or was not made. Does not belong here: the kernels.
"""

import numpy as np

from g_core.config.run_plan import CorrectionMethod
from g_core.engine.binary_test import BinaryTest, score_binary_tile
from g_core.explain.firth_trace import approximate_trace, exact_trace
from g_core.explain.section import Section, named_numbers, number
from g_core.explain.subject import Subject
from g_core.kernels.binary_null import BinaryNull
from g_core.kernels.covariate_basis import covariate_basis


def binary_sections(subject: Subject, test: BinaryTest) -> list[Section]:
    """Null models, score test, correction."""
    null = test.null(subject.chromosome_code)
    fit = null.traits[subject.trait_index]
    sections = [null_section(subject, fit)]
    if fit.trait_null is None:
        return sections
    index = subject.trait_index
    score = score_binary_tile(subject.tile.values, subject.tile.row_facts, null.model, test.configs.score)

    def value(name: str) -> float:
        return float(np.asarray(getattr(score, name))[0, index])

    statistic, denominator = value("statistic"), value("denominator")
    sections.append(
        Section(
            "score test (of the tested dosage)",
            (
                ("numerator", number(statistic * np.sqrt(denominator))),
                ("denominator", number(denominator)),
                ("no variance", "yes" if value("no_variance") else "no"),
                ("statistic", number(statistic)),
                ("BETA", number(value("beta"))),
                ("SE", number(value("se"))),
                ("CHISQ", number(value("chi_square"))),
                ("LOG10P", number(value("log10_p"))),
            ),
        )
    )
    exceeds = abs(statistic) > test.correction_threshold
    method = subject.plan.binary.correction
    relation = f"is {'above' if exceeds else 'not above'} {number(test.correction_threshold)}"
    sections.append(
        Section(
            "correction",
            (
                ("method", str(method)),
                (
                    "made" if exceeds and method is not CorrectionMethod.NONE else "not made",
                    (
                        f"|statistic| {number(abs(statistic))} {relation}, the normal "
                        f"quantile of --pThresh {subject.plan.binary.p_threshold:g}"
                    ),
                ),
            ),
        )
    )
    if exceeds:
        sections.extend(correction_sections(subject, fit))
    return sections


def null_section(subject: Subject, fit: BinaryNull) -> Section:
    """How the null models of the chromosome ended; coefficients are those of the design's own columns."""
    trait = subject.trait
    coordinates = covariate_basis(subject.group.design, subject.plan.kernels.basis).coordinates
    names = subject.analysis.design_names
    n_cases = int(np.count_nonzero(trait.values[trait.present]))
    entries = [
        ("cases, controls", f"{n_cases}, {int(trait.present.sum()) - n_cases}"),
        ("logistic fit", f"{fit.logistic.status} after {fit.logistic.iterations} iterations"),
        ("logistic coefficients", named_numbers(names, coordinates @ fit.logistic.coefficients)),
    ]
    if fit.firth is not None:
        ended = f"{fit.firth.status}, trial {fit.firth.trial + 1}, {fit.firth.algorithm}, "
        entries += [
            ("null Firth fit", f"{ended}{fit.firth.iterations} iterations"),
            ("null Firth coefficients", named_numbers(names, coordinates @ fit.firth.coefficients)),
        ]
    return Section(f"null models of trait {trait.name} on chromosome {subject.chromosome_code}", tuple(entries))


def correction_sections(subject: Subject, fit: BinaryNull) -> list[Section]:
    """The trace of the Firth fit, if there is one."""
    configs, genotypes = subject.plan.kernels, subject.genotypes
    if fit.exact_model is not None:
        return exact_trace(subject, model=fit.exact_model, configs=configs)
    if fit.firth_model is None:
        return []
    count = float(genotypes.traits[subject.trait_index].summary.minor_allele_count[0])
    limit = configs.firth_approximate.carrier_maximum_mac
    sparse, skips = bool(genotypes.sparse[0]), subject.plan.binary.skip_fast_firth
    carriers_only = sparse and count < limit and not skips
    why = Section(
        "carriers alone",
        (
            (
                "yes" if carriers_only else "no",
                (
                    f"{'sparse' if sparse else 'not sparse'}, minor allele count {number(count)} against {limit:g}"
                    f"{', --skip-fast-firth' if skips else ''}"
                ),
            ),
        ),
    )
    return [why, *approximate_trace(subject, carriers_only=carriers_only, model=fit.firth_model, configs=configs)]
