"""The events of a run: one frozen dataclass a kind, one JSON line of ``events.jsonl`` each.

Belongs here: what each event says. Does not belong here: how lines are written (writer.py) or read (read.py).

No event carries a person's data: no sample identifier, no value, and no message of an error or reason of a failed
trait, since those may name a sample. Counts, names of traits and paths are told.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, TypeAlias

EVENT_SCHEMA_VERSION = 1


class EventKind(StrEnum):
    """Word of each event in its line."""

    RUN_STARTED = "run_started"
    PLAN = "plan"
    PREFLIGHT = "preflight"
    CHROMOSOME_STARTED = "chromosome_started"
    CHROMOSOME_ENDED = "chromosome_ended"
    PROGRESS_TICK = "progress_tick"
    BINARY_CORRECTION_SUMMARY = "binary_correction_summary"
    TRAIT_SUMMARY = "trait_summary"
    RUN_COMPLETED = "run_completed"
    RUN_FAILED = "run_failed"
    SESSION_CLOSED = "session_closed"


class Fields:
    """Base of the events. A reader refuses fields that it does not know."""

    __slots__ = ()
    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}
    kind: ClassVar[EventKind]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted(Fields):
    """A session begins; a resumed run has several in one file.

    Attributes:
        started_at: UTC, ISO 8601.
        job_id: Of the batch system, or None outside one.
        resumed: The session goes on after committed parts of an earlier one.
    """

    kind: ClassVar[EventKind] = EventKind.RUN_STARTED
    plan_fingerprint: str
    engine_version: str
    started_at: str
    host: str
    process_id: int
    job_id: str | None
    resumed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanMade(Fields):
    """What is to be run. ``bgen`` and ``output`` are paths."""

    kind: ClassVar[EventKind] = EventKind.PLAN
    bgen: str
    output: str
    trait_type: str
    correction: str
    coding: str
    sample_mode: str
    device: str
    threads: int
    staging_depth: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Preflight(Fields):
    """Every input is read and joined.

    Attributes:
        n_variants_left: Selected variants that earlier sessions have not done.
        tile_columns: Samples of each group, padded.
        memory_estimate_bytes: Peak resident memory that the plan is expected to need.
    """

    kind: ClassVar[EventKind] = EventKind.PREFLIGHT
    n_samples_genotyped: int
    n_samples_kept: int
    n_variants_in_file: int
    n_variants_selected: int
    n_variants_left: int
    n_traits: int
    n_traits_failed: int
    n_chunks: int
    tile_rows: int
    tile_columns: tuple[int, ...]
    memory_estimate_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChromosomeStarted(Fields):
    """The first chunk of a chromosome begins. X is 23."""

    kind: ClassVar[EventKind] = EventKind.CHROMOSOME_STARTED
    chromosome_code: int
    n_variants: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChromosomeEnded(Fields):
    """The rows of a chromosome's last chunk are handed to the writers."""

    kind: ClassVar[EventKind] = EventKind.CHROMOSOME_ENDED
    chromosome_code: int
    n_variants: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressTick(Fields):
    """Chunks were done since the tick before.

    Attributes:
        processed_chunk_count: Chunks of this session done so far.
        first_variant: First selected variant that was done since the tick before.
        stop_variant: One past the last.
        n_variants_done: Variants of this session done so far.
    """

    kind: ClassVar[EventKind] = EventKind.PROGRESS_TICK
    processed_chunk_count: int
    first_variant: int
    stop_variant: int
    n_variants_done: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BinaryCorrectionSummary(Fields):
    """How often the score test of a binary trait was replaced."""

    kind: ClassVar[EventKind] = EventKind.BINARY_CORRECTION_SUMMARY
    trait: str
    correction: str
    rows: int
    rows_corrected: int
    rows_failed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitSummary(Fields):
    """How a trait ended; why it failed is in the manifest."""

    kind: ClassVar[EventKind] = EventKind.TRAIT_SUMMARY
    trait: str
    status: str
    n_samples: int
    rows: int
    rows_failed: int
    rows_corrected: int
    rows_below_filters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCompleted(Fields):
    """Every file of the run has its final name. ``artifact_paths`` names them."""

    kind: ClassVar[EventKind] = EventKind.RUN_COMPLETED
    status: str
    wall_seconds: float
    variants_per_second: float
    peak_memory_bytes: int
    artifact_paths: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFailed(Fields):
    """Something stopped the run. ``error_code`` is the code that docs/errors.md lists, or a Python error's name."""

    kind: ClassVar[EventKind] = EventKind.RUN_FAILED
    error_code: str
    exit_code: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionClosed(Fields):
    """The last line of a session; it does not count itself.

    Attributes:
        accepted: Events that the queue took.
        written: Lines in the file.
        dropped: Events for which the queue had no room.
    """

    kind: ClassVar[EventKind] = EventKind.SESSION_CLOSED
    accepted: int
    written: int
    dropped: int


Event: TypeAlias = (
    RunStarted
    | PlanMade
    | Preflight
    | ChromosomeStarted
    | ChromosomeEnded
    | ProgressTick
    | BinaryCorrectionSummary
    | TraitSummary
    | RunCompleted
    | RunFailed
    | SessionClosed
)

EVENT_TYPES: dict[EventKind, type[Event]] = {
    event.kind: event
    for event in (
        RunStarted,
        PlanMade,
        Preflight,
        ChromosomeStarted,
        ChromosomeEnded,
        ProgressTick,
        BinaryCorrectionSummary,
        TraitSummary,
        RunCompleted,
        RunFailed,
        SessionClosed,
    )
}
