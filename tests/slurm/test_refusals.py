"""What is refused before a job is submitted, or by sbatch: each with what is wrong and what to do.

Belongs here: the cluster, the environment and the request as they are found. Does not belong here: what becomes of a
job (test_ends.py).
"""

from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.slurm import cluster as clusters
from tests.slurm.conftest import own_cluster
from tests.slurm.laboratory import Laboratory, environment_folder, machine_profile

pytestmark = pytest.mark.slurm

OTHER_VERSION = "9.9.9"


@pytest.fixture
def submitted_nothing(laboratory: Laboratory) -> Iterator[None]:
    """The accounting has no more jobs after the test than before."""
    ask = ("sacct", "-n", "-X", "-o", "JobID")
    before = laboratory.cluster.command(*ask)
    yield
    assert laboratory.cluster.command(*ask) == before


@pytest.mark.usefixtures("submitted_nothing")
def test_more_cpus_than_any_node_of_the_partition(laboratory: Laboratory):
    measured = laboratory.measure(laboratory.success, slurm={"request": {"cpus_per_task": 64}})
    assert measured.cells == []
    assert "64" in measured.error
    assert f"{clusters.CLAIMED_CPUS}" in measured.error
    assert "cpus_per_task" in measured.error


@pytest.mark.usefixtures("submitted_nothing")
def test_more_memory_than_any_node_of_the_partition(laboratory: Laboratory):
    measured = laboratory.measure(laboratory.success, slurm={"request": {"mem": "9T"}})
    assert measured.cells == []
    assert "mem" in measured.error


@pytest.mark.usefixtures("submitted_nothing")
def test_a_partition_that_is_not_there(laboratory: Laboratory):
    measured = laboratory.measure(laboratory.success, slurm={"request": {"partition": "cpus"}})
    assert measured.cells == []
    assert "no node in" in measured.error
    assert "cpus" in measured.error
    assert "scavenge" in measured.error


@pytest.mark.usefixtures("submitted_nothing")
def test_an_environment_with_another_version(laboratory: Laboratory, tmp_path: Path):
    other = tmp_path / "packages" / f"g_gwas-{OTHER_VERSION}.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text(f"Metadata-Version: 2.1\nName: g-gwas\nVersion: {OTHER_VERSION}\n")
    folder = environment_folder(tmp_path / "environment", f"export PYTHONPATH={other.parent}\n")
    measured = laboratory.measure(laboratory.success, slurm={"environment": str(folder)})
    assert measured.cells == []
    assert OTHER_VERSION in measured.error
    assert version("g-gwas") in measured.error


@pytest.mark.usefixtures("submitted_nothing")
def test_an_environment_that_is_not_there(laboratory: Laboratory, tmp_path: Path):
    measured = laboratory.measure(laboratory.success, slurm={"environment": str(tmp_path / "nowhere")})
    assert measured.cells == []
    assert str(tmp_path / "nowhere") in measured.error


def test_an_artifact_root_that_only_one_side_sees(laboratory: Laboratory, tmp_path: Path):
    measured = laboratory.measure(laboratory.success, slurm={"artifact_root": str(tmp_path)})
    said = measured.error or measured.cell.reason
    assert "artifact_root" in said
    assert str(tmp_path) in said


def test_a_host_that_is_not_the_known_one(laboratory: Laboratory, tmp_path: Path):
    (tmp_path / "known_hosts").touch()
    measured = laboratory.measure(
        laboratory.success, slurm={"ssh": {"known_hosts": str(tmp_path / "known_hosts"), "host": "localhost"}}
    )
    assert measured.cells == []
    assert "localhost" in measured.error


def test_sbatch_says_no(laboratory: Laboratory):
    measured = laboratory.measure(laboratory.success, slurm={"request": {"reservation": "nosuch"}})
    assert measured.cells == []
    assert measured.record["end"] == "rejected"
    assert "rejected: " in measured.error
    assert "Requested reservation is invalid" in measured.error


def test_a_cluster_without_accounting(laboratory: Laboratory):
    """Without it a job that was killed would look like one that ended well."""
    with own_cluster("--accounting", "none") as silent:
        table = machine_profile(silent, laboratory.folder / "environment")["slurm"]
        measured = laboratory.measure(laboratory.success, slurm={"ssh": table["ssh"]})
    assert measured.cells == []
    assert "sacct" in measured.error
