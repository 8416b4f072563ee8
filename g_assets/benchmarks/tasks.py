"""A task: one piece of work that gives one observation of one or more rows, and what it works with.

Belongs here: the type, and what every kind of task needs. Does not belong here: the kinds (scan_tasks.py,
reading_tasks.py, process_tasks.py, peer_tasks.py).
"""

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from g_assets.benchmarks.record import Row
from g_assets.benchmarks.warm_process import BenchmarkError, WarmProcess, child_environment
from g_assets.payloads.child import ChildOutcome, run_child
from g_assets.payloads.log_tail import log_tail

LONGEST_PROCESS_SECONDS = 3600.0
GRACE_SECONDS = 5.0
TAIL_BYTES = 2000


@dataclass(frozen=True, slots=True)
class Workbench:
    """What tasks work with.

    Attributes:
        warm: The process of the warm measurements.
        scratch: Folder for results, which nobody keeps.
        working_directory: The checkout.
    """

    warm: WarmProcess
    scratch: Path
    working_directory: Path

    def empty_folder(self, name: str) -> Path:
        """A folder of the scratch without anything in it."""
        folder = self.scratch / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def run_process(self, arguments: Sequence[str], *, exit_code: int) -> ChildOutcome:
        """Run a command in a fresh process.

        Args:
            arguments: Argument vector.
            exit_code: How it must end.

        Raises:
            BenchmarkError: It ended otherwise.
        """
        stdout, stderr = self.scratch / "stdout.txt", self.scratch / "stderr.txt"
        outcome = run_child(
            arguments,
            working_directory=self.working_directory,
            environment=child_environment(),
            stdout=stdout,
            stderr=stderr,
            timeout_seconds=LONGEST_PROCESS_SECONDS,
            terminate_grace_seconds=GRACE_SECONDS,
        )
        if outcome.return_code != exit_code:
            words = outcome.start_error or log_tail(stderr, TAIL_BYTES) or log_tail(stdout, TAIL_BYTES)
            raise BenchmarkError(f"{' '.join(arguments)}: exit code {outcome.return_code}, not {exit_code}: {words}")
        return outcome


@dataclass(frozen=True, slots=True)
class Task:
    """Work that is done once a round.

    Attributes:
        name: For the line that tells what runs.
        rows: What it observes.
        observe: Does it; one number for each row, by row id. Raises BenchmarkError where that fails.
    """

    name: str
    rows: tuple[Row, ...]
    observe: Callable[[Workbench], Mapping[str, float]]
