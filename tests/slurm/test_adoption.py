"""A step that starts again: a live job is adopted, a finished one taken, anything else is submitted anew.

Belongs here: the step seen from the launcher, with and without the process that waited. Does not belong here: the same
through Dagster's own services (test_services.py).
"""

import os
import signal

import pytest
from dagster._core.utils import make_new_run_id

from g_assets.artifacts.models import Status
from tests.slurm.cluster import wait_until
from tests.slurm.laboratory import Laboratory

pytestmark = pytest.mark.slurm


def kill_the_waiting_process(laboratory: Laboratory, script: str, run_id: str) -> str:
    """Start a measurement in a process, kill that without warning as soon as its job runs; returns the job's id."""
    waiting = laboratory.start_measuring(script, run_id)
    job_id = laboratory.job_id_of(run_id)
    laboratory.cluster.wait_for_state(job_id, "RUNNING", "COMPLETED")
    os.killpg(waiting.pid, signal.SIGKILL)
    waiting.wait()
    return job_id


def test_a_live_job_is_adopted(laboratory: Laboratory):
    run_id, script = make_new_run_id(), laboratory.slow_success(8)
    job_id = kill_the_waiting_process(laboratory, script, run_id)
    assert job_id in laboratory.cluster.job_ids()
    measured = laboratory.measure(script, run_id=run_id)
    assert measured.cell.status is Status.SUCCESS, measured.cell.reason
    assert measured.record["job_id"] == job_id
    assert measured.cell.context.host.slurm.job_id == job_id


def test_a_job_that_ended_meanwhile_is_taken(laboratory: Laboratory):
    run_id, script = make_new_run_id(), laboratory.slow_success(4)
    job_id = kill_the_waiting_process(laboratory, script, run_id)
    wait_until(lambda: laboratory.cluster.state(job_id) == "COMPLETED", f"job {job_id} to complete", 60)
    measured = laboratory.measure(script, run_id=run_id)
    assert measured.cell.status is Status.SUCCESS, measured.cell.reason
    assert measured.cell.context.host.slurm.job_id == job_id


def test_a_job_that_was_lost_meanwhile_is_submitted_anew(laboratory: Laboratory):
    run_id, script = make_new_run_id(), laboratory.slow_success(8)
    job_id = kill_the_waiting_process(laboratory, script, run_id)
    laboratory.cluster.cancel(job_id)
    wait_until(lambda: laboratory.cluster.state(job_id) == "CANCELLED", f"job {job_id} to be cancelled", 30)
    measured = laboratory.measure(script, run_id=run_id)
    assert measured.cell.status is Status.SUCCESS, measured.cell.reason
    assert measured.record["job_id"] != job_id
    assert measured.record["attempt"] == 2


def test_a_job_that_does_something_else_is_not_adopted(laboratory: Laboratory):
    run_id = make_new_run_id()
    job_id = kill_the_waiting_process(laboratory, laboratory.slow_success(30), run_id)
    measured = laboratory.measure(laboratory.success, run_id=run_id)
    laboratory.cluster.cancel(job_id)
    assert measured.cell.status is Status.SUCCESS, measured.cell.reason
    assert measured.record["job_id"] != job_id


def test_two_steps_at_once_share_nothing(laboratory: Laboratory):
    first, second = (make_new_run_id() for _ in range(2))
    waiting = laboratory.start_measuring(laboratory.slow_success(3), first)
    measured = laboratory.measure(laboratory.slow_success(3), run_id=second)
    assert waiting.wait(timeout=60) == 0
    assert measured.cell.status is Status.SUCCESS
    assert laboratory.job_id_of(first) != measured.record["job_id"]
    assert first not in measured.cell.directory
