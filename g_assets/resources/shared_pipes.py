"""Dagster Pipes through files on a shared disk.

Belongs here: the two files, which outlive both processes, so that a run that comes later can read them from their
start. Does not belong here: the job. Messages are a convenience; what was measured stands in the manifest.
"""

import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import dagster as dg
from dagster._core.pipes.context import PipesMessageHandler
from dagster_pipes import PipesContextData, PipesDefaultContextLoader, PipesDefaultMessageWriter, PipesParams

CONTEXT_NAME = "context.json"
MESSAGES_NAME = "messages.jsonl"
READ_SECONDS = 0.2


class SharedFileContext(dg.PipesContextInjector):
    """Leaves the context in a file; a job that was started by an earlier run keeps the one it had."""

    def __init__(self, here: Path, there: str) -> None:
        self.here = here
        self.there = there

    @contextmanager
    def inject_context(self, context_data: PipesContextData) -> Generator[PipesParams]:
        """Write the file, if it is not there; it stays."""
        if not self.here.exists():
            self.here.write_text(json.dumps(context_data), encoding="utf-8")
        yield {PipesDefaultContextLoader.FILE_PATH_KEY: self.there}

    def no_messages_debug_text(self) -> str:
        """What Dagster says where it has heard nothing."""
        return f"The context is in {self.here}."


class SharedFileMessages(dg.PipesMessageReader):
    """Reads a file of messages from its start, line by line, as it grows; the last read comes after the job's end."""

    def __init__(self, here: Path, there: str) -> None:
        self.here = here
        self.there = there

    @contextmanager
    def read_messages(self, handler: PipesMessageHandler) -> Generator[PipesParams]:
        """Read on until the block is left, and then once more."""
        ended = threading.Event()
        thread = threading.Thread(target=self.follow, args=(handler, ended), daemon=True)
        thread.start()
        try:
            yield {
                PipesDefaultMessageWriter.FILE_PATH_KEY: self.there,
                PipesDefaultMessageWriter.INCLUDE_STDIO_IN_MESSAGES_KEY: False,
            }
        finally:
            ended.set()
            thread.join()

    def follow(self, handler: PipesMessageHandler, ended: threading.Event) -> None:
        """Hand on each whole line once. A line that is no message is left out: the job may have been killed in it."""
        offset = 0
        while True:
            last = ended.is_set()
            offset = self.read_from(offset, handler)
            if last:
                return
            ended.wait(READ_SECONDS)

    def read_from(self, offset: int, handler: PipesMessageHandler) -> int:
        """Read the whole lines after a position; returns the position after them."""
        try:
            with self.here.open("rb") as stream:
                stream.seek(offset)
                text = stream.read()
        except OSError:
            return offset
        whole, newline, _ = text.rpartition(b"\n")
        for line in whole.splitlines():
            try:
                message = json.loads(line)
            except ValueError:
                continue
            handler.handle_message(message)
        return offset + len(whole) + len(newline)

    @property
    def expected_writer_count(self) -> int:
        """One payload. Dagster's own property is the same, and warns that it is new."""
        return 1

    def on_launched(self, launched_payload: PipesParams) -> None:
        """Nothing to do: the file is known from the start."""

    def no_messages_debug_text(self) -> str:
        """What Dagster says where it has heard nothing."""
        return f"Messages are read from {self.here}."
