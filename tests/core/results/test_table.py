"""One table for all traits: which variants make a line, and where a trait has nothing to say in it."""

import numpy as np
import pyarrow as pa

from g_core.results.batch import NO_REASON, REASON_CODES, GenotypeRows, JointRows, TraitRows, variant_columns
from g_core.results.schema import GeneticModel, Reason
from g_core.results.table import table_batch

N_VARIANTS = 5
NUMBERS = np.arange(1.0, N_VARIANTS + 1)


def joint_rows() -> JointRows:
    """Five variants, of which the second makes no line; nobody has a genotype of the third."""
    counts = np.arange(N_VARIANTS, dtype=np.int32)
    missing = np.array([0.1, 0.2, np.nan, 0.4, 0.5])
    return JointRows(
        kept=np.array([True, False, True, True, True]),
        frequency=missing,
        information=missing * 2,
        n_present=counts + 100,
        n_hom_reference=counts + 60,
        n_heterozygous=counts + 30,
        n_hom_effect=counts + 10,
    )


def trait_rows(reasons: list[int], *, kept: list[bool]) -> TraitRows:
    return TraitRows(
        genotypes=GenotypeRows(
            kept=np.array(kept),
            frequency=NUMBERS,
            information=NUMBERS,
            n_present=np.zeros(N_VARIANTS, np.int32),
            below_minimum_mac=0,
            below_minimum_info=0,
            below_minimum_homozygotes=0,
        ),
        case_control=None,
        beta=NUMBERS,
        standard_error=NUMBERS / 10,
        chi_square=NUMBERS * 10,
        log10_p=NUMBERS * 20,
        score_beta=-NUMBERS,
        score_standard_error=NUMBERS / 100,
        correction_codes=np.zeros(N_VARIANTS, np.int8),
        reason_codes=np.array(reasons, np.int8),
    )


def batch(*traits: TraitRows) -> pa.RecordBatch:
    reader_table = pa.record_batch(
        {
            "rsid": pa.array([f"rs{number}" for number in range(N_VARIANTS + 1)]),
            "chromosome": pa.array(["1"] * (N_VARIANTS + 1)),
            "position": pa.array(range(N_VARIANTS + 1), pa.uint32()),
            "allele1": pa.array(["A"] * (N_VARIANTS + 1)),
            "allele2": pa.array(["G"] * (N_VARIANTS + 1)),
        }
    )
    variants = variant_columns(reader_table, np.ones(N_VARIANTS + 1, np.int8), reference_first=False)
    return table_batch(variants, 1, N_VARIANTS + 1, joint_rows(), traits, GeneticModel.RECESSIVE)


def test_a_line_is_a_variant_that_all_samples_keep() -> None:
    made = batch()
    assert made["ID"].to_pylist() == ["rs1", "rs3", "rs4", "rs5"]
    assert made["A1FREQ"].to_pylist() == [0.1, None, 0.4, 0.5]
    assert made["INFO"].to_pylist() == [0.2, None, 0.8, 1.0]
    assert made["N"].to_pylist() == [100, 102, 103, 104]
    assert made["N_RR"].to_pylist() == [60, 62, 63, 64]
    assert made["N_RA"].to_pylist() == [30, 32, 33, 34]
    assert made["N_AA"].to_pylist() == [10, 12, 13, 14]
    assert made["TEST"].to_pylist() == ["REC"] * 4


def test_a_trait_has_nulls_where_its_filters_or_the_test_left_the_variant_out() -> None:
    no_test, failed = REASON_CODES[Reason.NO_VARIANCE], REASON_CODES[Reason.FIRTH_NOT_CONVERGED]
    whole = trait_rows([NO_REASON] * 5, kept=[True] * 5)
    partly = trait_rows([NO_REASON, NO_REASON, no_test, failed, NO_REASON], kept=[True, True, True, True, False])
    made = batch(whole, partly)
    assert made["BETA.Y1"].to_pylist() == [1.0, 3.0, 4.0, 5.0]
    assert made["LOG10P.Y1"].to_pylist() == [20.0, 60.0, 80.0, 100.0]
    # Tested; no test; a correction that failed, so the score test's effect; below the trait's own filters.
    assert made["BETA.Y2"].to_pylist() == [1.0, None, -4.0, None]
    assert made["SE.Y2"].to_pylist() == [0.1, None, 0.04, None]
    assert made["CHISQ.Y2"].to_pylist() == [10.0, None, None, None]
    assert made["LOG10P.Y2"].to_pylist() == [20.0, None, None, None]
