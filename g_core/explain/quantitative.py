"""The score test of a quantitative trait, number by number.

Belongs here: scales, numerator, denominator, which precision. Does not belong here: the kernels.
"""

import jax.numpy as jnp
import numpy as np

from g_core.engine.quantitative_test import QuantitativeTest
from g_core.engine.tiles import unpack_row_facts
from g_core.explain.section import Section, number
from g_core.explain.subject import Subject
from g_core.kernels.linear import TraitStatus


def quantitative_sections(subject: Subject, test: QuantitativeTest) -> list[Section]:
    """Scale of the trait and its score test."""
    index = subject.trait_index
    score = test.score(subject.chromosome_code)(subject.tile)

    def value(name: str) -> float:
        return float(np.asarray(getattr(score, name))[0, index])

    prepared_scale = float(test.models.prepared.scale[index])
    status = test.models.prepared.statuses[index]
    n_directions = test.models.prepared.basis.shape[1]
    degrees = int(subject.trait.present.sum()) - n_directions
    beta, standard_error, denominator = value("beta"), value("se"), value("denominator")
    scale = standard_error * np.sqrt(denominator)
    trait_section = Section(
        f"residuals of trait {subject.trait.name}",
        (
            ("status", "in the span of the covariates" if status is TraitStatus.IN_COVARIATE_SPAN else "ok"),
            ("degrees of freedom (N - K)", str(degrees)),
            ("SD after the covariates", number(prepared_scale)),
            ("SD after the predictions, in that unit", number(scale / prepared_scale if prepared_scale else np.nan)),
            ("residual variance, in the trait's unit", number(scale**2)),
        ),
    )
    flips = bool(subject.genotypes.moments.flipped[0])
    explained = 1.0 - denominator / float(subject.genotypes.moments.centred_square_sum[0])
    test_section = Section(
        "score test (of the tested dosage)",
        (
            ("numerator", number(beta / scale * denominator)),
            ("denominator", number(denominator)),
            ("share of the dosage that covariates explain", number(explained)),
            ("products in", precision(subject, test, explained)),
            ("no variance", "yes" if value("no_variance") else "no"),
            ("statistic", number(beta / standard_error)),
            ("BETA of ALLELE1", number(-beta if flips else beta)),
            ("SE", number(standard_error)),
            ("CHISQ", number(value("chi_square"))),
            ("LOG10P", number(value("log10_p"))),
        ),
    )
    return [trait_section, test_section]


def precision(subject: Subject, test: QuantitativeTest, explained: float) -> str:
    """Which arithmetic the products of the variant took, and why."""
    if subject.group.is_joint:
        return "double precision: joint analysis"
    if not bool(unpack_row_facts(jnp.asarray(subject.tile.row_facts)).whole[0]):
        return "double precision: a genotype is imputed, or finer than 8 bits"
    if 1.0 - explained < test.context.plan.kernels.linear.double_precision_fraction:
        return "double precision: the covariates explain most of the dosage"
    return "float32, residuals in two parts"
