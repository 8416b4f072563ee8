"""Whether two cells that did the same work wrote the same numbers, within the tolerances of docs/parity.md.

Belongs here: comparing the Parquet rows of two engine runs when their checksums differ: another machine, another JAX or
a harmless change moves the last bits; a fault moves more. Does not belong here: the checksum (payloads), or the
tolerances (parity/tolerances.py).

polars and numpy are imported where they are used: the code location loads this module, and reads no rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt
    import polars as pl

    from g_assets.parity.tolerances import TestedRows, Tolerances

PART_PATTERN = "*/part-*.parquet"


@dataclass(frozen=True, slots=True)
class NumbersVerdict:
    """Whether the numbers held, and the largest change in words."""

    held: bool
    reason: str


@dataclass(frozen=True, slots=True)
class LargestChange:
    """The cell that changed most, in units of what it may change by; infinite where a value came or went."""

    share: float
    words: str


def compare_numbers(current: Path, baseline: Path) -> NumbersVerdict:
    """Compare the rows of two run directories.

    Args:
        current: Run directory of the engine (``PREFIX.g``).
        baseline: The earlier one.

    Returns:
        ``held`` where every trait has the same rows and every number is within its tolerance of the earlier one. Rows
        that cannot be read have not held: nothing shows that they did.
    """
    from g_assets.parity.tolerances import GOLDEN_TOLERANCES

    traits = [{part.parent.name for part in folder.glob(PART_PATTERN)} for folder in (current, baseline)]
    for folder, found in zip((current, baseline), traits, strict=True):
        if not found:
            return NumbersVerdict(held=False, reason=f"{folder} holds no results any more, so nothing can be compared")
    if traits[0] != traits[1]:
        return NumbersVerdict(held=False, reason=f"other traits: {', '.join(sorted(traits[0] ^ traits[1]))}")
    changes: list[LargestChange] = []
    for trait in sorted(traits[0]):
        ours, theirs = read_rows(current / trait), read_rows(baseline / trait)
        if isinstance(ours, str) or isinstance(theirs, str):
            return NumbersVerdict(held=False, reason=ours if isinstance(ours, str) else str(theirs))
        fault = structure_fault(trait, ours, theirs)
        if fault is not None:
            return NumbersVerdict(held=False, reason=fault)
        changes.extend(number_changes(trait, ours, theirs, GOLDEN_TOLERANCES))
    largest = max(changes, key=lambda change: change.share, default=LargestChange(0.0, "no numbers"))
    return NumbersVerdict(held=largest.share <= 1.0, reason=f"largest change: {largest.words}")


def read_rows(folder: Path) -> pl.DataFrame | str:
    """One trait's rows, its text columns as text; why they cannot be read where they cannot."""
    import polars as pl

    try:
        parts = [pl.read_parquet(path, glob=False) for path in sorted(folder.glob("part-*.parquet"))]
        return pl.concat([part.with_columns(pl.col(pl.Categorical).cast(pl.String)) for part in parts])
    except (OSError, pl.exceptions.PolarsError) as error:
        return f"{folder}: {str(error).splitlines()[0]}"


def structure_fault(trait: str, ours: pl.DataFrame, theirs: pl.DataFrame) -> str | None:
    """What differs in columns, rows, or anything that is no number with a tolerance; None where nothing does."""
    if ours.columns != theirs.columns or ours.height != theirs.height:
        return f"trait {trait}: {ours.height} rows against {theirs.height}, or other columns"
    for column in exact_columns(ours):
        mine, earlier = ours.get_column(column), theirs.get_column(column)
        if not mine.equals(earlier):
            row = next(row for row in range(ours.height) if mine[row] != earlier[row])
            return f"trait {trait}, row {row + 1}: {column} is {mine[row]}, was {earlier[row]}"
    return None


def exact_columns(rows: pl.DataFrame) -> list[str]:
    """Names, counts, states: columns that are equal or not."""
    from g_assets.parity.regenie_table import quantity_of

    return [column for column in rows.columns if quantity_of(column) is None]


def number_changes(trait: str, ours: pl.DataFrame, theirs: pl.DataFrame, tolerances: Tolerances) -> list[LargestChange]:
    """The largest change of each number column of a trait."""
    import numpy as np

    from g_assets.parity.regenie_table import quantity_of
    from g_assets.parity.tolerances import bound

    rows = tested_rows(theirs)
    changes: list[LargestChange] = []
    for column in theirs.columns:
        quantity = quantity_of(column)
        if quantity is None or not theirs.height:
            continue
        mine, earlier = numbers(ours, column), numbers(theirs, column)
        allowed = bound(quantity=quantity, expected=earlier, rows=rows, tolerances=tolerances)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.abs(mine - earlier) / allowed
        both_missing = np.isnan(mine) & np.isnan(earlier)
        # What is no number by now (a value came or went, a bound that cannot be had) counts as beyond every bound.
        share = np.where(both_missing | (mine == earlier), 0.0, np.nan_to_num(share, nan=np.inf))
        worst = int(np.argmax(share))
        cell = f"{column} of {theirs.get_column('ID')[worst]}, trait {trait}"
        values = f"from {earlier[worst]:.9g} to {mine[worst]:.9g}, {share[worst]:.2g} times what is allowed"
        changes.append(LargestChange(float(share[worst]), f"{cell}, {values}"))
    return changes


def tested_rows(rows: pl.DataFrame) -> TestedRows:
    """The earlier run's numbers that the bounds are made of."""
    import polars as pl

    from g_assets.parity.tolerances import TestedRows

    firth = pl.col("CORRECTION").str.starts_with("firth") & (pl.col("STATUS") == "ok")
    is_firth: npt.NDArray[np.bool_] = rows.select(firth).to_series().to_numpy()
    return TestedRows(
        effect=numbers(rows, "BETA"),
        standard_error=numbers(rows, "SE"),
        statistic=numbers(rows, "CHISQ"),
        is_firth=is_firth,
        standard_error_from_statistic=False,
    )


def numbers(rows: pl.DataFrame, column: str) -> npt.NDArray[np.float64]:
    """A column as float64, NaN where it is null; [rows]."""
    import numpy as np

    return rows.get_column(column).fill_null(float("nan")).to_numpy().astype(np.float64)
