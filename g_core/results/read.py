"""Rows of committed Parquet files: some columns of all, or all columns of the strongest.

Belongs here: reading one part after another, so that memory does not grow with the columns of a whole run. Does not
belong here: which files a trait has (engine), and what is done with the rows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from g_core.errors import InputError
from g_core.results.schema import RESULT_SCHEMA


@dataclass(frozen=True, slots=True)
class TestedRows:
    """The rows of a trait that hold a test, in file order; every array has one entry a row.

    Attributes:
        chromosome_codes: As in CHROM_CODE.
        positions: Base pairs.
        chi_square: One degree of freedom.
        log10_p: Minus log10 of the p-value.
    """

    __test__ = False  # not a test class, whatever pytest makes of the name

    chromosome_codes: npt.NDArray[np.int8]
    positions: npt.NDArray[np.uint32]
    chi_square: npt.NDArray[np.float64]
    log10_p: npt.NDArray[np.float64]


def read_tested_rows(parts: Sequence[Path]) -> TestedRows:
    """Read place and statistic of every row that has a test.

    Raises:
        InputError: A part cannot be read; the message names it.
    """
    names = ("CHROM_CODE", "GENPOS", "CHISQ", "LOG10P")
    rows = pa.concat_tables([RESULT_SCHEMA.empty_table().select(names), *read_parts(parts, names)])
    chi_square, log10_p = rows["CHISQ"].to_numpy(), rows["LOG10P"].to_numpy()  # a null becomes NaN
    tested = np.isfinite(chi_square) & np.isfinite(log10_p)
    return TestedRows(
        chromosome_codes=rows["CHROM_CODE"].to_numpy()[tested],
        positions=rows["GENPOS"].to_numpy()[tested],
        chi_square=chi_square[tested],
        log10_p=log10_p[tested],
    )


def read_strongest_rows(parts: Sequence[Path], count: int, columns: Sequence[str]) -> list[dict[str, object]]:
    """The rows of largest LOG10P, strongest first; of equal ones those that come first in the files.

    Args:
        parts: Files of one trait in order.
        count: How many rows at most.
        columns: What of each row; LOG10P is among them.

    Raises:
        InputError: A part cannot be read; the message names it.
    """
    strongest: list[tuple[float, dict[str, object]]] = []
    for path, table in zip(parts, read_parts(parts, ("LOG10P",)), strict=True):
        strengths = np.nan_to_num(table["LOG10P"].to_numpy(), nan=-np.inf)
        order = np.argsort(-strengths, kind="stable")[:count]
        weakest = strongest[-1][0] if strongest and len(strongest) == count else -np.inf
        chosen = order[strengths[order] > weakest]
        if chosen.size:
            rows = read_part(path, columns).take(pa.array(chosen)).to_pylist()
            strongest += zip(strengths[chosen].tolist(), rows, strict=True)
            strongest = sorted(strongest, key=lambda entry: -entry[0])[:count]
    return [row for _, row in strongest]


def read_parts(parts: Sequence[Path], columns: Sequence[str]) -> Iterator[pa.Table]:
    """The named columns of one part after another.

    Raises:
        InputError: A part cannot be read; the message names it.
    """
    for path in parts:
        yield read_part(path, columns)


def read_part(path: Path, columns: Sequence[str]) -> pa.Table:
    """The named columns of a part.

    Raises:
        InputError: It cannot be read, or lacks one of them; the message names the part.
    """
    try:
        with pq.ParquetFile(path) as part:
            lacking = [name for name in columns if name not in part.schema_arrow.names]
            if lacking:
                raise InputError(f"{path}: has no column {', '.join(lacking)}; is it a result of g?")
            return part.read(columns=list(columns))
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; the run's record names it") from None
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{path}: cannot be read: {str(error).splitlines()[0]}") from None
