"""A warm process that runs cases one after another, and its replacement when it dies.

Belongs here: the parent's side: starting, asking, waiting, and a run in a fresh process where the warm one died, so
that a case is judged by its own run and never by what an earlier one did to the process.
"""

import queue
import selectors
import subprocess
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from g_assets.parity.cases import GoldenCase
from g_assets.parity.run import CaseRun, RunMode, build_arguments, child_environment, run_fresh, timed_out
from g_assets.parity.worker import Answer, Request

STANDARD_OUTPUT_NAME = "stdout.txt"
STANDARD_ERROR_NAME = "stderr.txt"


class WorkerEndedError(Exception):
    """The warm process ended, or took too long, while it ran a case."""


@dataclass(slots=True)
class WarmProcess:
    """One process; started at the first request and after each death. Not for two threads at once."""

    golden_folder: Path
    process: "subprocess.Popen[str] | None" = None

    def ask(self, request: Request, timeout_seconds: float) -> Answer:
        """Run one request.

        Raises:
            WorkerEndedError: The process died.
            TimeoutError: It took too long and was ended.
        """
        process = self.running()
        if process.stdin is None or process.stdout is None:
            raise WorkerEndedError
        try:
            process.stdin.write(f"{request.model_dump_json()}\n")
            process.stdin.flush()
        except OSError as error:
            self.end()
            raise WorkerEndedError from error
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            if not selector.select(timeout_seconds):
                self.end()
                raise TimeoutError
        line = process.stdout.readline()
        if not line:
            self.end()
            raise WorkerEndedError
        return Answer.model_validate_json(line)

    def running(self) -> "subprocess.Popen[str]":
        """The process, started where there is none."""
        if self.process is None:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "g_assets.parity.worker"],
                cwd=self.golden_folder,
                env=dict(child_environment()),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        return self.process

    def end(self) -> None:
        """End the process, if there is one, and wait for it."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


@dataclass(frozen=True, slots=True)
class WarmRunner:
    """Runs cases in any of a few warm processes; for as many threads as there are processes."""

    golden_folder: Path
    timeout_seconds: float
    idle: "queue.SimpleQueue[WarmProcess]" = field(default_factory=queue.SimpleQueue)

    def run(self, *, case: GoldenCase, mode: RunMode, output_folder: Path) -> CaseRun:
        """Run a case in one mode, in a warm process or, where that dies, in a fresh one.

        Args:
            case: The case.
            mode: The sample mode.
            output_folder: New folder of the results.
        """
        output_folder.mkdir(parents=True)
        prefix = output_folder / case.output_prefix.name
        words = build_arguments(case=case, prefix=prefix, mode=mode)
        process = self.idle.get()
        try:
            return self.run_warm(process=process, words=words, prefix=prefix)
        except WorkerEndedError:
            fresh_prefix = output_folder / "fresh" / prefix.name
            fresh_prefix.parent.mkdir()
            return run_fresh(
                words=build_arguments(case=case, prefix=fresh_prefix, mode=mode),
                prefix=fresh_prefix,
                golden_folder=self.golden_folder,
                timeout_seconds=self.timeout_seconds,
            )
        finally:
            self.idle.put(process)

    def run_warm(self, *, process: WarmProcess, words: Sequence[str], prefix: Path) -> CaseRun:
        """Run one command line in a warm process.

        Raises:
            WorkerEndedError: The process died.
        """
        stderr = prefix.with_name(STANDARD_ERROR_NAME)
        request = Request(words=("regenie", *words), stdout=prefix.with_name(STANDARD_OUTPUT_NAME), stderr=stderr)
        started = time.perf_counter()
        try:
            answer = process.ask(request, self.timeout_seconds)
        except TimeoutError:
            return timed_out(prefix=prefix, wall_seconds=time.perf_counter() - started)
        return CaseRun(
            exit_code=answer.exit_code,
            standard_error=stderr.read_text(encoding="utf-8", errors="replace"),
            wall_seconds=time.perf_counter() - started,
            prefix=prefix,
        )


@contextmanager
def warm_runner(*, golden_folder: Path, jobs: int, timeout_seconds: float) -> Generator[WarmRunner]:
    """A runner with ``jobs`` processes, which are ended with the context."""
    runner = WarmRunner(golden_folder=golden_folder, timeout_seconds=timeout_seconds)
    processes = [WarmProcess(golden_folder) for _ in range(jobs)]
    for process in processes:
        runner.idle.put(process)
    try:
        yield runner
    finally:
        for process in processes:
            process.end()
