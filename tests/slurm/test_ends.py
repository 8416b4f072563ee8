"""Each end of a job, provoked on the cluster: its status, what the message says, and no success that is none.

Belongs here: what becomes of a job that is submitted. Does not belong here: requests that are refused before
(test_refusals.py), or a step that starts again (test_adoption.py).
"""

import sys
import time
from pathlib import Path

import pytest
from dagster._core.utils import make_new_run_id

from g_assets.artifacts.models import Status
from g_assets.artifacts.validate import validate
from tests.slurm.cluster import Cluster
from tests.slurm.conftest import own_cluster
from tests.slurm.laboratory import Laboratory, Measured, environment_folder, machine_profile

pytestmark = pytest.mark.slurm

KILL_THE_WORKER = "import os, signal; print('last words', flush=True); os.kill(os.getppid(), signal.SIGKILL)"
FILL_MEMORY = "blocks = [bytearray(b'x' * 10_000_000) for _ in range(300)]; import time; time.sleep(60)"
SLEEP = "import time; time.sleep(600)"
LOG_TAIL_BYTES = 4096


def assert_lost(measured: Measured, end: str, status: Status = Status.FAILED) -> None:
    """The cell is no success, says which end it was, and lists its files; the record says the same."""
    assert measured.cell.status is status
    assert measured.cell.reason is not None
    assert measured.cell.reason.startswith(f"{end}: "), measured.cell.reason
    assert measured.cell.results_sha256 is None
    assert validate(Path(measured.cell.directory)) == ()
    assert measured.record is not None
    assert measured.record["end"] == end


def running(cluster: Cluster, job_id: str) -> None:
    """Wait until the job runs, and its payload with it."""
    cluster.wait_for_state(job_id, "RUNNING")
    time.sleep(2)


def test_a_command_that_fails_is_a_cell_of_a_job_that_completed(laboratory: Laboratory):
    measured = laboratory.measure("import sys; sys.exit('no such variant')")
    assert measured.result.success, measured.error
    assert (measured.cell.status, measured.cell.reason) == (Status.FAILED, "trial 1: exit 1: no such variant")
    assert measured.record is not None
    assert measured.record["end"] == "completed"
    assert measured.cell.context.host.slurm is not None
    assert measured.cell.context.host.slurm.job_id == measured.record["job_id"]


def test_a_worker_that_is_killed_is_failed_with_the_end_of_its_log(laboratory: Laboratory):
    measured = laboratory.measure(KILL_THE_WORKER)
    assert_lost(measured, "failed")
    assert len(measured.cell.reason) < LOG_TAIL_BYTES * 2
    assert "read the end of its log" in measured.cell.reason


def test_over_its_memory_the_kernels_way(laboratory: Laboratory):
    measured = laboratory.measure(FILL_MEMORY, slurm={"request": {"mem": "400M"}})
    assert_lost(measured, "out_of_memory")
    assert "raise `mem`" in measured.cell.reason
    assert "0.4 GB" in measured.cell.reason


def test_over_its_memory_where_slurmd_looks_each_second(laboratory: Laboratory):
    """Without cgroups SLURM itself says no more than FAILED."""
    with own_cluster("--memory", "poll") as sampling:
        table = machine_profile(sampling, laboratory.folder / "environment")["slurm"]
        measured = laboratory.measure(FILL_MEMORY, slurm={"ssh": table["ssh"], "request": {"mem": "400M"}})
        assert sampling.state(measured.record["job_id"]) == "FAILED"
    assert_lost(measured, "out_of_memory")
    assert "raise `mem`" in measured.cell.reason


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_over_its_time(laboratory: Laboratory):
    measured = laboratory.measure(SLEEP, slurm={"request": {"time_limit": "1"}})
    assert_lost(measured, "timeout", Status.TIMED_OUT)
    assert "raise `time_limit`" in measured.cell.reason


def test_cancelled_by_somebody_else(laboratory: Laboratory):
    cluster = laboratory.cluster

    def operator(job_id: str) -> None:
        running(cluster, job_id)
        cluster.cancel(job_id)

    measured = laboratory.measure(SLEEP, operator=operator)
    assert_lost(measured, "cancelled")
    assert "somebody cancelled it" in measured.cell.reason


