"""Each thing that speaks against a job is a refusal with its remedy; a cluster that is ready has none."""

import pytest

from g_assets.profiles.slurm_machine import SlurmMachine
from g_assets.profiles.slurm_request import SlurmRequest
from g_assets.slurm.preflight import preflight

MACHINE = SlurmMachine(
    environment="/shared/environment",
    checkout="/shared/checkout",
    cache_parents=(),
    poll_seconds=1.0,
    queue_limit_seconds=60.0,
    requeue_limit=0,
    outage_limit_seconds=60.0,
)
READY = {
    "accounting": "answers",
    "version": "0.1.0",
    "proof": "abc",
    "nodes": "cpu*|n1|8|16000|(null)\ngpu|n2|4|64000|gpu:2(S:0)",
}


class Answering:
    """A login node whose answer is known."""

    def __init__(self, **changed):
        self.parts = READY | changed

    def run(self, command):
        return "".join(f"\n={name}=\n{text}\n" for name, text in self.parts.items())


def refusals(request, **changed):
    """What is said against a request, as one text."""
    found = preflight(
        Answering(**changed), MACHINE, request, engine_version="0.1.0", proof_path="/shared/a/shared", proof="abc"
    )
    return "\n".join(refusal.text() for refusal in found)


def test_a_cluster_that_is_ready_refuses_nothing():
    assert refusals(SlurmRequest(partition="gpu", cpus_per_task=4, mem="60G", gres="gpu:1")) == ""


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"accounting": "Slurm accounting storage is disabled"}, "sacct does not answer: Slurm accounting storage is"),
        ({"version": "9.9"}, "has version 9.9 of this package, the code location 0.1.0"),
        ({"version": "bash: python: No such file"}, "cannot run this package from /shared/checkout"),
        ({"proof": "cat: no such file"}, "artifact root is not shared with the login node"),
        ({"nodes": ""}, "sinfo lists no node"),
    ],
)
def test_a_cluster_that_is_not_ready_is_told_from_one_that_is(changed, message):
    assert message in refusals(SlurmRequest(), **changed)


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (SlurmRequest(cpus_per_task=9), "cpus_per_task = 9, and no node of partition cpu has more than 8"),
        (SlurmRequest(mem="20G"), "mem = 20G, and no node of partition cpu has more than 16000M"),
        (SlurmRequest(gres="gpu:1"), "a GPU is asked for, and no node of partition cpu has one"),
        (SlurmRequest(partition="night"), "there is no node in partition 'night'; ask for one of: cpu, gpu"),
    ],
)
def test_a_request_that_no_node_can_meet_is_refused(request_, message):
    assert message in refusals(request_)


def test_everything_that_is_wrong_is_said_at_once():
    text = refusals(SlurmRequest(cpus_per_task=9, mem="20G"), accounting="disabled")
    assert len(text.splitlines()) == 3
