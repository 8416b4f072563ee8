"""Was this run terminated, or only the process that watches it?

Belongs here: that one question. A terminated run takes its job with it; a restart of Dagster leaves the job alone, and
the run is taken up again later. SIGTERM and SIGINT look the same in both.
"""

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

import dagster as dg
from dagster._core.storage.tags import GRPC_INFO_TAG

ENDING = frozenset({dg.DagsterRunStatus.CANCELING, dg.DagsterRunStatus.CANCELED})


@dataclass
class LastSignal:
    """The last signal that was seen."""

    number: int | None = None


@contextmanager
def noting_signals() -> Generator[LastSignal]:
    """Remember which signal came, and hand it on to whoever handled it before."""
    seen = LastSignal()
    if threading.current_thread() is not threading.main_thread():
        yield seen
        return
    before: dict[int, Any] = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def note(number: int, frame: FrameType | None) -> None:
        seen.number = number
        handler = before[number]
        if callable(handler):
            handler(number, frame)
        elif handler is signal.SIG_DFL:
            raise SystemExit(128 + number)

    try:
        for number in before:
            signal.signal(number, note)
        yield seen
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def was_terminated(context: dg.AssetExecutionContext, seen: LastSignal) -> bool:
    """Whether a person ended the run: Terminate in the UI, or Ctrl-C at a run of the command line.

    Dagster marks a run that it terminates before it signals the process; a restart marks nothing. A run that a code
    server started gets the Ctrl-C that was meant for the server; one of the command line gets its own.
    """
    run = context.instance.get_run_by_id(context.run.run_id)
    if run is not None and run.status in ENDING:
        return True
    return seen.number == signal.SIGINT and GRPC_INFO_TAG not in context.run.tags
