"""The few facts of a record that Dagster's event log keeps beside it: named, typed, never NaN.

Belongs here: choosing and naming them, headline first (the UI plots only the first twenty numbers). Does not belong
here: Dagster's own types; each launcher turns an entry into its own.
"""

import math
from dataclasses import dataclass
from enum import StrEnum

from g_assets.artifacts.cell import CellManifest


class MetadataKind(StrEnum):
    """The types of an entry; each is the name that both Dagster and Dagster Pipes have for it."""

    TEXT = "text"
    MARKDOWN = "md"
    INTEGER = "int"
    FLOAT = "float"
    BOOLEAN = "bool"
    PATH = "path"


@dataclass(frozen=True, slots=True)
class MetadataEntry:
    """One fact: its name, its type and its value."""

    name: str
    kind: MetadataKind
    value: str | int | float | bool


def number_entry(name: str, value: float | None) -> MetadataEntry:
    """A number, or the words ``not measured`` where there is none: NaN and infinity would blank the page."""
    if value is None or not math.isfinite(value):
        return MetadataEntry(name, MetadataKind.TEXT, "not measured")
    kind = MetadataKind.INTEGER if isinstance(value, int) else MetadataKind.FLOAT
    return MetadataEntry(name, kind, value)


def text_entry(name: str, value: str | None) -> MetadataEntry:
    """A text, or ``none``."""
    return MetadataEntry(name, MetadataKind.TEXT, "none" if value is None else value)


def cell_metadata(cell: CellManifest) -> tuple[MetadataEntry, ...]:
    """What the event log keeps of a cell."""
    entries = [
        text_entry("status", cell.status.value),
        text_entry("reason", cell.reason),
        number_entry("wall_seconds", cell.wall_seconds),
        number_entry("cpu_seconds", cell.cpu_seconds),
        number_entry("variants_per_second", cell.variants_per_second),
        number_entry("peak_memory_bytes", cell.peak_memory_bytes),
        number_entry("rows", cell.rows),
        number_entry("parts", cell.figures[0].parts if cell.figures else None),
        number_entry("result_bytes", cell.figures[0].result_bytes if cell.figures else None),
        number_entry("trials", len(cell.trials)),
    ]
    if cell.figures:
        entries += [number_entry(f"stage_seconds/{stage.stage}", stage.seconds) for stage in cell.figures[0].stages]
    entries += [
        text_entry("run_id", cell.run_id),
        text_entry("commit", cell.context.build.commit),
        text_entry("device", cell.device.value),
        text_entry("compute_mode", cell.context.compute_mode),
        text_entry("hostname", cell.context.host.hostname),
        text_entry("cpu_model", cell.context.host.cpu_model),
        text_entry("results_sha256", cell.results_sha256),
        MetadataEntry("artifact_directory", MetadataKind.PATH, cell.directory),
    ]
    tails = [trial.log_tail for trial in cell.trials if trial.log_tail]
    if tails and cell.trials[-1].log_tail:
        entries.append(MetadataEntry("log_tail", MetadataKind.TEXT, cell.trials[-1].log_tail))
    return tuple(entries)
