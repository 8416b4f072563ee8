"""The journal ``PREFIX.g/journal.jsonl``: one line a committed part while a run goes on.

Belongs here: the records, appending them for good, and reading what a killed run left. Does not belong here: writing
parts (rust/output) or the manifest, which takes over all records when the run is complete.

A part counts when its line is there; a line counts when it ends. So a reader never sees a part that is half-written,
and a run that was killed at any moment can go on after the last one.
"""

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

import pydantic

from g_core.errors import OutputError

JOURNAL_NAME = "journal.jsonl"


class JournalRecord(pydantic.BaseModel):
    """A line of the journal, or a part of one: nothing unknown in it."""

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")


class CommittedFile(JournalRecord):
    """A file under its final name. ``path`` is relative to the run directory."""

    path: str
    bytes: int
    sha256: str


class PartCounts(JournalRecord):
    """What became of a part's variants."""

    rows: int
    rows_failed: int
    rows_corrected: int
    below_minimum_mac: int
    below_minimum_info: int
    below_minimum_homozygotes: int
    lost_null_model: bool
    """The trait's null model failed on the part's chromosome."""


class PartLine(JournalRecord):
    """A committed part of a trait, or of the one table of all traits.

    Parts cover the selected variants without gap and stay on one chromosome. ``parquet`` is None for a part without
    rows, for the table, and where no Parquet was asked for; ``text`` where no text was.
    """

    kind: Literal["part"]
    trait: str | None
    """None is the one table of all traits."""
    part: int
    first_variant: int
    stop_variant: int
    chromosome_code: int
    counts: PartCounts
    parquet: CommittedFile | None
    text: CommittedFile | None


class ResumedLine(JournalRecord):
    """The run went on here: parts above that reach beyond ``variant`` were taken back."""

    kind: Literal["resumed"]
    variant: int


class JournalFile(pydantic.RootModel[PartLine | ResumedLine]):
    """Any line."""


class Journal:
    """Appends lines; each is on disk when the call returns."""

    def __init__(self, run_directory: Path) -> None:
        self.path = run_directory / JOURNAL_NAME

    def append(self, lines: Sequence[PartLine | ResumedLine]) -> None:
        """Append lines and wait for the disk, once for all of them.

        Raises:
            OutputError: The disk refused.
        """
        if not lines:
            return
        try:
            with self.path.open("ab") as handle:
                handle.write(b"".join(line.model_dump_json().encode() + b"\n" for line in lines))
                handle.flush()
                os.fsync(handle.fileno())
        except OSError as error:
            raise OutputError(f"{self.path}: cannot write: {error.strerror}") from None

    def end_torn_line(self) -> None:
        """Close a line that a killed run left without its end, so that the next one stands by itself."""
        if self.path.exists() and not self.path.read_bytes().endswith(b"\n"):
            with self.path.open("ab") as handle:
                handle.write(b"\n")


def read_journal(run_directory: Path) -> list[PartLine]:
    """Committed parts, in the order they were committed, without those that were taken back.

    Raises:
        OutputError: A whole line is no record of this version.
    """
    path = run_directory / JOURNAL_NAME
    if not path.exists():
        return []
    parts: list[PartLine] = []
    for number, text in enumerate(path.read_bytes().split(b"\n"), start=1):
        if not text:
            continue
        try:
            line = JournalFile.model_validate_json(text).root
        except pydantic.ValidationError:
            if is_torn(text):
                continue
            raise OutputError(f"{path}, line {number}: not a record of this version; start anew") from None
        if isinstance(line, PartLine):
            parts.append(line)
        else:
            parts = [part for part in parts if part.stop_variant <= line.variant]
    return parts


def is_torn(text: bytes) -> bool:
    """Whether a line lacks its end: the process was killed while it wrote. The start of an object is no JSON."""
    try:
        json.loads(text)
    except ValueError:
        return True
    return False


def contiguous_stop(parts: Iterable[PartLine]) -> int:
    """How far the parts of one trait reach from the first variant on without a gap."""
    reached = 0
    for part in sorted(parts, key=lambda each: each.first_variant):
        if part.first_variant != reached:
            break
        reached = part.stop_variant
    return reached
