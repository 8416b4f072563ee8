"""A checksum of the rows a run wrote, equal exactly where the rows are.

Belongs here: hashing content, whatever the parts, the row groups, the compression or the file's own metadata. Does not
belong here: whether equal rows are right (parity/).
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import polars as pl

TEXT_TYPES = (pl.String, pl.Categorical, pl.Enum)


class ResultError(Exception):
    """A result cannot be read. The message names the trait and says why."""


def rows_sha256(run_directory: Path, traits: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Sha256 of the rows of every trait.

    Args:
        run_directory: The engine's run directory.
        traits: Name and Parquet parts of each trait, the parts in row order and relative to the run directory.

    Raises:
        ResultError: A part is missing or is not Parquet.
    """
    digest = hashlib.sha256()
    for name, parts in sorted(traits):
        digest.update(f"trait {name}\n".encode())
        if parts:
            for column in read_columns(name, [run_directory / part for part in parts]):
                digest.update(f"column {column.name} {len(column)}\n".encode())
                digest.update(column_bytes(column))
    return digest.hexdigest()


def read_columns(trait: str, parts: Sequence[Path]) -> list[pl.Series]:
    """The columns of one trait in the order of their names, each part's rows after the other's."""
    try:
        table = pl.concat([pl.read_parquet(part, glob=False) for part in parts])
    except (OSError, pl.exceptions.PolarsError) as error:
        raise ResultError(f"trait {trait}: {error}") from error
    return [table.get_column(name) for name in sorted(table.columns)]


def column_bytes(column: pl.Series) -> bytes:
    """Nulls and values of a column, one after the other; text with its lengths, so that no two columns read alike."""
    nulls = column.is_null().to_numpy().tobytes()
    if isinstance(column.dtype, TEXT_TYPES):
        text = column.cast(pl.String).fill_null("")
        lengths = text.str.len_bytes().to_numpy().tobytes()
        return nulls + lengths + "".join(text.to_list()).encode()
    return nulls + str(column.dtype).encode() + column.fill_null(0).to_numpy().tobytes()
