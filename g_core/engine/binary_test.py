"""Tests a mask group of binary traits, block by block.

Belongs here: which kernel runs when, which rows are corrected, and what the numbers become in a row. Does not belong
here: the kernels.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from statistics import NormalDist

import jax
import numpy as np
import numpy.typing as npt

from g_core import _native
from g_core.config.choices import NullNonconvergence
from g_core.config.run_plan import CorrectionMethod
from g_core.engine.block_moments import ChunkMoments, join_sums
from g_core.engine.candidates import CandidateValues
from g_core.engine.chunk_scores import ChunkScores, copied_values
from g_core.engine.chunks import ChunkSpan
from g_core.engine.corrections import CorrectCandidates, make_correction
from g_core.engine.group_context import BlockGenotypes, GroupContext, block_genotypes, genotype_rows, joint_rows
from g_core.engine.null_firth_files import NullFirthFiles
from g_core.engine.scan import GroupRows
from g_core.engine.stages import Stage
from g_core.engine.tiles import FloatArray, unpack_row_facts
from g_core.kernels.binary_null import BinaryNull, BinaryNullConfigs, FirthKind, fit_binary_null
from g_core.kernels.covariate_basis import covariate_basis
from g_core.kernels.genotype import CaseControlSummary, case_control_from_sums, summarise_cases_and_controls
from g_core.kernels.logistic_null import NullStatus
from g_core.kernels.score import BinaryModel, BinaryScore, binary_model, binary_score
from g_core.kernels.settings import ScoreConfig
from g_core.results.batch import (
    CORRECTION_CODES,
    NO_REASON,
    REASON_CODES,
    CaseControlColumns,
    GenotypeRows,
    TraitRows,
)
from g_core.results.schema import Correction, Reason

FIRTH_KINDS = {
    CorrectionMethod.NONE: FirthKind.NONE,
    CorrectionMethod.FIRTH_APPROXIMATE: FirthKind.APPROXIMATE,
    CorrectionMethod.FIRTH_EXACT: FirthKind.EXACT,
    CorrectionMethod.SADDLEPOINT: FirthKind.NONE,
}


@dataclass(frozen=True, slots=True)
class ChromosomeNull:
    """Null models of all traits on one chromosome, and what the score kernel reads of them."""

    traits: tuple[BinaryNull, ...]
    corrections: tuple[CorrectCandidates | None, ...]
    model: BinaryModel


@dataclass(frozen=True, slots=True)
class ScoredChunk:
    """A chunk whose scores are on their way, kept until it is known which of its values are wanted."""

    first_variant: int
    n_variants: int
    chunk: _native.DosageChunk
    scores: list[BinaryScore]


@dataclass(frozen=True, slots=True)
class HostScores:
    """Score test results of a block on the host, [V, T], of the flipped allele."""

    statistic: FloatArray
    beta: FloatArray
    standard_error: FloatArray
    chi_square: FloatArray
    log10_p: FloatArray
    no_variance: npt.NDArray[np.bool_]
    case_value_sum: FloatArray


@dataclass(frozen=True, slots=True)
class CorrectedTrait:
    """One trait's numbers after correction, [V], of the flipped allele."""

    beta: FloatArray
    standard_error: FloatArray
    chi_square: FloatArray
    log10_p: FloatArray
    correction_codes: npt.NDArray[np.int8]
    reason_codes: npt.NDArray[np.int8]


