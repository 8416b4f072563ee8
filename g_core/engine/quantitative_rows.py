"""From linear scores to rows.

Belongs here: what a quantitative trait's numbers become in a row. Does not belong here: the kernels, or which groups
are tested together.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import jax
import numpy as np
import numpy.typing as npt

from g_core.engine.tiles import FloatArray
from g_core.inputs.analysis_set import MaskGroup
from g_core.kernels.linear import LinearScore, TraitStatus
from g_core.results.batch import CORRECTION_CODES, NO_REASON, REASON_CODES, GenotypeRows, TraitRows
from g_core.results.schema import Correction, Reason


@dataclass(frozen=True, slots=True)
class HostScores:
    """Results of a block on the host, [T, V] so that a trait's numbers lie together; effects are of ALLELE1."""

    beta: FloatArray
    standard_error: FloatArray
    chi_square: FloatArray
    log10_p: FloatArray
    no_variance: npt.NDArray[np.bool_]


def host_scores(
    joined: Callable[[Callable[[LinearScore], jax.Array]], FloatArray], flipped: npt.NDArray[np.bool_]
) -> HostScores:
    """Bring a group's results of a block to the host.

    Args:
        joined: Returns one of the results for all variants, [V, T].
        flipped: [V], the tested dosage counts the other allele.
    """
    beta = np.ascontiguousarray(joined(lambda score: score.beta).T)
    return HostScores(
        beta=np.where(flipped, -beta, beta),
        standard_error=np.ascontiguousarray(joined(lambda score: score.se).T),
        chi_square=np.ascontiguousarray(joined(lambda score: score.chi_square).T),
        log10_p=np.ascontiguousarray(joined(lambda score: score.log10_p).T),
        no_variance=np.ascontiguousarray(joined(lambda score: score.no_variance).T).astype(np.bool_),
    )


def rows_of_traits(
    group: MaskGroup,
    statuses: Sequence[TraitStatus],
    scores: HostScores,
    no_test: npt.NDArray[np.bool_],
    genotypes: Sequence[GenotypeRows],
) -> dict[str, TraitRows]:
    """The rows of a group's traits.

    Args:
        group: The traits.
        statuses: T entries, whether a trait can be tested.
        scores: Of the block.
        no_test: [T, V] variants without a test.
        genotypes: T entries.
    """
    reasons = np.where(no_test, REASON_CODES[Reason.NO_VARIANCE], NO_REASON).astype(np.int8)
    no_correction = np.full(no_test.shape[1], CORRECTION_CODES[Correction.NONE], np.int8)
    rows: dict[str, TraitRows] = {}
    for index, (trait, status) in enumerate(zip(group.traits, statuses, strict=True)):
        if status is TraitStatus.IN_COVARIATE_SPAN:
            reasons[index] = REASON_CODES[Reason.IN_COVARIATE_SPAN]
        rows[trait.name] = TraitRows(
            genotypes=genotypes[index],
            case_control=None,
            beta=scores.beta[index],
            standard_error=scores.standard_error[index],
            chi_square=scores.chi_square[index],
            log10_p=scores.log10_p[index],
            score_beta=scores.beta[index],
            score_standard_error=scores.standard_error[index],
            correction_codes=no_correction,
            reason_codes=reasons[index],
        )
    return rows
