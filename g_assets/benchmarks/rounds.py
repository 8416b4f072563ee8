"""Repeating the tasks: all of them once a round, so that a busy minute of the machine is busy for every row.

Belongs here: the rounds, and what a failure does. Does not belong here: the tasks.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from g_assets.artifacts.models import Status
from g_assets.benchmarks.record import Measured, Unmeasured
from g_assets.benchmarks.tasks import Task, Workbench
from g_assets.benchmarks.warm_process import BenchmarkError


@dataclass(frozen=True, slots=True)
class Observed:
    """Rows with numbers, and rows whose task failed."""

    measured: tuple[Measured, ...]
    unmeasured: tuple[Unmeasured, ...]


def run_rounds(tasks: Sequence[Task], bench: Workbench, *, rounds: int, tell: Callable[[str], None]) -> Observed:
    """Do every task once without counting it, then once a round.

    A task that fails is not tried again, and what it gave before is dropped: a row has all its observations or none.

    Args:
        tasks: In their order within a round.
        bench: What they work with.
        rounds: Observations a row.
        tell: Takes a line about what goes on.
    """
    values: dict[str, list[float]] = {row.row_id: [] for task in tasks for row in task.rows}
    failed: dict[Task, str] = {}
    for number in range(rounds + 1):
        for task in tasks:
            if task in failed:
                continue
            tell(f"{'warming' if number == 0 else f'round {number} of {rounds}'}: {task.name}")
            try:
                observed = task.observe(bench)
            except BenchmarkError as error:
                failed[task] = str(error)
                continue
            if number > 0:
                for row_id, value in observed.items():
                    values[row_id].append(value)
    return Observed(
        measured=tuple(
            Measured(row=row, values=tuple(values[row.row_id]))
            for task in tasks
            if task not in failed
            for row in task.rows
        ),
        unmeasured=tuple(
            Unmeasured(row=row, status=Status.FAILED, reason=failed[task])
            for task in tasks
            if task in failed
            for row in task.rows
        ),
    )
