"""Every field of a request is seen in the job, as Slurm has it; a field that does not exist is refused."""

from collections.abc import Iterator, Mapping

import pytest

from g_assets.profiles.slurm_request import SlurmRequest
from tests.slurm.cluster import Cluster
from tests.slurm.laboratory import Laboratory, Measured

pytestmark = pytest.mark.slurm

RESERVATION = "measurements"


@pytest.fixture
def reservation(cluster: Cluster) -> Iterator[str]:
    """A reservation of the whole node from now on."""
    words = (f"ReservationName={RESERVATION}", "StartTime=now", "Duration=10", "Users=root", "Flags=OVERLAP,MAINT")
    cluster.command("scontrol", "create", "reservation", *words, "Nodes=ALL")
    yield RESERVATION
    cluster.command("scontrol", "delete", f"ReservationName={RESERVATION}")


def job_while_it_runs(laboratory: Laboratory, request: Mapping[str, object]) -> tuple[dict[str, str], Measured]:
    """What the controller says of a job with this request, and the measurement."""
    seen: list[dict[str, str]] = []

    def operator(job_id: str) -> None:
        laboratory.cluster.wait_for_state(job_id, "RUNNING")
        seen.append(laboratory.cluster.job(job_id))

    measured = laboratory.measure(laboratory.slow_success(2), slurm={"request": request}, operator=operator)
    return seen[0], measured


def test_every_field_arrives_in_the_job(laboratory: Laboratory, reservation: str):
    cluster = laboratory.cluster
    request = {
        "partition": "gpu",
        "nodes": 1,
        "nodelist": cluster.node,
        "cpus_per_task": 3,
        "mem": "700M",
        "gpus": "1",
        "time_limit": "0:07:00",
        "exclusive": False,
        "constraint": "stand_in",
        "account": "main",
        "qos": "normal",
        "reservation": reservation,
        "extra": ["--nice=42", "--signal=B:USR1@60"],
    }
    # One job proves all fields but two: `gres` says what `gpus` says, and `exclusive` takes more than was asked for.
    assert set(request) | {"gres"} == set(SlurmRequest.model_fields)
    job, measured = job_while_it_runs(laboratory, request)
    assert measured.cell.status == "success", measured.cell.reason
    expected = {
        "Partition": "gpu",
        "NumNodes": "1",
        "ReqNodeList": cluster.node,
        "CPUs/Task": "3",
        "MinMemoryNode": "700M",
        "TresPerJob": "gres:gpu:1",
        "TimeLimit": "00:07:00",
        "OverSubscribe": "OK",
        "Features": "stand_in",
        "Account": "main",
        "QOS": "normal",
        "Reservation": reservation,
        "Nice": "42",
    }
    assert {name: job.get(name) for name in expected} == expected


def test_gres_and_exclusive_arrive_in_the_job(laboratory: Laboratory):
    job, _ = job_while_it_runs(laboratory, {"partition": "gpu", "gres": "gpu:1", "exclusive": True})
    expected = {"TresPerNode": "gres:gpu:1", "OverSubscribe": "NO"}
    assert {name: job.get(name) for name in expected} == expected


def test_an_unknown_field_is_refused_before_anything_is_submitted(laboratory: Laboratory):
    before = laboratory.cluster.command("sacct", "-n", "-X", "-o", "JobID")
    measured = laboratory.measure(laboratory.success, slurm={"request": {"memory": "4G"}})
    assert measured.cells == []
    assert "request.memory" in measured.error
    assert laboratory.cluster.command("sacct", "-n", "-X", "-o", "JobID") == before
