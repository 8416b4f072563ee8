"""The one-node cluster of the tests: starting it, asking it, and doing to it what operators and users do.

Belongs here: ``one-node`` and Slurm's own commands as typed calls, and waiting for what they show. Does not belong
here: the launcher that is tested (it must find the cluster by its machine profile alone), or fixtures (conftest.py).
"""

import os
import shlex
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent.parent
ONE_NODE = Path(__file__).with_name("one-node")
# More than the machine has, so that small jobs run side by side; Slurm believes what it is told.
CLAIMED_CPUS = 8
START_TIMEOUT_SECONDS = 300.0
COMMAND_TIMEOUT_SECONDS = 60.0
POLL_SECONDS = 0.1


class ClusterError(Exception):
    """The cluster did not start; the message is what ``one-node`` said."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """A running cluster, known by its folder."""

    directory: Path

    @property
    def exports(self) -> dict[str, str]:
        """The variables of ``env.sh``: where the configuration is, and how to log in."""
        lines = (self.directory / "env.sh").read_text(encoding="utf-8").splitlines()
        pairs = (line.removeprefix("export ").partition("=") for line in lines if line)
        return {name: value for name, _, value in pairs}

    def command(self, *words: str, check: bool = True) -> str:
        """Run one of Slurm's commands on the cluster and return what it prints, stripped."""
        done = subprocess.run(
            words,
            env={**os.environ, "SLURM_CONF": self.exports["SLURM_CONF"]},
            capture_output=True,
            text=True,
            check=False,
            timeout=COMMAND_TIMEOUT_SECONDS,
        )
        if check and done.returncode != 0:
            message = f"{shlex.join(words)} ended with {done.returncode}: {done.stderr.strip()}"
            raise AssertionError(message)
        return done.stdout.strip()

    @property
    def node(self) -> str:
        """Name of the only node."""
        return self.command("sinfo", "-h", "-N", "-o", "%N").splitlines()[0]

    def job_ids(self) -> set[str]:
        """Jobs that wait or run."""
        return set(self.command("squeue", "-h", "-o", "%A").split())

    def job(self, job_id: str) -> dict[str, str]:
        """The fields of ``scontrol show job``, while the controller still knows the job."""
        text = self.command("scontrol", "--oneliner", "--details", "show", "job", job_id)
        fields = (word.partition("=") for word in text.split(" "))
        return {name: value for name, _, value in fields if name}

    def state(self, job_id: str) -> str:
        """State of a job as the accounting has it: one word, ``CANCELLED`` without who did it."""
        words = self.command("sacct", "-n", "-X", "-P", "-j", job_id, "-o", "State").split()
        return words[0] if words else ""

    def submit(self, script: str, *options: str) -> str:
        """Submit a shell line that is none of ours, and return its job id."""
        output = f"--output={self.directory}/log/foreign-%j.txt"
        return self.command("sbatch", "--parsable", output, *options, "--wrap", script)

    def cancel(self, *job_ids: str) -> None:
        """Cancel jobs, as anybody may who stands beside the launcher."""
        self.command("scancel", *job_ids)

    def wait_for_state(self, job_id: str, *states: str, seconds: float = 30.0) -> None:
        """Wait until the controller has a job in one of these states."""
        wait_until(lambda: self.job(job_id)["JobState"] in states, f"job {job_id} to be {' or '.join(states)}", seconds)

    def set_node(self, state: str, reason: str) -> None:
        """Give the node a state, as its operator may."""
        self.command("scontrol", "update", f"NodeName={self.node}", f"State={state}", f"Reason={reason}")

    def wait_for_node(self, *states: str, seconds: float = 60.0) -> None:
        """Wait until the node is in one of these states; a node that is down is asked to come back meanwhile."""

        def reached() -> bool:
            self.command("scontrol", "update", f"NodeName={self.node}", "State=RESUME", check=False)
            return self.command("sinfo", "-h", "-o", "%T").splitlines()[0] in states

        wait_until(reached, f"the node to be {' or '.join(states)}", seconds)


def wait_until(holds: Callable[[], bool], what: str, seconds: float) -> None:
    """Poll until a condition holds; AssertionError naming it where it does not in time."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            message = f"waited {seconds:g} s for {what}"
            raise AssertionError(message)
        time.sleep(POLL_SECONDS)


def start(directory: Path, *options: str) -> Cluster:
    """Start a cluster in a folder, or find the one that runs there. ClusterError has the script's last words."""
    done = subprocess.run(
        [str(ONE_NODE), "start", str(directory), "--cpus", str(CLAIMED_CPUS), *options],
        capture_output=True,
        text=True,
        check=False,
        timeout=START_TIMEOUT_SECONDS,
    )
    if done.returncode != 0:
        raise ClusterError((done.stderr or done.stdout).strip())
    return Cluster(directory)


def stop(cluster: Cluster) -> None:
    """Stop a cluster and remove its folder."""
    subprocess.run(
        [str(ONE_NODE), "stop", str(cluster.directory), "--purge"],
        capture_output=True,
        check=True,
        timeout=START_TIMEOUT_SECONDS,
    )
