"""Jobs that no run owns.

Belongs here: finding them from their records and the cluster's queue. Does not belong here: ending them; somebody may
still want to take one up. ``scancel`` does it.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from g_assets.slurm.job_record import JobRecord, every_record
from g_assets.slurm.login import Login


@dataclass(frozen=True, slots=True)
class Orphan:
    """A job that is alive and that nobody waits for."""

    job_id: str
    machine: str
    run_id: str
    step_key: str
    state: str

    def text(self) -> str:
        """The job, and what to do with it, in a line."""
        return (
            f"SLURM job {self.job_id} on {self.machine} is {self.state}, and run {self.run_id} that started it "
            f"({self.step_key}) is over: re-execute the run to take it up, or `scancel {self.job_id}`"
        )


def unfinished_records(artifact_root: Path, run_is_live: Callable[[str], bool]) -> tuple[JobRecord, ...]:
    """Records of jobs whose end nobody wrote down and whose run is over.

    Args:
        artifact_root: Where the records lie.
        run_is_live: Whether a run is still under way.
    """
    return tuple(
        record
        for record in every_record(artifact_root)
        # A command of a person's has no cell, and no run that could own it.
        if record.end is None
        and record.job_id is not None
        and record.artifact_directory
        and not run_is_live(record.run_id)
    )


def orphans_among(login: Login, records: Collection[JobRecord]) -> tuple[Orphan, ...]:
    """Which of these jobs of one cluster are alive. One question for all. Raises LoginError."""
    if not records:
        return ()
    answer = login.run('squeue -h -u "$(id -un)" -o "%A|%T|%j"')
    rows = [line.split("|", 2) for line in answer.splitlines() if line.count("|") >= 2]
    # Ids are given out anew by a cluster that lost its state; names are not.
    live = {(row[0], row[2]): row[1] for row in rows}
    return tuple(
        Orphan(str(record.job_id), record.machine, record.run_id, record.step_key, live[key])
        for record in records
        if (key := (str(record.job_id), record.job_name)) in live
    )
