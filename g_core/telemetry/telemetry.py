"""What the engine calls to tell of a run: one object that writes, and one that does nothing.

Belongs here: when events are told, and how ticks are gathered. Does not belong here: what events say (events.py).

Nothing here waits for the device. The object for ``off`` has no thread, no file and no clock.
"""

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from g_core.config.choices import TelemetryMode
from g_core.telemetry.events import (
    ChromosomeEnded,
    ChromosomeStarted,
    Event,
    ProgressTick,
    RunStarted,
)
from g_core.telemetry.writer import EventWriter

EVENTS_NAME = "events.jsonl"
QUEUE_CAPACITY = 1024
PATIENCE_SECONDS = 2.0
TICK_SECONDS = 0.2
"""Chunks that end sooner than this after the last tick are told with the next one."""

Announce = Callable[[str], None]


class Telemetry(Protocol):
    """Tells of one run; every call belongs to the thread that runs the scan, and none raises for a bad disk."""

    def record(self, event: Event) -> None:
        """Tell an event that must not be dropped: any but those of the scan, which the calls below tell."""
        ...

    def scan_started(self, variants_by_chromosome: Mapping[int, int]) -> None:
        """The scan begins; the mapping has the variants that it will do, by chromosome code."""
        ...

    def chunk_started(self, chromosome_code: int) -> None:
        """A chunk begins."""
        ...

    def chunk_ended(self, chromosome_code: int, first_variant: int, stop_variant: int) -> None:
        """A chunk's rows are handed to the writers; the range counts selected variants."""
        ...

    def close(self) -> None:
        """Write what waits, and announce what was lost. A second call does nothing."""
        ...


class SilentTelemetry:
    """Telemetry that is off."""

    def record(self, event: Event) -> None:
        """Do nothing."""

    def scan_started(self, variants_by_chromosome: Mapping[int, int]) -> None:
        """Do nothing."""

    def chunk_started(self, chromosome_code: int) -> None:
        """Do nothing."""

    def chunk_ended(self, chromosome_code: int, first_variant: int, stop_variant: int) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class RecordingTelemetry:
    """Telemetry that writes events.

    Args:
        writer: Takes the events.
        announce: Takes lines for the person who runs the scan.
        tick_seconds: Least time between two ticks.
    """

    def __init__(self, writer: EventWriter, announce: Announce, *, tick_seconds: float) -> None:
        self.writer = writer
        self.announce = announce
        self.tick_seconds = tick_seconds
        self.failure_announced = False
        self.closed = False
        self.variants_by_chromosome: dict[int, int] = {}
        self.variants_left: dict[int, int] = {}
        self.chromosome_code: int | None = None
        self.n_chunks_done = 0
        self.n_variants_done = 0
        self.untold_first_variant: int | None = None
        self.stop_variant = 0
        self.last_tick = time.perf_counter()

    def record(self, event: Event) -> None:
        """Tell an event; it waits a bounded time where the queue is full."""
        self.writer.submit(event, may_drop=False)
        self.announce_failure()

    def scan_started(self, variants_by_chromosome: Mapping[int, int]) -> None:
        """Remember how many variants each chromosome has."""
        self.variants_by_chromosome = dict(variants_by_chromosome)
        self.variants_left = dict(variants_by_chromosome)

    def chunk_started(self, chromosome_code: int) -> None:
        """Tell where a chromosome starts."""
        if chromosome_code == self.chromosome_code:
            return
        self.chromosome_code = chromosome_code
        n_variants = self.variants_by_chromosome[chromosome_code]
        self.record(ChromosomeStarted(chromosome_code=chromosome_code, n_variants=n_variants))

    def chunk_ended(self, chromosome_code: int, first_variant: int, stop_variant: int) -> None:
        """Count a chunk, and tell of it when a tick is due or its chromosome ends."""
        n_variants = stop_variant - first_variant
        self.n_chunks_done += 1
        self.n_variants_done += n_variants
        self.stop_variant = stop_variant
        if self.untold_first_variant is None:
            self.untold_first_variant = first_variant
        self.variants_left[chromosome_code] -= n_variants
        ended = self.variants_left[chromosome_code] == 0
        if ended or time.perf_counter() - self.last_tick >= self.tick_seconds:
            self.tick()
        if ended:
            total = self.variants_by_chromosome[chromosome_code]
            self.record(ChromosomeEnded(chromosome_code=chromosome_code, n_variants=total))

    def tick(self) -> None:
        """Tell what was done since the last tick."""
        if self.untold_first_variant is None:
            return
        tick = ProgressTick(
            processed_chunk_count=self.n_chunks_done,
            first_variant=self.untold_first_variant,
            stop_variant=self.stop_variant,
            n_variants_done=self.n_variants_done,
        )
        self.writer.submit(tick, may_drop=True)
        self.untold_first_variant = None
        self.last_tick = time.perf_counter()
        self.announce_failure()

    def announce_failure(self) -> None:
        """Say once that the disk failed; the run goes on."""
        if self.writer.failure is not None and not self.failure_announced:
            self.failure_announced = True
            self.announce(
                f"warning: {self.writer.path}: cannot write: {self.writer.failure}; the run goes on without events"
            )

    def close(self) -> None:
        """Tell the last tick, end the file, and announce what is missing in it."""
        if self.closed:
            return
        self.closed = True
        self.tick()
        counts = self.writer.close()
        self.announce_failure()
        if counts.lost:
            told = counts.accepted + counts.dropped
            self.announce(f"warning: {self.writer.path}: {counts.lost} of {told} events are not in it")


def open_telemetry(mode: TelemetryMode, folder: Path, started: RunStarted, announce: Announce) -> Telemetry:
    """Begin a session.

    Args:
        mode: ``off`` makes nothing; ``profile`` writes the same events as ``progress``.
        folder: ``PREFIX.g/logs``; it is made where it is missing.
        started: Who runs what; the first event.
        announce: Takes lines for the person who runs the scan: a disk that fails, events that were lost.
    """
    if mode is TelemetryMode.OFF:
        return SilentTelemetry()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        announce(f"warning: {folder}: cannot make the folder: {error.strerror}; the run goes on without events")
        return SilentTelemetry()
    writer = EventWriter(folder / EVENTS_NAME, capacity=QUEUE_CAPACITY, patience_seconds=PATIENCE_SECONDS)
    telemetry = RecordingTelemetry(writer, announce, tick_seconds=TICK_SECONDS)
    telemetry.record(started)
    return telemetry
