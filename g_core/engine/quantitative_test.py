"""Tests a mask group of quantitative traits, block by block.

Belongs here: which kernel runs when, and what its numbers become in a row. Does not belong here: the kernels.
"""

import numpy as np

from g_core import _native
from g_core.engine.chunk_scores import ChunkScores
from g_core.engine.chunks import ChunkSpan
from g_core.engine.group_context import GroupContext, block_genotypes, genotype_rows, joint_rows
from g_core.engine.quantitative_models import QuantitativeModels, ScoreTile, quantitative_models
from g_core.engine.quantitative_rows import host_scores, rows_of_traits
from g_core.engine.scan import GroupRows
from g_core.engine.stages import Stage
from g_core.kernels.linear import LinearScore


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
            scores = host_scores(self.scores.joined, genotypes.moments.flipped)
        no_test = scores.no_variance | genotypes.untested
        rows_by_trait = rows_of_traits(
            self.context.group, self.models.prepared.statuses, scores, no_test, genotype_rows(genotypes.traits)
        )
        if not self.context.plan.output.one_table:
            return GroupRows(rows_by_trait, None)
        # REGENIE leaves out a variant that has no variance for any quantitative trait.
        return GroupRows(rows_by_trait, joint_rows(genotypes, tested=np.any(~no_test, axis=0)))
