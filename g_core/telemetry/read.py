"""Reads events back.

Belongs here: the check of a line. Does not belong here: what events mean (events.py).
"""

import functools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pydantic

from g_core.errors import InputError
from g_core.telemetry.events import EVENT_TYPES, Event, EventKind


@dataclass(frozen=True, slots=True)
class ReadEvent:
    """One line. ``seconds`` counts from the start of its session, ``sequence`` from 0 in it."""

    sequence: int
    seconds: float
    event: Event


@dataclass(frozen=True, slots=True)
class EventLog:
    """All lines of a file, of all sessions.

    Attributes:
        n_cut_lines: Lines that are no JSON: a process that is killed leaves half a line.
    """

    events: tuple[ReadEvent, ...]
    n_cut_lines: int


class EventLine(pydantic.BaseModel):
    """A line before its fields are checked."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)
    schema_version: Literal[1]
    sequence: int
    seconds: float
    kind: EventKind
    fields: dict[str, object]


@functools.cache
def fields_of(kind: EventKind) -> pydantic.TypeAdapter[Event]:
    """What checks the fields of a kind."""
    return pydantic.TypeAdapter(EVENT_TYPES[kind])


def read_events(path: Path) -> EventLog:
    """Read ``events.jsonl``.

    Raises:
        InputError: There is no such file, or a line that is whole is no event of schema version 1.
    """
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").rstrip("\n").split("\n")
    except OSError as error:
        raise InputError(f"{path}: cannot read: {error.strerror}") from None
    events: list[ReadEvent] = []
    n_cut_lines = 0
    for number, line in enumerate(lines, start=1):
        try:
            content: object = json.loads(line)
        except ValueError:
            n_cut_lines += 1
            continue
        try:
            read = EventLine.model_validate(content)
            event = fields_of(read.kind).validate_python(read.fields)
        except pydantic.ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"]))
            raise InputError(f"{path}, line {number}: no event of schema version 1: {place}: {first['msg']}") from None
        events.append(ReadEvent(read.sequence, read.seconds, event))
    return EventLog(tuple(events), n_cut_lines)
