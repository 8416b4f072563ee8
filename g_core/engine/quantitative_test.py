"""Tests a mask group of quantitative traits, chunk by chunk.

Belongs here: which kernel runs when, and what its numbers become in a row. Does not belong here: the kernels.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from g_core import _native
from g_core.engine.chunks import ChunkSpan
from g_core.engine.group_context import (
    ChunkGenotypes,
    GroupContext,
    await_results,
    chunk_genotypes,
    joined,
    joint_rows,
)
from g_core.engine.quantitative_models import ScoreTile, quantitative_models
from g_core.engine.scan import FinishChunk, GroupRows
from g_core.engine.stages import Stage
from g_core.kernels.genotype import orient_to_effect_allele
from g_core.kernels.linear import LinearScore, TraitStatus
from g_core.results.batch import CORRECTION_CODES, NO_REASON, REASON_CODES, TraitRows
from g_core.results.schema import Correction, Reason


@dataclass(frozen=True, slots=True)
class BegunQuantitative:
    """Kernels of one chunk that are running."""

    genotypes: ChunkGenotypes
    scores: list[LinearScore]


class QuantitativeTest:
    """The linear score test of one group; models are fitted when their chromosome begins."""

    def __init__(self, context: GroupContext) -> None:
        self.context = context
        self.models = quantitative_models(context)
        self.scores: dict[int, ScoreTile] = {}
        self.notes: list[str] = []

    def score(self, chromosome_code: int) -> ScoreTile:
        """The test of a chromosome."""
        if chromosome_code not in self.scores:
            with self.context.clock.stage(Stage.NULL_MODELS):
                self.scores[chromosome_code] = self.models.at(chromosome_code)
        return self.scores[chromosome_code]

    def fit(self, chromosome_code: int) -> None:
        """Make the model of a chromosome, unless it is there."""
        self.score(chromosome_code)

    def begin(self, span: ChunkSpan, chunk: _native.DosageChunk, sample_set: int) -> FinishChunk:
        """Start the score kernels of a chunk."""
        score = self.score(span.chromosome_code)
        with self.context.clock.stage(Stage.COMPUTE):
            genotypes = chunk_genotypes(self.context, span, chunk, sample_set)
            scores = [score(tile) for tile in genotypes.tiles]
        return partial(self.finish, BegunQuantitative(genotypes, scores))

    def finish(self, begun: BegunQuantitative) -> GroupRows:
        """Collect the rows of a chunk, by trait."""
        with self.context.clock.stage(Stage.COMPUTE):
            await_results(self.context, begun.scores)
            return self.rows(begun)

    def rows(self, begun: BegunQuantitative) -> GroupRows:
        """The rows of a chunk whose kernels are done."""
        genotypes, tiles = begun.genotypes, begun.genotypes.tiles
        with self.context.clock.stage(Stage.DEVICE_TO_HOST):
            beta = orient_to_effect_allele(
                joined(tiles, [score.beta for score in begun.scores]), genotypes.moments.flipped
            )
            standard_error = joined(tiles, [score.se for score in begun.scores])
            chi_square = joined(tiles, [score.chi_square for score in begun.scores])
            log10_p = joined(tiles, [score.log10_p for score in begun.scores])
            no_variance = joined(tiles, [score.no_variance for score in begun.scores]).astype(np.bool_)
        no_test = no_variance | genotypes.untested[:, None]
        reasons_of_variants = np.where(no_test, REASON_CODES[Reason.NO_VARIANCE], NO_REASON).astype(np.int8)
        no_correction = np.full(len(no_test), CORRECTION_CODES[Correction.NONE], np.int8)
        rows_by_trait: dict[str, TraitRows] = {}
        for index, trait in enumerate(self.context.group.traits):
            summary, row_filter = genotypes.traits[index].summary, genotypes.traits[index].row_filter
            in_span = self.models.prepared.statuses[index] is TraitStatus.IN_COVARIATE_SPAN
            reasons = np.ascontiguousarray(reasons_of_variants[:, index])
            rows_by_trait[trait.name] = TraitRows(
                kept=row_filter.kept,
                frequency=summary.allele_frequency,
                information=summary.info,
                n_present=summary.n_present.astype(np.int32),
                case_control=None,
                beta=beta[:, index],
                standard_error=standard_error[:, index],
                chi_square=chi_square[:, index],
                log10_p=log10_p[:, index],
                score_beta=beta[:, index],
                score_standard_error=standard_error[:, index],
                correction_codes=no_correction,
                reason_codes=np.full_like(reasons, REASON_CODES[Reason.IN_COVARIATE_SPAN]) if in_span else reasons,
                below_minimum_mac=row_filter.below_minimum_mac,
                below_minimum_info=row_filter.below_minimum_info,
                below_minimum_homozygotes=row_filter.below_minimum_homozygotes,
            )
        if not self.context.plan.output.one_table:
            return GroupRows(rows_by_trait, None)
        # REGENIE leaves out a variant that has no variance for any quantitative trait.
        return GroupRows(rows_by_trait, joint_rows(genotypes, tested=np.any(~no_test, axis=1)))
