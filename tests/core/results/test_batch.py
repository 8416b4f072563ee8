"""A batch has the published schema, nulls where there is no number, and only the rows that passed the filters."""

import dataclasses

import numpy as np
import pyarrow as pa

from g_core.results.batch import (
    CORRECTION_CODES,
    NO_REASON,
    REASON_CODES,
    CaseControlColumns,
    GenotypeRows,
    TraitRows,
    VariantColumns,
    result_batch,
    shared_columns,
    text_batch,
    variant_columns,
)
from g_core.results.schema import COLUMNS, RESULT_SCHEMA, Correction, GeneticModel, Reason, schema_lines


def reader_table() -> pa.RecordBatch:
    """Four variants as the reader lists them."""
    return pa.record_batch(
        {
            "variant_id": pa.array(["v0", "v1", "v2", "v3"]),
            "rsid": pa.array(["rs0", "rs1", "rs2", "rs3"]),
            "chromosome": pa.array(["01", "01", "X", "X"]),
            "position": pa.array([10, 20, 30, 40], pa.uint32()),
            "allele1": pa.array(["A", "C", "G", "T"]),
            "allele2": pa.array(["G", "T", "A", "AT"]),
        }
    )


def columns(*, reference_first: bool) -> VariantColumns:
    """The last three of them, selected."""
    return variant_columns(reader_table().slice(1), np.array([1, 23, 23], np.int8), reference_first=reference_first)


def rows(case_control: CaseControlColumns | None = None) -> TraitRows:
    """Three variants: a test, a failed correction, and one below the filters."""
    numbers = np.array([0.5, 0.25, 0.125])
    return TraitRows(
        genotypes=GenotypeRows(
            kept=np.array([True, True, False]),
            frequency=np.array([0.1, np.nan, 0.3]),
            information=np.array([1.0, np.nan, 0.9]),
            n_present=np.array([100, 0, 98], np.int32),
            below_minimum_mac=1,
            below_minimum_info=0,
            below_minimum_homozygotes=0,
        ),
        case_control=case_control,
        beta=numbers,
        standard_error=numbers / 2,
        chi_square=numbers * 8,
        log10_p=numbers * 4,
        score_beta=numbers + 1,
        score_standard_error=numbers + 2,
        correction_codes=np.array(
            [CORRECTION_CODES[Correction.NONE], CORRECTION_CODES[Correction.FIRTH_APPROXIMATE], 0], np.int8
        ),
        reason_codes=np.array([NO_REASON, REASON_CODES[Reason.FIRTH_NOT_CONVERGED], NO_REASON], np.int8),
    )


def batch_of(trait: TraitRows, *, reference_first: bool) -> pa.RecordBatch:
    shared = shared_columns(columns(reference_first=reference_first), 0, 3, trait.genotypes, GeneticModel.ADDITIVE)
    return result_batch(shared, trait)


def test_a_batch_has_the_published_schema_and_the_kept_rows() -> None:
    batch = batch_of(rows(), reference_first=False)
    assert batch.schema.equals(RESULT_SCHEMA)
    assert batch.select(["CHROM", "CHROM_CODE", "GENPOS", "ID", "ALLELE0", "ALLELE1"]).to_pylist() == [
        {"CHROM": "01", "CHROM_CODE": 1, "GENPOS": 20, "ID": "rs1", "ALLELE0": "T", "ALLELE1": "C"},
        {"CHROM": "X", "CHROM_CODE": 23, "GENPOS": 30, "ID": "rs2", "ALLELE0": "A", "ALLELE1": "G"},
    ]
    assert batch["TEST"].to_pylist() == ["ADD", "ADD"]


def test_a_row_without_a_test_has_null_statistics_and_a_reason() -> None:
    batch = batch_of(rows(), reference_first=False)
    for name in ("BETA", "SE", "CHISQ", "LOG10P"):
        assert batch[name].is_null().to_pylist() == [False, True]
    assert batch["STATUS"].to_pylist() == ["ok", "failed"]
    assert batch["REASON"].to_pylist() == [None, "firth_not_converged"]
    assert batch["A1FREQ"].to_pylist() == [0.1, None]
    assert batch["INFO"].to_pylist() == [1.0, None]


