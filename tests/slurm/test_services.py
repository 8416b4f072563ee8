"""A run of two SLURM steps amid Dagster's own services: terminated, killed, or its services restarted.

Belongs here: what becomes of the jobs, seen on the cluster. Does not belong here: the launcher without those services
(test_adoption.py).
"""

import json
import os
import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from g_assets.resources.settings import MACHINE_VARIABLE
from tests.slurm.cluster import REPOSITORY, wait_until
from tests.slurm.laboratory import MACHINE, Laboratory
from tests.slurm.services import Services
from tests.slurm.small_location import CLUSTER_VARIABLE, FOLDER_VARIABLE

pytestmark = [pytest.mark.slurm, pytest.mark.timeout(400)]

STEPS = ("first", "second")
# A child and a grandchild of the payload: all of them must go with the job.
TREE = "import subprocess, time; subprocess.Popen(['sleep', '{marker}']); subprocess.run(['sleep', '{marker}'])"
GONE_SECONDS = 10.0


@pytest.fixture(scope="module")
def services(laboratory: Laboratory, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    """Code server, webserver and daemon over the small code location."""
    home = tmp_path_factory.mktemp("home")
    shutil.copy(REPOSITORY / "dagster_home" / "dagster.yaml", home)
    places = {CLUSTER_VARIABLE: str(laboratory.cluster.directory), FOLDER_VARIABLE: str(laboratory.folder)}
    # The installation's machine: with a cluster, the steps of a run go on at once.
    places[MACHINE_VARIABLE] = MACHINE
    started = Services(home, ("-m", "tests.slurm.small_location"), {**laboratory.environment, **places})
    try:
        started.start()
        yield started
    finally:
        started.stop()


def config(script: str) -> dict[str, object]:
    """Run config of both steps."""
    return {"ops": {name: {"config": {"script": script}} for name in STEPS}}


def job_ids(laboratory: Laboratory, run_id: str) -> dict[str, str]:
    """The job of each step, waited for."""
    folder = laboratory.artifact_root / "jobs" / run_id

    def found() -> dict[str, str]:
        records = {name: folder / f"{name}.json" for name in STEPS}
        texts = {name: path.read_text(encoding="utf-8") for name, path in records.items() if path.is_file()}
        ids = {name: json.loads(text)["job_id"] for name, text in texts.items()}
        return {name: job_id for name, job_id in ids.items() if job_id is not None}

    wait_until(lambda: len(found()) == len(STEPS), f"two job records in {folder}", 60)
    return found()


def start(laboratory: Laboratory, services: Services, script: str) -> tuple[str, dict[str, str]]:
    """Launch a run of both steps and wait until both jobs run at the same time."""
    run_id = services.launch([[name] for name in STEPS], config(script), {})
    jobs = job_ids(laboratory, run_id)
    for job_id in jobs.values():
        laboratory.cluster.wait_for_state(job_id, "RUNNING")
    return run_id, jobs


def slurm_jobs_recorded(services: Services, run_id: str) -> dict[str, str]:
    """The job that each materialisation of a run says it came from."""
    with dg.DagsterInstance.from_config(str(services.home)) as instance:
        events = instance.all_logs(run_id, of_type=dg.DagsterEventType.ASSET_MATERIALIZATION)
        found = [event.get_dagster_event().step_materialization_data.materialization for event in events]
    return {made.asset_key.path[-1]: str(made.metadata["slurm_job_id"].value) for made in found}


def pid_of(services: Services, run_id: str) -> int:
    """The process that executes a run, as its own events say."""
    with dg.DagsterInstance.from_config(str(services.home)) as instance:
        for entry in instance.all_logs(run_id, of_type=dg.DagsterEventType.ENGINE_EVENT):
            facts = entry.get_dagster_event().engine_event_data.metadata
            if "pid" in facts:
                return int(str(facts["pid"].value))
    message = f"no event of run {run_id} names its process"
    raise AssertionError(message)


def processes_with(word: str) -> list[str]:
    """Processes of this machine whose command line has a word."""
    found: list[str] = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:  # it ended while we looked
            continue
        if word.encode() in words:
            found.append(folder.name)
    return found


def test_terminate_ends_jobs_and_their_whole_process_trees_within_ten_seconds(laboratory, services):
    marker = f"{600 + os.getpid() / 1e7:.7f}"
    run_id, jobs = start(laboratory, services, TREE.format(marker=marker))
    wait_until(lambda: len(processes_with(marker)) == 2 * len(STEPS), "the payloads to have children", 20)
    services.terminate(run_id)
    pressed = time.monotonic()
    wait_until(lambda: not set(jobs.values()) & laboratory.cluster.job_ids(), "the jobs to be gone", GONE_SECONDS)
    wait_until(
        lambda: not processes_with(marker), "their processes to be gone", GONE_SECONDS - (time.monotonic() - pressed)
    )
    assert services.wait_for_run(run_id, "CANCELED", "FAILURE", "SUCCESS") == "CANCELED"
    assert {laboratory.cluster.state(job_id) for job_id in jobs.values()} == {"CANCELLED"}
    assert slurm_jobs_recorded(services, run_id) == {}


def test_a_killed_run_leaves_its_jobs_and_its_repetition_takes_both(laboratory, services):
    run_id, jobs = start(laboratory, services, laboratory.slow_success(25))
    os.kill(pid_of(services, run_id), signal.SIGKILL)
    services.wait_for_run(run_id, "FAILURE")
    assert set(jobs.values()) <= laboratory.cluster.job_ids()
    again = services.reexecute(run_id)
    assert services.wait_for_run(again, "SUCCESS", "FAILURE") == "SUCCESS"
    assert slurm_jobs_recorded(services, again) == jobs


def test_webserver_and_daemon_may_restart(laboratory, services):
    run_id, jobs = start(laboratory, services, laboratory.slow_success(25))
    services.restart("web")
    services.restart("daemon")
    assert services.wait_for_run(run_id, "SUCCESS", "FAILURE") == "SUCCESS"
    assert slurm_jobs_recorded(services, run_id) == jobs


def test_a_code_server_that_restarts_with_its_runs_leaves_the_jobs(laboratory, services):
    run_id, jobs = start(laboratory, services, laboratory.slow_success(40))
    services.restart("code")
    assert set(jobs.values()) <= laboratory.cluster.job_ids()
    services.wait_for_run(run_id, "FAILURE", "CANCELED")
    again = services.reexecute(run_id)
    assert services.wait_for_run(again, "SUCCESS", "FAILURE") == "SUCCESS"
    assert slurm_jobs_recorded(services, again) == jobs