class BinaryTest:
    """Score test and corrections of one group; null models are fitted when their chromosome begins."""

    def __init__(self, context: GroupContext, null_firth: NullFirthFiles) -> None:
        self.context = context
        self.null_firth = null_firth
        self.binary = context.plan.binary
        self.configs = context.plan.kernels
        self.cases = np.column_stack([np.where(trait.present, trait.values, 0.0) for trait in context.group.traits])
        self.basis = covariate_basis(context.group.design, self.configs.basis).basis
        # |statistic| above this is corrected: the two-sided normal quantile of --pThresh (spec 5.5).
        self.correction_threshold = NormalDist().inv_cdf(1.0 - self.binary.p_threshold / 2.0)
        self.nulls: dict[int, ChromosomeNull] = {}
        self.notes: list[str] = []

    def null(self, chromosome_code: int) -> ChromosomeNull:
        """The null models of a chromosome."""
        if chromosome_code not in self.nulls:
            with self.context.clock.stage(Stage.NULL_MODELS):
                self.nulls[chromosome_code] = self.fit_nulls(chromosome_code)
        return self.nulls[chromosome_code]

    def fit(self, chromosome_code: int) -> None:
        """Fit the null models of a chromosome, unless they are."""
        self.null(chromosome_code)

    def fit_nulls(self, chromosome_code: int) -> ChromosomeNull:
        """Fit every trait by itself, so that no trait's fit hangs on another's."""
        configs = BinaryNullConfigs(
            basis=self.configs.basis,
            probability=self.configs.probability,
            logistic_null=self.configs.logistic_null,
            firth_null=self.configs.firth_null,
        )
        fits = tuple(
            fit_binary_null(
                np.ascontiguousarray(self.cases[:, index]),
                trait.present,
                self.basis,
                None if trait.predictions is None else trait.predictions.row(chromosome_code),
                n_padded=self.context.n_padded,
                firth_kind=FIRTH_KINDS[self.binary.correction],
                stored_start=self.stored_start(trait.name, chromosome_code),
                keep_unconverged=self.binary.null_nonconvergence is NullNonconvergence.WARN,
                configs=configs,
            )
            for index, trait in enumerate(self.context.group.traits)
        )
        self.store(chromosome_code, fits)
        self.notes += [
            note
            for trait, fit in zip(self.context.group.traits, fits, strict=True)
            for note in convergence_notes(trait.name, chromosome_code, fit)
        ]
        model = binary_model(
            [fit.trait_null for fit in fits],
            self.context.n_padded,
            self.basis.shape[1],
            double_precision=self.context.group.is_joint,
        )
        workers = self.context.plan.compute.threads
        corrections = tuple(make_correction(fit, self.binary, self.configs, workers=workers) for fit in fits)
        return ChromosomeNull(traits=fits, corrections=corrections, model=model)

    def stored_start(self, trait: str, chromosome_code: int) -> FloatArray | None:
        """Where --use-null-firth has the null Firth fit start."""
        starts = self.null_firth.starts
        return None if starts is None else starts.start(trait, chromosome_code, self.basis.shape[1])

    def store(self, chromosome_code: int, fits: tuple[BinaryNull, ...]) -> None:
        """Keep the coefficients of a chromosome for --write-null-firth."""
        writer = self.null_firth.writer
        if writer is None:
            return
        for trait, fit in zip(self.context.group.traits, fits, strict=True):
            if fit.firth is not None and fit.firth.status is NullStatus.CONVERGED:
                writer.add(trait.name, chromosome_code, fit.firth.coefficients)

    def begin(self, chromosome_code: int) -> "BinaryBlock":
        """Begin a block."""
        return BinaryBlock(self, self.null(chromosome_code))


