"""Values for Dagster's pages: few, and never NaN or infinity, which leave the page blank.

Belongs here: making facts fit for the event log. Does not belong here: which facts an asset shows.
"""

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeGuard

import dagster as dg

from g_assets.artifacts.metadata import MetadataEntry, MetadataKind

# Dagster plots the first twenty numbers of an asset and no more.
PLOTTED_NUMBERS = 20

Plain = str | int | float | bool | None | Path | dg.MetadataValue


def clean(values: Mapping[str, Plain]) -> dict[str, Plain]:
    """The same values in the same order, a number that is not finite replaced by its name as text.

    Raises ValueError where there are more numbers than Dagster plots: choose the ones that say most.
    """
    cleaned = {
        name: str(value) if is_number(value) and not math.isfinite(value) else value for name, value in values.items()
    }
    numbers = [name for name, value in cleaned.items() if is_number(value)]
    if len(numbers) > PLOTTED_NUMBERS:
        msg = f"{len(numbers)} numbers in one asset's metadata, Dagster plots {PLOTTED_NUMBERS}: {', '.join(numbers)}"
        raise ValueError(msg)
    return cleaned


def is_number(value: Plain) -> TypeGuard[int | float]:
    """Whether Dagster plots the value. A bool is no number here."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def from_entries(entries: Iterable[MetadataEntry]) -> dict[str, Plain]:
    """The facts that a record chose for the event log."""
    return clean({entry.name: typed_entry(entry) for entry in entries})


def typed_entry(entry: MetadataEntry) -> Plain:
    """One fact; text with a meaning of its own gets Dagster's type for it."""
    match entry.kind:
        case MetadataKind.MARKDOWN:
            return dg.MetadataValue.md(str(entry.value))
        case MetadataKind.PATH:
            return dg.MetadataValue.path(str(entry.value))
        case MetadataKind.TEXT | MetadataKind.INTEGER | MetadataKind.FLOAT | MetadataKind.BOOLEAN:
            return entry.value
