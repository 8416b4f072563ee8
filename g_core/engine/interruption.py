"""A first SIGINT or SIGTERM ends a scan after the chunk at hand; a second one ends the process at once.

Belongs here: the handlers and the question whether to stop. Does not belong here: what is saved then (result_sink.py).
"""

import os
import signal
import threading
from types import FrameType, TracebackType
from typing import Self

from g_core.errors import GError

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class InterruptedRunError(GError):
    """A run was ended by a signal; what it had computed is saved."""

    code = "interrupted"

    def __init__(self, message: str, signal_number: int) -> None:
        super().__init__(message)
        self.exit_code = 128 + signal_number


class Interruption:
    """Handlers while a scan runs. Signals reach the main thread alone; elsewhere nothing is installed."""

    def __init__(self) -> None:
        self.received: int | None = None
        self.previous: dict[int, object] = {}

    def __enter__(self) -> Self:
        """Install the handlers."""
        if threading.current_thread() is threading.main_thread():
            self.previous = {number: signal.signal(number, self.handle) for number in SIGNALS}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Put back what was there."""
        for number, handler in self.previous.items():
            signal.signal(number, handler)  # pyright: ignore[reportArgumentType]  (what signal.signal returned)

    def handle(self, number: int, frame: FrameType | None) -> None:
        """Remember the first signal; let the second do what it does without us."""
        del frame
        if self.received is None:
            self.received = number
            return
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
