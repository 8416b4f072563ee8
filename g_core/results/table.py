"""Rows of one table for all traits (``--no-split``) as Arrow batches.

Belongs here: variants beside every trait's numbers, under the names that REGENIE's header has. Does not belong here:
one trait's rows (batch.py), or printing them (rust/output).
"""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from g_core.results.batch import (
    NO_REASON,
    REASONS_IN_TEXT,
    TEST_NAMES,
    JointRows,
    TraitRows,
    VariantColumns,
    coded,
    nullable,
    printed_effects,
)
from g_core.results.schema import GeneticModel


def table_batch(
    variants: VariantColumns,
    start: int,
    stop: int,
    joint: JointRows,
    traits: Sequence[TraitRows],
    test: GeneticModel,
) -> pa.RecordBatch:
    """Build the batch of one block; a trait without a test in a line has nulls there.

    Args:
        variants: Identifying columns of all selected variants.
        start: First selected variant of the block.
        stop: One past its last.
        joint: The numbers over all samples, and which variants make a line.
        traits: Rows of every trait of the run; the first is Y1.
        test: Genetic model.
    """
    kept = joint.kept
    columns = variants.rows(start, stop, kept)
    columns["A1FREQ"] = nullable(joint.frequency[kept])
    columns["INFO"] = nullable(joint.information[kept])
    counts = (joint.n_present, joint.n_hom_reference, joint.n_heterozygous, joint.n_hom_effect)
    for name, values in zip(("N", "N_RR", "N_RA", "N_AA"), counts, strict=True):
        columns[name] = pa.array(values[kept], pa.int32())
    n_rows = int(np.count_nonzero(kept))
    columns["TEST"] = coded(np.full(n_rows, list(GeneticModel).index(test), dtype=np.int8), TEST_NAMES)
    for number, rows in enumerate(traits, start=1):
        columns |= trait_columns(rows, joint, f"Y{number}")
    return pa.RecordBatch.from_pydict(columns)


def trait_columns(rows: TraitRows, joint: JointRows, label: str) -> dict[str, pa.Array]:
    """The four columns of one trait along the table's lines, as REGENIE's text has them.

    A correction that failed has the score test's effect and no statistic. Where the trait's own filters leave a
    variant out, or it has no test, all four are null.
    """
    kept = joint.kept
    reasons = rows.reason_codes[kept]
    printed = rows.genotypes.kept[kept] & np.isin(reasons, REASONS_IN_TEXT)
    tested = reasons == NO_REASON
    beta, standard_error = printed_effects(rows, kept, tested)
    numbers = {
        "BETA": np.where(printed, beta, np.nan),
        "SE": np.where(printed, standard_error, np.nan),
        "CHISQ": np.where(printed & tested, rows.chi_square[kept], np.nan),
        "LOG10P": np.where(printed & tested, rows.log10_p[kept], np.nan),
    }
    return {f"{name}.{label}": nullable(values) for name, values in numbers.items()}
