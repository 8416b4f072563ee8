"""The cluster of the tests is a real one: what the launcher's tests stand on is shown first."""

import subprocess

import pytest

from tests.slurm.cluster import ONE_NODE, Cluster, wait_until

pytestmark = pytest.mark.slurm


def test_its_script_says_what_it_takes():
    text = subprocess.run([str(ONE_NODE), "--help"], capture_output=True, text=True, check=True).stdout
    assert "start  [DIR] [options]" in text
    assert "--accounting MODE" in text


def test_a_job_runs_and_the_accounting_knows_its_end(cluster: Cluster):
    job_id = cluster.submit("exit 3")
    wait_until(lambda: cluster.state(job_id) == "FAILED", f"job {job_id} to be accounted as failed", 30)


def test_one_may_log_in_with_the_key_and_find_the_cluster(cluster: Cluster):
    exports = cluster.exports
    done = subprocess.run(
        [
            *("ssh", "-F", "none", "-i", exports["SLURM_SSH_KEY"], "-p", exports["SLURM_SSH_PORT"]),
            *("-o", "BatchMode=yes", "-o", f"UserKnownHostsFile={exports['SLURM_SSH_KNOWN_HOSTS_FILE']}"),
            *(f"{exports['SLURM_SSH_USER']}@{exports['SLURM_SSH_HOST']}", "sinfo -h -o %P"),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert set(done.stdout.split()) == {"cpu*", "gpu", "scavenge"}


def test_a_gpu_job_is_given_the_stand_in_device(cluster: Cluster):
    output = cluster.directory / "log" / "gpu.txt"
    cluster.command(
        "sbatch", "--wait", "-p", "gpu", "--gres=gpu:1", f"--output={output}", "--wrap", "echo $CUDA_VISIBLE_DEVICES"
    )
    assert output.read_text(encoding="utf-8").strip() == "0"
