"""The parent's side of the warm process: start, ask, wait, end.

Belongs here: the pipe. Does not belong here: the work (worker.py).
"""

import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from g_assets.benchmarks.requests import Answer, BenchmarkRequest


class BenchmarkError(Exception):
    """A measurement could not be made; the message says what was run and where its words are."""


def child_environment() -> dict[str, str]:
    """This process's environment, with Python's bytecode cache on: without it every import is slow."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


@dataclass(slots=True)
class WarmProcess:
    """One process for all warm measurements of a run, for one thread. After a death the next question starts another.

    Attributes:
        log: File of its standard error: the traceback, where it dies.
        working_directory: The checkout.
    """

    log: Path
    working_directory: Path
    process: "subprocess.Popen[str] | None" = None

    def ask(self, request: BenchmarkRequest) -> Answer:
        """Have one piece of work done.

        Raises:
            BenchmarkError: The process has died.
        """
        process = self.running()
        line = ""
        if process.stdin is not None and process.stdout is not None:
            try:
                process.stdin.write(f"{request.model_dump_json()}\n")
                process.stdin.flush()
                line = process.stdout.readline()
            except OSError:
                line = ""
        if not line:
            self.end()
            raise BenchmarkError(f"the process that measures has died; its last words are in {self.log}")
        return Answer.model_validate_json(line)

    def running(self) -> "subprocess.Popen[str]":
        """The process, started where there is none."""
        if self.process is None:
            with self.log.open("ab") as stderr:
                self.process = subprocess.Popen(
                    [sys.executable, "-m", "g_assets.benchmarks.worker"],
                    cwd=self.working_directory,
                    env=child_environment(),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=stderr,
                    text=True,
                )
        return self.process

    def end(self) -> None:
        """End the process, if there is one, and wait for it."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


@contextmanager
def warm_process(log: Path, working_directory: Path) -> Generator[WarmProcess]:
    """A process that is ended with the context."""
    process = WarmProcess(log, working_directory)
    try:
        yield process
    finally:
        process.end()
