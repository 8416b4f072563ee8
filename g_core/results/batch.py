"""Result rows as Arrow batches: variant columns beside one trait's numbers.

Belongs here: assembling a batch of the result schema from arrays. Does not belong here: computing the numbers (engine),
or writing them (rust/output).
"""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from g_core.results.schema import (
    DICTIONARY,
    LABEL_DICTIONARY,
    RESULT_SCHEMA,
    TEXT_BETA,
    TEXT_SE,
    Correction,
    GeneticModel,
    Reason,
    Status,
)

Entry = TypeVar("Entry", np.float64, np.int32, np.int8)

NO_REASON = -1
CORRECTION_CODES = {correction: code for code, correction in enumerate(Correction)}
REASON_CODES = {reason: code for code, reason in enumerate(Reason)}
STATUS_NAMES = pa.array([str(status) for status in Status], pa.string())
REASON_NAMES = pa.array([str(reason) for reason in Reason], pa.string())
CORRECTION_NAMES = pa.array([str(correction) for correction in Correction], pa.string())
TEST_NAMES = pa.array([str(code) for code in GeneticModel], pa.string())

# Rows that REGENIE leaves out of its text: it prints a failed correction, but no line where there was no test at all.
REASONS_IN_TEXT = (NO_REASON, REASON_CODES[Reason.FIRTH_NOT_CONVERGED], REASON_CODES[Reason.SADDLEPOINT_FAILED])


@dataclass(frozen=True, slots=True)
class CaseControlColumns:
    """The binary trait's extra columns; frequencies are NaN where nobody has a genotype."""

    case_frequency: npt.NDArray[np.float64]
    control_frequency: npt.NDArray[np.float64]
    n_cases: npt.NDArray[np.int32]
    n_controls: npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class GenotypeRows:
    """The genotype part of a trait's rows; traits whose genotypes are the same share one object.

    Every array has one entry a variant of the block. ``kept`` is False for variants below the trait's filters; they
    make no row.
    """

    kept: npt.NDArray[np.bool_]
    frequency: npt.NDArray[np.float64]
    information: npt.NDArray[np.float64]
    n_present: npt.NDArray[np.int32]
    below_minimum_mac: int
    below_minimum_info: int
    below_minimum_homozygotes: int


@dataclass(frozen=True, slots=True)
class TraitRows:
    """One trait's numbers for the variants of one block; every array has one entry a variant.

    Statistics are for ALLELE1 (already turned back where the decoder counted the other allele), and NaN where there
    is no test.
    """

    genotypes: GenotypeRows
    case_control: CaseControlColumns | None
    beta: npt.NDArray[np.float64]
    standard_error: npt.NDArray[np.float64]
    chi_square: npt.NDArray[np.float64]
    log10_p: npt.NDArray[np.float64]
    score_beta: npt.NDArray[np.float64]
    score_standard_error: npt.NDArray[np.float64]
    correction_codes: npt.NDArray[np.int8]
    reason_codes: npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class JointRows:
    """What one table for all traits (``--no-split``) says of each variant of a block, whatever the trait.

    Every array has one entry a variant and is taken over all samples that are analysed for any trait (spec section 8).

    Attributes:
        kept: False for variants that make no line: below the filters over these samples, or without variance in them.
        frequency: of ALLELE1; NaN where nobody has a genotype.
        information: IMPUTE information; NaN where nobody has a genotype.
        n_present: samples with a genotype.
        n_hom_reference: those with a dosage of ALLELE1 below 0.5.
        n_heterozygous: the others.
        n_hom_effect: those with a dosage of 1.5 and more; of 1 and more for males where they have one copy.
    """

    kept: npt.NDArray[np.bool_]
    frequency: npt.NDArray[np.float64]
    information: npt.NDArray[np.float64]
    n_present: npt.NDArray[np.int32]
    n_hom_reference: npt.NDArray[np.int32]
    n_heterozygous: npt.NDArray[np.int32]
    n_hom_effect: npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class VariantColumns:
    """The identifying columns of the selected variants, in scan order."""

    columns: dict[str, pa.Array]

    def rows(self, start: int, stop: int, kept: npt.NDArray[np.bool_]) -> dict[str, pa.Array]:
        """Columns of the kept variants among ``start:stop``."""
        columns = {name: column.slice(start, stop - start) for name, column in self.columns.items()}
        if bool(np.all(kept)):
            # Slices stay in one memory, by which the writer knows that parts of several sample sets share them.
            return columns
        mask = pa.array(kept)
        return {name: column.filter(mask) for name, column in columns.items()}


def variant_columns(
    selected: pa.RecordBatch, chromosome_codes: npt.NDArray[np.int8], *, reference_first: bool
) -> VariantColumns:
    """Name the reader's columns of the selected variants as result columns.

    Args:
        selected: The reader's rows (rsid, chromosome, position, allele1, allele2) of the selected variants.
        chromosome_codes: Code of each.
        reference_first: The first allele is the reference, so the second is the effect allele.
    """
    effect, other = ("allele2", "allele1") if reference_first else ("allele1", "allele2")
    return VariantColumns(
        {
            "CHROM": selected["chromosome"].dictionary_encode().cast(LABEL_DICTIONARY),
            "CHROM_CODE": pa.array(chromosome_codes, pa.int8()),
            "GENPOS": selected["position"],
            "ID": selected["rsid"],
            "ALLELE0": selected[other],
            "ALLELE1": selected[effect],
        }
    )


