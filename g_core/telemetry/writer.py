"""Writes events to a file from a thread of its own, so that a slow disk does not hold up a scan.

Belongs here: the bounded queue, what happens when it is full, and when the disk fails. Does not belong here: which
events there are (events.py) and when they are told (telemetry.py).
"""

import contextlib
import dataclasses
import json
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from g_core.telemetry.events import EVENT_SCHEMA_VERSION, Event, SessionClosed


@dataclass(frozen=True, slots=True)
class StampedEvent:
    """An event, its number in the session, and when it was told, from the start of the session."""

    sequence: int
    seconds: float
    event: Event


@dataclass(frozen=True, slots=True)
class SessionCounts:
    """What became of a session's events; the numbers as in SessionClosed. ``failure`` is what the disk said."""

    accepted: int
    written: int
    dropped: int
    failure: str | None

    @property
    def lost(self) -> int:
        """Events that were told and are not in the file."""
        return self.accepted - self.written + self.dropped


class EventWriter:
    """One file's queue and thread. ``submit`` and ``close`` belong to one thread.

    Args:
        path: The file; lines of earlier sessions in it stay.
        capacity: Events that may wait.
        patience_seconds: How long events that may not be dropped wait for room, all of them together.
    """

    def __init__(self, path: Path, *, capacity: int, patience_seconds: float) -> None:
        self.path = path
        self.patience_seconds = patience_seconds
        self.patience_left_seconds = patience_seconds
        self.started = time.perf_counter()
        self.waiting: queue.Queue[StampedEvent | None] = queue.Queue(maxsize=capacity)
        self.told = 0
        self.accepted = 0
        self.written = 0
        self.dropped = 0
        self.failure: str | None = None
        self.ended = False
        self.thread = threading.Thread(target=self.write_all, name="g-telemetry", daemon=True)
        self.thread.start()

    def submit(self, event: Event, *, may_drop: bool) -> None:
        """Queue an event. Where there is no room one that may be dropped is, and another waits a bounded time."""
        told_at = time.perf_counter()
        stamped = StampedEvent(self.told, told_at - self.started, event)
        self.told += 1
        wait_seconds = 0.0 if may_drop else self.patience_left_seconds
        try:
            self.waiting.put(stamped, block=wait_seconds > 0.0, timeout=wait_seconds)
            self.accepted += 1
        except queue.Full:
            self.dropped += 1
        if not may_drop:
            self.patience_left_seconds = max(0.0, self.patience_left_seconds - (time.perf_counter() - told_at))

    def close(self) -> SessionCounts:
        """Write what waits and the closing event, and say what became of all events.

        A disk that hangs is not waited for beyond the writer's patience; what it did not take counts as lost.
        """
        try:
            self.waiting.put(None, timeout=self.patience_seconds)
        except queue.Full:
            # The thread must learn that it is to end. Nothing else puts, so room that is made here stays.
            with contextlib.suppress(queue.Empty):
                self.waiting.get_nowait()
            self.waiting.put_nowait(None)
        self.thread.join(timeout=self.patience_seconds)
        if self.thread.is_alive() and self.failure is None:
            self.failure = f"no answer for {self.patience_seconds:g} s"
        return SessionCounts(self.accepted, self.written, self.dropped, self.failure)

    def write_all(self) -> None:
        """The thread: writes until it is told to stop. After a failure it takes events and writes none."""
        try:
            with self.path.open("a", encoding="utf-8", newline="\n") as file:
                if self.path.stat().st_size and not ends_line(self.path):
                    file.write("\n")  # a session that was killed left half a line
                self.write_lines(file.write, file.flush)
        except OSError as error:
            self.failure = error.strerror or str(error)
            while not self.ended:
                self.ended = self.waiting.get() is None

    def write_lines(self, write: Callable[[str], object], flush: Callable[[], object]) -> None:
        """Write events as they come; a reader sees them as soon as none waits."""
        unflushed = 0
        while True:
            stamped = self.waiting.get()
            if stamped is None:
                self.ended = True
                break
            write(event_line(stamped))
            unflushed += 1
            if self.waiting.empty():
                flush()
                self.written += unflushed
                unflushed = 0
        flush()
        self.written += unflushed
        closed = SessionClosed(accepted=self.accepted, written=self.written, dropped=self.dropped)
        write(event_line(StampedEvent(self.told, time.perf_counter() - self.started, closed)))
        flush()


def ends_line(path: Path) -> bool:
    """Whether the last byte of a file that is not empty ends a line."""
    with path.open("rb") as file:
        file.seek(-1, 2)
        return file.read(1) == b"\n"


def event_line(stamped: StampedEvent) -> str:
    """One line of JSON, in ASCII: no character of a trait's name can be taken for the end of a line."""
    line = {
        "schema_version": EVENT_SCHEMA_VERSION,
        "sequence": stamped.sequence,
        "seconds": round(stamped.seconds, 6),
        "kind": stamped.event.kind.value,
        "fields": dataclasses.asdict(stamped.event),
    }
    return json.dumps(line, separators=(",", ":")) + "\n"