class BinaryBlock:
    """The test of one block.

    Values of variants that may be corrected are copied while their chunk is at hand, one chunk late, when its scores
    are known; the rest of the chunk goes back to the decoder.
    """

    def __init__(self, test: BinaryTest, null: ChromosomeNull) -> None:
        self.test = test
        self.context = test.context
        self.null = null
        model, config = null.model, test.configs.score
        self.scores = ChunkScores[BinaryScore](
            test.context, lambda tile: score_binary_tile(tile.values, tile.row_facts, model, config)
        )
        self.candidates = CandidateValues()
        self.last: ScoredChunk | None = None
        self.first_variant: int | None = None

    def add(self, span: ChunkSpan, chunk: _native.DosageChunk) -> None:
        """Start the score kernels of the next chunk, and keep the candidates of the one before."""
        if self.first_variant is None:
            self.first_variant = span.start
        with self.context.clock.stage(Stage.COMPUTE):
            started = self.scores.start(chunk)
            self.keep_candidates()
            if any(correct is not None for correct in self.null.corrections):
                self.last = ScoredChunk(span.start - self.first_variant, span.n_variants, chunk, started)

    def keep_candidates(self) -> None:
        """Copy the values of the last chunk's variants whose statistic exceeds the threshold for some trait."""
        if self.last is None:
            return
        last, self.last = self.last, None
        statistic = np.concatenate([np.asarray(score.statistic) for score in last.scores])[: last.n_variants]
        rows = np.flatnonzero(np.any(np.abs(statistic) > self.test.correction_threshold, axis=1))
        self.candidates.keep(last.first_variant, rows, copied_values(self.context, last.chunk, rows))

    def finish(self) -> GroupRows:
        """Wait for the scores, correct what exceeds the threshold, and return the rows by trait."""
        if self.first_variant is None:
            raise ValueError("a block without chunks has no rows")
        with self.context.clock.stage(Stage.COMPUTE):
            self.scores.wait_for_last()
            self.keep_candidates()
            return self.rows(self.first_variant)

    def rows(self, first_variant: int) -> GroupRows:
        """The rows of a block whose scores are done."""
        genotypes = block_genotypes(self.context, first_variant, self.scores.moments)
        with self.context.clock.stage(Stage.DEVICE_TO_HOST):
            scores = host_scores(self.scores)
        counts = count_cases(genotypes, self.scores.moments, self.test.cases, scores.case_value_sum)
        rows_of_genotypes = genotype_rows(genotypes.traits)
        rows_by_trait: dict[str, TraitRows] = {}
        for index, trait in enumerate(self.context.group.traits):
            with self.context.clock.stage(Stage.CORRECTION):
                corrected = self.correct(genotypes, scores, index)
            rows_by_trait[trait.name] = trait_rows(
                rows_of_genotypes[index], scores, corrected, counts, genotypes.moments.flipped, index
            )
        joint = joint_rows(genotypes, tested=None) if self.context.plan.output.one_table else None
        return GroupRows(rows_by_trait, joint)

    def correct(self, genotypes: BlockGenotypes, scores: HostScores, index: int) -> CorrectedTrait:
        """Replace the score test's numbers where the statistic exceeds the threshold (spec 5.5 and 6.4)."""
        null = self.null.traits[index]
        rows = uncorrected(scores, index, genotypes.untested, null_failed=null.trait_null is None)
        correct = self.null.corrections[index]
        exceeds = np.abs(scores.statistic[:, index]) > self.test.correction_threshold
        tested = genotypes.traits[index].row_filter.kept & ~genotypes.untested
        candidates = np.flatnonzero(exceeds & tested)
        if correct is None or candidates.size == 0:
            return rows
        corrected = correct(self.candidates.of_trait(candidates, genotypes, index))
        rows.beta[candidates] = corrected.beta
        rows.standard_error[candidates] = corrected.standard_error
        rows.chi_square[candidates] = corrected.chi_square
        rows.log10_p[candidates] = corrected.log10_p
        rows.correction_codes[candidates] = CORRECTION_CODES[corrected.correction]
        rows.reason_codes[candidates[corrected.failed]] = REASON_CODES[corrected.reason_if_failed]
        return rows


@partial(jax.jit, static_argnames=("config",))
def score_binary_tile(values: jax.Array, row_facts: jax.Array, model: BinaryModel, config: ScoreConfig) -> BinaryScore:
    """binary_score of a tile's values and row facts."""
    rows = unpack_row_facts(row_facts)
    return binary_score(values, rows.unit, rows.centre, rows.centred_square_sum, rows.whole, rows.sparse, model, config)


def convergence_notes(trait: str, chromosome_code: int, fit: BinaryNull) -> list[str]:
    """A line where a null model of the chromosome did not converge."""
    fits = {"logistic": fit.logistic.status, "Firth": None if fit.firth is None else fit.firth.status}
    unconverged = [name for name, status in fits.items() if status is NullStatus.NOT_CONVERGED]
    if not unconverged:
        return []
    if fit.trait_null is None:
        outcome = "its rows there have no test (--null-nonconvergence warn goes on with the last state)"
    else:
        outcome = "its rows there are from the last state of the fit and may be wrong"
    return [f"trait {trait}: the null {unconverged[0]} fit of chromosome {chromosome_code} did not converge; {outcome}"]