def test_cancelled_by_somebody_else_while_it_waits(laboratory: Laboratory):
    cluster = laboratory.cluster
    blocker = cluster.submit("sleep 300", "--exclusive")
    cluster.wait_for_state(blocker, "RUNNING")
    measured = laboratory.measure(SLEEP, operator=cluster.cancel)
    cluster.cancel(blocker)
    assert_lost(measured, "cancelled")


def test_preempted_where_no_requeue_is_allowed(laboratory: Laboratory):
    cluster = laboratory.cluster

    def operator(job_id: str) -> None:
        running(cluster, job_id)
        cluster.submit("true", "--exclusive", "--partition=cpu")

    measured = laboratory.measure(SLEEP, slurm={"request": {"partition": "scavenge"}}, operator=operator)
    assert_lost(measured, "preempted")
    assert "requeue_limit" in measured.cell.reason


def test_preempted_and_requeued_within_the_limit_is_measured_from_the_start(laboratory: Laboratory):
    cluster = laboratory.cluster

    def operator(job_id: str) -> None:
        running(cluster, job_id)
        cluster.submit("true", "--exclusive", "--partition=cpu")
        cluster.wait_for_state(job_id, "PENDING")
        # SLURM lets two minutes pass before it starts a job again; an operator need not wait.
        cluster.command("scontrol", "update", f"JobId={job_id}", "StartTime=now")

    measured = laboratory.measure(
        laboratory.slow_success(8),
        slurm={"request": {"partition": "scavenge"}, "requeue_limit": 1},
        operator=operator,
    )
    assert measured.cell.status is Status.SUCCESS, measured.cell.reason
    assert cluster.job(measured.record["job_id"])["Restarts"] == "1"


def test_waiting_longer_than_the_queues_limit_gives_up_and_cancels(laboratory: Laboratory):
    cluster = laboratory.cluster
    blocker = cluster.submit("sleep 300", "--exclusive")
    cluster.wait_for_state(blocker, "RUNNING")
    measured = laboratory.measure(laboratory.success, slurm={"queue_limit_seconds": 3.0})
    assert_lost(measured, "queue_limit")
    assert measured.record["job_id"] not in cluster.job_ids()
    cluster.cancel(blocker)


def test_a_node_that_goes_down(laboratory: Laboratory):
    cluster = laboratory.cluster

    def operator(job_id: str) -> None:
        running(cluster, job_id)
        cluster.set_node("DOWN", "a test")

    measured = laboratory.measure(SLEEP, operator=operator)
    cluster.wait_for_node("idle", "mixed")
    assert_lost(measured, "node_fail")
    assert "run it again" in measured.cell.reason


def test_a_job_that_ends_well_and_leaves_no_manifest_is_no_success(laboratory: Laboratory, tmp_path: Path):
    """SLURM says COMPLETED 0:0; nothing was measured."""
    measured = laboratory.measure(
        laboratory.success, slurm={"environment": environment_with_worker(tmp_path, "exit 0")}
    )
    assert_lost(measured, "no_manifest")
    assert laboratory.cluster.state(measured.record["job_id"]) == "COMPLETED"


def test_a_result_that_changed_after_its_manifest_was_written_is_no_success(laboratory: Laboratory, tmp_path: Path):
    """SLURM says COMPLETED 0:0 and the manifest says success; the hashes do not match."""
    run_id = make_new_run_id()
    cells = laboratory.artifact_root / "matrix" / "sim_chr22" / run_id
    damage = f"find {cells} -name 'part-*.parquet' -exec sh -c 'echo x >>\"$0\"' {{}} ';'; exit 0"
    environment = environment_with_worker(tmp_path, f'{sys.executable} "$@"; {damage}')
    measured = laboratory.measure(laboratory.success, slurm={"environment": environment}, run_id=run_id)
    assert_lost(measured, "no_manifest")
    assert laboratory.cluster.state(measured.record["job_id"]) == "COMPLETED"


def environment_with_worker(folder: Path, does: str) -> str:
    """An environment whose Python runs a line of shell in place of the worker."""
    environment = environment_folder(folder / "environment", "")
    (environment / "env").unlink()
    python = environment / "env" / "bin" / "python"
    python.parent.mkdir(parents=True)
    script = f'case "$*" in *payloads.worker*)\n  {does}\n  ;;\nesac\nexec {sys.executable} "$@"\n'
    python.write_text(f"#!/bin/sh\n{script}", encoding="utf-8")
    python.chmod(0o755)
    return str(environment)
