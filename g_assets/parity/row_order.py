"""Our rows in the order of REGENIE's.

Belongs here: numbered difference 8 of docs/parity.md: REGENIE takes the order of an index beside the BGEN, and ours is
the order of the BGEN itself. Only where there is an index may the order differ; the rows themselves may not.
"""

from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from g_assets.parity.cases import GoldenCase
from g_assets.parity.compare import FirthRows
from g_assets.parity.regenie_table import RegenieTable

KEY = ("CHROM", "GENPOS", "ID", "ALLELE0", "ALLELE1")
ROW = "row"


def has_index(case: GoldenCase, golden_folder: Path) -> bool:
    """Whether REGENIE reads an index of the case's BGEN: one that is named, or one that lies beside it."""
    return case.has("--bgi") or any((golden_folder / f"{bgen}.bgi").is_file() for bgen in case.values("--bgen"))


def in_order_of(expected: RegenieTable, actual: RegenieTable, firth_rows: FirthRows) -> tuple[RegenieTable, FirthRows]:
    """Return our table and its Firth rows in the order of REGENIE's; as they are where the rows are not the same.

    The n-th of equal variants stays the n-th.
    """
    places = numbered(expected.frame).join(numbered(actual.frame), on=[*KEY, "n"], how="inner", maintain_order="left")
    if not places.height == expected.frame.height == actual.frame.height:
        return actual, firth_rows
    order: npt.NDArray[np.int64] = places.get_column(f"{ROW}_right").to_numpy().astype(np.int64)
    reordered = RegenieTable(path=actual.path, frame=actual.frame[order])
    return reordered, {suffix: rows[order] for suffix, rows in firth_rows.items()}


def numbered(frame: pl.DataFrame) -> pl.DataFrame:
    """The keys of a table, which of equal variants each is, and its row."""
    return frame.select(KEY).with_columns(pl.int_range(pl.len()).over(KEY).alias("n")).with_row_index(ROW)