def host_scores(scores: ChunkScores[BinaryScore]) -> HostScores:
    """Bring the results of a block's kernels to the host."""
    return HostScores(
        statistic=scores.joined(lambda score: score.statistic),
        beta=scores.joined(lambda score: score.beta),
        standard_error=scores.joined(lambda score: score.se),
        chi_square=scores.joined(lambda score: score.chi_square),
        log10_p=scores.joined(lambda score: score.log10_p),
        no_variance=scores.joined_flags(lambda score: score.no_variance),
        case_value_sum=scores.joined(lambda score: score.case_value_sum),
    )


def count_cases(
    genotypes: BlockGenotypes, chunks: Sequence[ChunkMoments], cases: FloatArray, case_value_sum: FloatArray
) -> CaseControlSummary:
    """Counts and frequencies by case status of a block."""
    moments = genotypes.moments
    if chunks[0].cases:
        summaries = [trait.summary for trait in genotypes.traits]
        case_sums = [join_sums([chunk.cases[index] for chunk in chunks]) for index in range(len(summaries))]
        return case_control_from_sums(
            n_present=np.column_stack([summary.n_present for summary in summaries]),
            dosage_sum=np.column_stack([summary.dosage_sum for summary in summaries]),
            n_cases=np.column_stack([sums.n_present for sums in case_sums]),
            case_dosage_sum=np.column_stack([sums.dosage_sum for sums in case_sums]),
        )
    return summarise_cases_and_controls(
        cases=cases,
        case_value_sum=case_value_sum,
        n_present=moments.n_present,
        dosage_sum=moments.dosage_sum,
        unit=moments.unit,
        centre=moments.centre,
        flipped=moments.flipped,
        missing_offsets=moments.missing_offsets,
        missing_columns=moments.missing_columns,
    )


def uncorrected(
    scores: HostScores, index: int, untested: npt.NDArray[np.bool_], *, null_failed: bool
) -> CorrectedTrait:
    """One trait's score test, as arrays of its own."""
    no_variance = scores.no_variance[:, index] | untested
    reasons = np.where(no_variance, REASON_CODES[Reason.NO_VARIANCE], NO_REASON).astype(np.int8)
    if null_failed:
        reasons[:] = REASON_CODES[Reason.NULL_MODEL_FAILED]
    return CorrectedTrait(
        beta=scores.beta[:, index].copy(),
        standard_error=scores.standard_error[:, index].copy(),
        chi_square=scores.chi_square[:, index].copy(),
        log10_p=scores.log10_p[:, index].copy(),
        correction_codes=np.full(reasons.shape, CORRECTION_CODES[Correction.NONE], np.int8),
        reason_codes=reasons,
    )


def trait_rows(
    genotypes: GenotypeRows,
    scores: HostScores,
    corrected: CorrectedTrait,
    counts: CaseControlSummary,
    flipped: npt.NDArray[np.bool_],
    index: int,
) -> TraitRows:
    """One trait's rows, turned back to ALLELE1."""
    return TraitRows(
        genotypes=genotypes,
        case_control=CaseControlColumns(
            case_frequency=counts.frequency_cases[:, index],
            control_frequency=counts.frequency_controls[:, index],
            n_cases=counts.n_cases[:, index].astype(np.int32),
            n_controls=counts.n_controls[:, index].astype(np.int32),
        ),
        beta=np.where(flipped, -corrected.beta, corrected.beta),
        standard_error=corrected.standard_error,
        chi_square=corrected.chi_square,
        log10_p=corrected.log10_p,
        score_beta=np.where(flipped, -scores.beta[:, index], scores.beta[:, index]),
        score_standard_error=scores.standard_error[:, index],
        correction_codes=corrected.correction_codes,
        reason_codes=corrected.reason_codes,
    )
