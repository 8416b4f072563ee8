"""REGENIE's result text as a table.

Belongs here: reading ``.regenie`` and ``.regenie.gz`` files, and which of their columns are names, counts and numbers.
Every field stays the text that was printed until it is asked for as a number, so that exact columns compare exactly.
"""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

MISSING = "NA"


class TableError(Exception):
    """A result file cannot be read as a table. The message names file and place."""


class Quantity(StrEnum):
    """What a number column holds; it decides the tolerance."""

    FREQUENCY = "frequency"
    EFFECT = "effect"
    STANDARD_ERROR = "standard error"
    STATISTIC = "statistic"
    LOG10P = "minus log10 of P"


QUANTITY_OF_COLUMN = {
    "A1FREQ": Quantity.FREQUENCY,
    "A1FREQ_CASES": Quantity.FREQUENCY,
    "A1FREQ_CONTROLS": Quantity.FREQUENCY,
    "INFO": Quantity.FREQUENCY,
    "BETA": Quantity.EFFECT,
    "SE": Quantity.STANDARD_ERROR,
    "CHISQ": Quantity.STATISTIC,
    "LOG10P": Quantity.LOG10P,
}


def quantity_of(column: str) -> Quantity | None:
    """Return what a column holds, or None where its text must be equal. ``BETA.Y2`` is a BETA."""
    return QUANTITY_OF_COLUMN.get(column.partition(".")[0])


def trait_suffix(column: str) -> str:
    """Return what names the trait in a column of a file of several traits: ``.Y2`` of ``BETA.Y2``, else nothing."""
    name, dot, trait = column.partition(".")
    return f"{dot}{trait}" if name in QUANTITY_OF_COLUMN else ""


@dataclass(frozen=True, slots=True)
class RegenieTable:
    """One result file. ``frame`` holds the printed text of every field."""

    path: Path
    frame: pl.DataFrame

    @property
    def columns(self) -> tuple[str, ...]:
        """Header."""
        return tuple(self.frame.columns)

    @property
    def exact_columns(self) -> tuple[str, ...]:
        """Names, alleles, counts: columns that are equal or wrong."""
        return tuple(column for column in self.columns if quantity_of(column) is None)

    @property
    def number_columns(self) -> tuple[str, ...]:
        """Columns that are compared within a tolerance."""
        return tuple(column for column in self.columns if quantity_of(column) is not None)

    def describe_row(self, row: int) -> str:
        """Return the exact columns of a row, for a message."""
        return " ".join(str(field) for field in self.frame.select(self.exact_columns).row(row))

    def numbers(self, column: str) -> npt.NDArray[np.float64]:
        """Return a column as float64, NaN where it is NA.

        Raises:
            TableError: A field is neither NA nor a number.
        """
        text = self.frame.get_column(column)
        values = text.replace(MISSING, None).cast(pl.Float64, strict=False)
        unreadable = (values.is_null() & (text != MISSING)).arg_true()
        if unreadable.len():
            row = int(unreadable[0])
            raise TableError(f"{self.path}, line {row + 2}, column {column}: {text[row]!r} is not a number")
        return values.fill_null(float("nan")).to_numpy().astype(np.float64)


def read_table(path: Path) -> RegenieTable:
    """Read a result file; gzip is recognised by its contents.

    Raises:
        TableError: The file is absent, empty, or a line has another number of fields than the header.
    """
    try:
        frame = pl.read_csv(path, separator=" ", infer_schema=False, quote_char=None).fill_null("")
    except (OSError, pl.exceptions.PolarsError) as error:
        raise TableError(f"{path}: {str(error).splitlines()[0]}") from error
    return RegenieTable(path=path, frame=frame)
