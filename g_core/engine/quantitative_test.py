"""Tests a mask group of quantitative traits, block by block.

Belongs here: which kernel runs when, and what its numbers become in a row. Does not belong here: the kernels.
"""

import numpy as np

from g_core import _native
from g_core.engine.chunk_scores import ChunkScores
from g_core.engine.chunks import ChunkSpan
from g_core.engine.group_context import GroupContext, block_genotypes, genotype_rows, joint_rows
from g_core.engine.quantitative_models import QuantitativeModels, ScoreTile, quantitative_models
from g_core.engine.scan import GroupRows
from g_core.engine.stages import Stage
from g_core.kernels.genotype import orient_to_effect_allele
from g_core.kernels.linear import LinearScore, TraitStatus
from g_core.results.batch import CORRECTION_CODES, NO_REASON, REASON_CODES, TraitRows
from g_core.results.schema import Correction, Reason


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

    def begin(self, chromosome_code: int) -> "QuantitativeBlock":
        """Begin a block."""
        return QuantitativeBlock(self.context, self.models, self.score(chromosome_code))


class QuantitativeBlock:
    """The test of one block."""

    def __init__(self, context: GroupContext, models: QuantitativeModels, score: ScoreTile) -> None:
        self.context = context
        self.models = models
        self.scores = ChunkScores[LinearScore](context, score)
        self.first_variant: int | None = None

    def add(self, span: ChunkSpan, chunk: _native.DosageChunk) -> None:
        """Start the score kernels of the next chunk."""
        if self.first_variant is None:
            self.first_variant = span.start
        with self.context.clock.stage(Stage.COMPUTE):
            self.scores.start(chunk)

    def finish(self) -> GroupRows:
        """Collect the rows of the block, by trait."""
        if self.first_variant is None:
            raise ValueError("a block without chunks has no rows")
        with self.context.clock.stage(Stage.COMPUTE):
            self.scores.wait_for_last()
            return self.rows(self.first_variant)

    def rows(self, first_variant: int) -> GroupRows:
        """The rows of a block whose kernels are done."""
        genotypes = block_genotypes(self.context, first_variant, self.scores.moments)
        with self.context.clock.stage(Stage.DEVICE_TO_HOST):
            # Traits first, so that a trait's numbers lie together.
            beta = orient_to_effect_allele(self.scores.joined(lambda score: score.beta), genotypes.moments.flipped)
            beta = np.ascontiguousarray(beta.T)
            standard_error = np.ascontiguousarray(self.scores.joined(lambda score: score.se).T)
            chi_square = np.ascontiguousarray(self.scores.joined(lambda score: score.chi_square).T)
            log10_p = np.ascontiguousarray(self.scores.joined(lambda score: score.log10_p).T)
            no_variance = self.scores.joined_flags(lambda score: score.no_variance)
        no_test = no_variance | genotypes.untested[:, None]
        reasons_of_variants = np.where(no_test.T, REASON_CODES[Reason.NO_VARIANCE], NO_REASON).astype(np.int8)
        no_correction = np.full(len(no_test), CORRECTION_CODES[Correction.NONE], np.int8)
        rows_of_genotypes = genotype_rows(genotypes)
        rows_by_trait: dict[str, TraitRows] = {}
        for index, trait in enumerate(self.context.group.traits):
            in_span = self.models.prepared.statuses[index] is TraitStatus.IN_COVARIATE_SPAN
            reasons = reasons_of_variants[index]
            rows_by_trait[trait.name] = TraitRows(
                genotypes=rows_of_genotypes[index],
                case_control=None,
                beta=beta[index],
                standard_error=standard_error[index],
                chi_square=chi_square[index],
                log10_p=log10_p[index],
                score_beta=beta[index],
                score_standard_error=standard_error[index],
                correction_codes=no_correction,
                reason_codes=np.full_like(reasons, REASON_CODES[Reason.IN_COVARIATE_SPAN]) if in_span else reasons,
            )
        if not self.context.plan.output.one_table:
            return GroupRows(rows_by_trait, None)
        # REGENIE leaves out a variant that has no variance for any quantitative trait.
        return GroupRows(rows_by_trait, joint_rows(genotypes, tested=np.any(~no_test, axis=1)))
