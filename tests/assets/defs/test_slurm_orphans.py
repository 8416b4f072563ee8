"""The sensor tells of jobs that no run owns, and asks for nothing."""

from datetime import UTC, datetime

import dagster as dg
import pytest

from g_assets.defs.slurm_orphans import slurm_orphans
from g_assets.resources.settings import Settings
from g_assets.slurm.job_record import JobRecord, write_job_record


@pytest.fixture
def tick(tmp_path):
    """What one tick of the sensor says over the records below ``tmp_path``."""

    def say() -> str:
        settings = Settings(artifact_directory=str(tmp_path))
        with (
            dg.DagsterInstance.ephemeral() as instance,
            dg.build_sensor_context(instance=instance, resources={"settings": settings}) as context,
        ):
            return slurm_orphans(context).skip_message

    return say


def test_where_there_are_no_jobs_nothing_is_asked(tick):
    assert tick() == "no SLURM job without a run"


def test_jobs_of_a_machine_without_a_cluster_are_named_and_break_nothing(tick, tmp_path):
    record = JobRecord(
        run_id="run-1",
        step_key="matrix__linear_cpu",
        attempt=1,
        machine="local",
        job_name="g-run-1",
        job_id="7",
        spec_sha256="a" * 64,
        artifact_directory="/artifacts/cell",
        directory="/artifacts/jobs/x",
        submitted_at=datetime(2026, 11, 30, tzinfo=UTC),
    )
    write_job_record(tmp_path, record)
    assert tick() == "1 job(s) of local cannot be looked for: its profile has no [slurm] table"
    write_job_record(tmp_path, record.model_copy(update={"machine": "moon"}))
    assert tick().startswith("1 job(s) of moon cannot be looked for: no profile 'moon'")
