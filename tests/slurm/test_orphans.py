"""Jobs that no run owns are listed and left alone; one command of a person's goes to a node and comes back."""

import os
import subprocess
import sys

import dagster as dg
import pytest
from dagster._core.utils import make_new_run_id

from g_assets import definitions
from g_assets.resources.settings import Settings
from tests.slurm.cluster import REPOSITORY
from tests.slurm.laboratory import MACHINE, Laboratory
from tests.slurm.test_adoption import kill_the_waiting_process

pytestmark = pytest.mark.slurm


def listed(laboratory: Laboratory) -> str:
    """What one tick of the sensor says."""
    settings = Settings(artifact_directory=str(laboratory.artifact_root))
    loaded = definitions.build_definitions(settings=settings)
    with dg.DagsterInstance.ephemeral() as instance:
        context = dg.build_sensor_context(
            instance=instance, repository_def=loaded.get_repository_def(), resources={"settings": settings}
        )
        tick = loaded.resolve_sensor_def("slurm_orphans").evaluate_tick(context)
    assert tick.run_requests == []
    return str(tick.skip_message)


def run_command(command: str) -> subprocess.CompletedProcess[str]:
    """What ``make slurm-run`` does."""
    words = [sys.executable, "-m", "g_assets.slurm.run_command", "--shared", MACHINE, command]
    return subprocess.run(words, cwd=REPOSITORY, env=os.environ, capture_output=True, text=True, check=False)


def test_a_live_job_whose_run_is_gone_is_listed_until_it_is_cancelled(laboratory: Laboratory):
    run_id = make_new_run_id()
    job_id = kill_the_waiting_process(laboratory, laboratory.slow_success(300), run_id)
    told = listed(laboratory)
    assert f"SLURM job {job_id} on {MACHINE}" in told
    assert run_id in told
    assert job_id in laboratory.cluster.job_ids()
    laboratory.cluster.cancel(job_id)
    assert f"SLURM job {job_id} " not in listed(laboratory)


def test_a_command_runs_on_a_node_and_its_log_and_status_come_back(laboratory: Laboratory):
    done = run_command('echo "node $SLURMD_NODENAME"; echo aside >&2; exit 7')
    assert (done.returncode, done.stdout) == (7, f"node {laboratory.cluster.node}\n")
    assert "aside" in done.stderr


def test_a_command_that_succeeds(laboratory: Laboratory):
    done = run_command("pwd")
    assert (done.returncode, done.stdout.strip()) == (0, str(REPOSITORY))
