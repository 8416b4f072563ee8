"""The sensor that tells of SLURM jobs which no run owns.

Belongs here: asking, and telling. Does not belong here: what an orphan is (slurm/orphans.py). It cancels nothing and
starts nothing: a person re-executes the run, which takes its job up, or cancels the job.
"""

from collections import defaultdict

import dagster as dg

from g_assets.profiles.load import ProfileError, load_machine
from g_assets.resources.settings import Settings
from g_assets.slurm.job_record import JobRecord
from g_assets.slurm.login import LoginError, open_login
from g_assets.slurm.orphans import orphans_among, unfinished_records

INTERVAL_SECONDS = 300
OVER = frozenset({dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED})


@dg.sensor(
    name="slurm_orphans",
    minimum_interval_seconds=INTERVAL_SECONDS,
    default_status=dg.DefaultSensorStatus.STOPPED,
    description="Lists SLURM jobs that are alive and whose run is over: re-execute the run, or scancel the job.",
)
def slurm_orphans(context: dg.SensorEvaluationContext, settings: Settings) -> dg.SkipReason:
    """Say which jobs nobody waits for. It never asks for a run; the list is the reason of the tick and in its log."""

    def run_is_live(run_id: str) -> bool:
        run = context.instance.get_run_by_id(run_id)
        return run is not None and run.status not in OVER

    records = unfinished_records(settings.artifact_root(), run_is_live)
    lines = orphan_lines(records)
    for line in lines:
        context.log.warning(line)
    return dg.SkipReason("\n".join(lines) if lines else "no SLURM job without a run")


def orphan_lines(records: tuple[JobRecord, ...]) -> list[str]:
    """A line for each orphan, and one for each cluster that cannot be asked."""
    by_machine: dict[str, list[JobRecord]] = defaultdict(list)
    for record in records:
        by_machine[record.machine].append(record)
    lines: list[str] = []
    for name, own in sorted(by_machine.items()):
        try:
            machine = load_machine(name).slurm
            if machine is None:
                lines.append(f"{len(own)} job(s) of {name} cannot be looked for: its profile has no [slurm] table")
                continue
            with open_login(machine) as login:
                lines += [orphan.text() for orphan in orphans_among(login, own)]
        except (ProfileError, LoginError) as error:
            lines.append(f"{len(own)} job(s) of {name} cannot be looked for: {error}")
    return lines