def test_case_and_control_columns_are_null_for_a_quantitative_trait_only() -> None:
    quantitative = batch_of(rows(), reference_first=False)
    assert quantitative["N_CASES"].null_count == 2
    case_control = CaseControlColumns(
        case_frequency=np.array([0.2, np.nan, 0.1]),
        control_frequency=np.array([0.05, 0.1, 0.1]),
        n_cases=np.array([30, 0, 20], np.int32),
        n_controls=np.array([70, 0, 78], np.int32),
    )
    binary = batch_of(rows(case_control), reference_first=False)
    assert binary["N_CASES"].to_pylist() == [30, 0]
    assert binary["A1FREQ_CASES"].to_pylist() == [0.2, None]


def test_reference_first_makes_the_second_allele_the_effect_allele() -> None:
    batch = batch_of(rows(), reference_first=True)
    assert batch["ALLELE1"].to_pylist() == ["T", "A"]
    assert batch["ALLELE0"].to_pylist() == ["C", "G"]


def test_the_text_keeps_a_failed_correction_with_the_score_numbers_and_leaves_out_untested_rows() -> None:
    failed = rows()
    printed = text_batch(batch_of(failed, reference_first=False), failed)
    assert printed["TEXT_BETA"].to_pylist() == [0.5, 1.25]
    failed.reason_codes[1] = REASON_CODES[Reason.NO_VARIANCE]
    printed = text_batch(batch_of(failed, reference_first=False), failed)
    assert printed["ID"].to_pylist() == ["rs1"]


def test_the_printed_schema_names_every_column() -> None:
    lines = schema_lines()
    assert [line.split()[0] for line in lines[1:]] == [column.name for column in COLUMNS]


def all_rows(correction: Correction, effect: float) -> TraitRows:
    """Three variants that all make a row, the first with ``correction``."""
    few = rows()
    return dataclasses.replace(
        few,
        genotypes=dataclasses.replace(few.genotypes, kept=np.ones(3, np.bool_)),
        beta=np.full(3, effect),
        correction_codes=np.array([CORRECTION_CODES[correction], 0, 0], np.int8),
        reason_codes=np.full(3, NO_REASON, np.int8),
    )


def addresses(batch: pa.RecordBatch, name: str) -> list[int]:
    """Where the memory of a column lies."""
    return [buffer.address for buffer in batch[name].buffers() if buffer is not None]


def test_traits_of_one_sample_set_hold_the_same_memory_but_for_their_own_numbers() -> None:
    one = all_rows(Correction.NONE, 0.5)
    other = dataclasses.replace(all_rows(Correction.NONE, 0.25), genotypes=one.genotypes)
    shared = shared_columns(columns(reference_first=False), 0, 3, one.genotypes, GeneticModel.ADDITIVE)
    first, second = result_batch(shared, one), result_batch(shared, other)
    own = {name for name in RESULT_SCHEMA.names if addresses(first, name) != addresses(second, name)}
    assert own <= {"BETA", "SE", "CHISQ", "LOG10P"}
    assert "BETA" in own
    assert second["CORRECTION"].to_pylist() == ["none"] * 3


def test_a_corrected_row_gives_its_trait_a_column_of_its_own() -> None:
    trait = all_rows(Correction.FIRTH_APPROXIMATE, 0.5)
    assert batch_of(trait, reference_first=False)["CORRECTION"].to_pylist() == ["firth_approximate", "none", "none"]


def test_sample_sets_that_keep_all_variants_hold_the_same_variant_columns() -> None:
    variants = columns(reference_first=False)
    trait = all_rows(Correction.NONE, 0.5)
    other_set = dataclasses.replace(trait.genotypes)
    first, second = (
        result_batch(shared_columns(variants, 0, 3, genotypes, GeneticModel.ADDITIVE), trait)
        for genotypes in (trait.genotypes, other_set)
    )
    for name in ("CHROM", "CHROM_CODE", "GENPOS", "ID", "ALLELE0", "ALLELE1"):
        assert addresses(first, name) == addresses(second, name)