@dataclass(frozen=True, slots=True)
class SharedColumns:
    """Columns that are the same for all traits with the same genotype rows, made once a block.

    The writer encodes a column once for all traits whose batches hold this very array, so nothing may copy it.

    Attributes:
        kept: Variants that make a row, or None where all do.
        columns: Those of the variants and of their genotypes, and those of a quantitative trait whose every row is an
            uncorrected test.
    """

    genotypes: GenotypeRows
    kept: npt.NDArray[np.bool_] | None
    n_rows: int
    columns: dict[str, pa.Array]

    def pick(self, values: npt.NDArray[Entry]) -> npt.NDArray[Entry]:
        """The entries of the rows."""
        return values if self.kept is None else values[self.kept]


def shared_columns(
    variants: VariantColumns, start: int, stop: int, genotypes: GenotypeRows, test: GeneticModel
) -> SharedColumns:
    """Make the columns that do not hang on the trait.

    Args:
        variants: Identifying columns of all selected variants.
        start: First selected variant of the block.
        stop: One past its last.
        genotypes: Of the block.
        test: Genetic model.
    """
    kept = genotypes.kept
    n_rows = int(np.count_nonzero(kept))
    columns = variants.rows(start, stop, kept)
    columns["A1FREQ"] = nullable(genotypes.frequency[kept])
    columns["INFO"] = nullable(genotypes.information[kept])
    columns["N"] = pa.array(genotypes.n_present[kept], pa.int32())
    columns["A1FREQ_CASES"] = columns["A1FREQ_CONTROLS"] = pa.nulls(n_rows, pa.float64())
    columns["N_CASES"] = columns["N_CONTROLS"] = pa.nulls(n_rows, pa.int32())
    columns["TEST"] = coded(np.full(n_rows, list(GeneticModel).index(test), dtype=np.int8), TEST_NAMES)
    columns["CORRECTION"] = coded(np.full(n_rows, CORRECTION_CODES[Correction.NONE], np.int8), CORRECTION_NAMES)
    columns["STATUS"] = coded(np.zeros(n_rows, np.int8), STATUS_NAMES)
    columns["REASON"] = reason_column(np.full(n_rows, NO_REASON, np.int8))
    return SharedColumns(genotypes, None if n_rows == kept.shape[0] else kept, n_rows, columns)


def result_batch(shared: SharedColumns, rows: TraitRows) -> pa.RecordBatch:
    """Build the batch of one trait and block in the result schema.

    Args:
        shared: Made of the trait's genotype rows.
        rows: The trait's numbers.
    """
    columns = dict(shared.columns)
    if rows.case_control is not None:
        columns["A1FREQ_CASES"] = nullable(shared.pick(rows.case_control.case_frequency))
        columns["A1FREQ_CONTROLS"] = nullable(shared.pick(rows.case_control.control_frequency))
        columns["N_CASES"] = pa.array(shared.pick(rows.case_control.n_cases), pa.int32())
        columns["N_CONTROLS"] = pa.array(shared.pick(rows.case_control.n_controls), pa.int32())
    reasons = shared.pick(rows.reason_codes)
    failed = reasons != NO_REASON
    any_failed = bool(np.any(failed))
    for name, values in (
        ("BETA", rows.beta),
        ("SE", rows.standard_error),
        ("CHISQ", rows.chi_square),
        ("LOG10P", rows.log10_p),
    ):
        numbers = shared.pick(values)
        columns[name] = nullable(np.where(failed, np.nan, numbers) if any_failed else numbers)
    corrections = shared.pick(rows.correction_codes)
    if bool(np.any(corrections != CORRECTION_CODES[Correction.NONE])):
        columns["CORRECTION"] = coded(corrections, CORRECTION_NAMES)
    if any_failed:
        columns["STATUS"] = coded(failed.astype(np.int8), STATUS_NAMES)
        columns["REASON"] = reason_column(reasons)
    return pa.record_batch([columns[name] for name in RESULT_SCHEMA.names], schema=RESULT_SCHEMA)


def text_batch(batch: pa.RecordBatch, rows: TraitRows) -> pa.RecordBatch:
    """The rows that REGENIE prints, with the score test's numbers for lines whose correction failed."""
    kept = rows.genotypes.kept
    reasons = rows.reason_codes[kept]
    tested = reasons == NO_REASON
    beta, standard_error = printed_effects(rows, kept, tested)
    whole = batch.append_column(TEXT_BETA, nullable(beta)).append_column(TEXT_SE, nullable(standard_error))
    if bool(np.all(tested)):
        return whole
    return whole.filter(pa.array(np.isin(reasons, REASONS_IN_TEXT)))


def printed_effects(
    rows: TraitRows, selected: npt.NDArray[np.bool_], tested: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """BETA and SE as REGENIE prints them: the score test's where ``tested`` is False.

    Args:
        rows: Of the trait.
        selected: [V] variants of the result.
        tested: One entry a selected variant.
    """
    return (
        np.where(tested, rows.beta[selected], rows.score_beta[selected]),
        np.where(tested, rows.standard_error[selected], rows.score_standard_error[selected]),
    )


def nullable(values: npt.NDArray[np.float64]) -> pa.Array:
    """Float64 column whose NaN are nulls."""
    # Most columns have none, and to look is quicker than to convert for it.
    return pa.array(values, pa.float64(), from_pandas=bool(np.any(np.isnan(values))))


def reason_column(reasons: npt.NDArray[np.int8]) -> pa.Array:
    """Dictionary column of reasons, null where there is none."""
    return pa.DictionaryArray.from_arrays(pa.array(reasons, pa.int8(), mask=reasons == NO_REASON), REASON_NAMES)


def coded(codes: npt.NDArray[np.int8], names: pa.Array) -> pa.Array:
    """Dictionary column of codes."""
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int8()), names).cast(DICTIONARY)
