"""What is known of a step's job: one file, written before the job is waited for.

Belongs here: the record, where it lies, finding the one that a step may adopt. Does not belong here: what becomes of
the job (job_end.py, launcher.py). Dagster's run tags hold one job a run; a run has six.
"""

import re
from datetime import datetime
from pathlib import Path
from typing import Literal

from g_assets.artifacts.models import SCHEMA_VERSION, Record, Seconds, Sha256
from g_assets.artifacts.read import ArtifactError, read_record
from g_assets.artifacts.write import json_text, replace_text
from g_assets.campaigns.scope import canonical_sha256
from g_assets.payloads.spec import MeasurementSpec
from g_assets.slurm.job_end import JobEnd

JOBS = "jobs"


class LaunchTimes(Record):
    """Where the time went that a job took, apart from its work. None where it cannot be known."""

    queue_wait_seconds: Seconds | None
    """From submission until the job's first line, on the cluster's clocks."""
    job_seconds: Seconds | None
    """From the job's first line to its last."""
    payload_seconds: Seconds | None
    """What the payload itself says that it took."""
    launch_overhead_seconds: Seconds | None
    """All the rest: preflight, submission, start of Python, and noticing the end; None of a job that was taken up."""
    total_seconds: Seconds


class JobRecord(Record):
    """One job of one step. ``job_id`` is None between the intention to submit and sbatch's answer."""

    schema_name: Literal["slurm_job"] = "slurm_job"
    schema_version: Literal[1] = SCHEMA_VERSION
    run_id: str
    step_key: str
    attempt: int
    machine: str
    job_name: str
    """Unique: a job whose submission was interrupted is found by it."""
    job_id: str | None
    spec_sha256: Sha256
    artifact_directory: str
    """Of the cell, as this machine has it; empty for a command."""
    directory: str
    """Script, logs and messages of this attempt, as this machine has it."""
    submitted_at: datetime
    end: JobEnd | None = None
    reason: str | None = None
    node_list: str | None = None
    times: LaunchTimes | None = None

    @property
    def label(self) -> str:
        """The job in a sentence."""
        return f"SLURM job {self.job_id or self.job_name}"


def record_path(artifact_root: Path, run_id: str, step_key: str) -> Path:
    """``<artifact root>/jobs/<run id>/<step key>.json``."""
    return artifact_root / JOBS / file_name(run_id) / f"{file_name(step_key)}.json"


def attempt_directory(artifact_root: Path, run_id: str, step_key: str, attempt: int) -> Path:
    """Folder of one attempt's script, logs and messages."""
    return artifact_root / JOBS / file_name(run_id) / file_name(step_key) / f"attempt-{attempt}"


def file_name(text: str) -> str:
    """A step key as the name of a file: the brackets of a mapped step are none."""
    return re.sub(r"[^A-Za-z0-9_.-]", "_", text)


def write_job_record(artifact_root: Path, record: JobRecord) -> None:
    """Write the record in one rename."""
    path = record_path(artifact_root, record.run_id, record.step_key)
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_text(path, json_text(record))


def read_job_record(artifact_root: Path, run_id: str, step_key: str) -> JobRecord | None:
    """The record of a step, or None. Raises ArtifactError for one that is damaged."""
    path = record_path(artifact_root, run_id, step_key)
    return read_record(path, JobRecord) if path.is_file() else None


def every_record(artifact_root: Path) -> tuple[JobRecord, ...]:
    """Every readable record below an artifact root."""
    records: list[JobRecord] = []
    for path in sorted((artifact_root / JOBS).glob("*/*.json")):
        try:
            records.append(read_record(path, JobRecord))
        except ArtifactError:
            continue
    return tuple(records)


def find_record(artifact_root: Path, run_ids: tuple[str, ...], step_key: str, spec_sha256: str) -> JobRecord | None:
    """The record that a step may go on from.

    Args:
        artifact_root: Where the records lie.
        run_ids: This run, then the runs that it repeats, newest first.
        step_key: The step.
        spec_sha256: Hash of what the step is to do; a job that did something else is nothing to go on from.

    Returns:
        This run's own record, whatever became of it; else that of the newest earlier run, if nobody waited for its job
        to end. None where there is no such record.
    """
    for run_id in run_ids:
        record = read_job_record(artifact_root, run_id, step_key)
        if record is None:
            continue
        fits = record.spec_sha256 == spec_sha256 and (run_id == run_ids[0] or record.end is None)
        return record if fits else None
    return None


def spec_sha256(spec: MeasurementSpec) -> str:
    """Hash of what a spec asks for; where its run writes to is no part of it."""
    work = spec.model_copy(update={"run_id": "", "artifact_directory": "", "artifact_root": None, "compile_cache": ""})
    return canonical_sha256(work.model_dump(mode="json"))
