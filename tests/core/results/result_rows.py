"""Made-up result rows of the published schema, and parts of them on disk."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from g_core import _native
from g_core.results.schema import RESULT_SCHEMA


def result_rows(n_rows: int, *, seed: int = 1, chromosomes: Sequence[int] = (22,)) -> pa.Table:
    """Rows sorted by place, without effect; every hundredth holds no test. ``chromosomes`` share the rows equally."""
    generator = np.random.default_rng(seed)
    codes = np.sort(np.resize(np.array(chromosomes, np.int8), n_rows))
    labels = ["X" if code == 23 else str(code) for code in range(24)]
    failed = np.arange(n_rows) % 100 == 99
    z = generator.standard_normal(n_rows)
    chi_square = z**2
    se = generator.uniform(0.01, 0.1, n_rows)
    alleles = np.array(list("ACGT"))
    columns = {
        "CHROM": pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32)), pa.array(labels)),
        "CHROM_CODE": codes,
        "GENPOS": (1000 + 3 * np.arange(n_rows)).astype(np.uint32),
        "ID": [f"rs{row}" for row in range(n_rows)],
        "ALLELE0": alleles[generator.integers(0, 4, n_rows)],
        "ALLELE1": alleles[generator.integers(0, 4, n_rows)],
        "A1FREQ": generator.uniform(0, 0.5, n_rows),
        "A1FREQ_CASES": pa.nulls(n_rows, pa.float64()),
        "A1FREQ_CONTROLS": pa.nulls(n_rows, pa.float64()),
        "INFO": generator.uniform(0.3, 1, n_rows),
        "N": np.full(n_rows, 500, np.int32),
        "N_CASES": pa.nulls(n_rows, pa.int32()),
        "N_CONTROLS": pa.nulls(n_rows, pa.int32()),
        "TEST": word_column("ADD", n_rows),
        "BETA": pa.array(z * se, mask=failed),
        "SE": pa.array(se, mask=failed),
        "CHISQ": pa.array(chi_square, mask=failed),
        "LOG10P": pa.array(log10_p_of(chi_square), mask=failed),
        "CORRECTION": word_column("none", n_rows),
        "STATUS": pa.DictionaryArray.from_arrays(pa.array(failed.astype(np.int8)), pa.array(["ok", "failed"])),
        "REASON": pa.DictionaryArray.from_arrays(
            pa.array(np.zeros(n_rows, np.int8), mask=~failed), pa.array(["no_variance"])
        ),
    }
    return pa.table([pa.array(columns[field.name], field.type) for field in RESULT_SCHEMA], schema=RESULT_SCHEMA)


def word_column(word: str, n_rows: int) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(n_rows, np.int8)), pa.array([word]))


def log10_p_of(chi_square):
    from scipy import stats

    return -stats.chi2.logsf(chi_square, 1) / np.log(10)


def write_parts(folder: Path, tables: Sequence[pa.Table]) -> list[_native.CommittedPart]:
    """Commit each table as a part, in order."""
    folder.mkdir(parents=True, exist_ok=True)
    writer = _native.PartWriter(threads=2, queue_depth=4, compression="zstd")
    for number, table in enumerate(tables):
        writer.submit(
            temporary_path=str(folder / f".{number}"),
            final_path=str(folder / f"part-{number:05d}.parquet"),
            batches=table.to_batches() or [pa.RecordBatch.from_pylist([], schema=RESULT_SCHEMA)],
            metadata={"g.trait": "Y", "cut": str(number)},
        )
    return writer.close()
