"""One cluster for every test here: started once, shared, stopped at the end.

``G_SLURM_DIR`` names a folder in which a cluster runs already (or may be started); it is left running. Without it a
cluster of the tests' own is started below /tmp, and the tests are skipped, with the reason, where none can be.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.slurm import cluster as clusters
from tests.slurm.cluster import Cluster, ClusterError
from tests.slurm.laboratory import Laboratory

KEPT_DIRECTORY_VARIABLE = "G_SLURM_DIR"


def start_or_skip(directory: Path, *options: str) -> Cluster:
    """Start a cluster, or skip the test with what stood in the way."""
    if os.geteuid() != 0:
        pytest.skip("no SLURM cluster: slurmd starts jobs as their owners, which needs root")
    try:
        return clusters.start(directory, *options)
    except ClusterError as error:
        pytest.skip(f"no SLURM cluster: {error}")


@contextmanager
def own_cluster(*options: str) -> Iterator[Cluster]:
    """A cluster that lives as long as the block. Its folder is short for the sockets, open for the daemons."""
    with tempfile.TemporaryDirectory(prefix="slurm-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        directory = Path(folder) / "cluster"
        try:
            yield start_or_skip(directory, *options)
        finally:
            # A start that failed half way leaves daemons too.
            clusters.stop(Cluster(directory))


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A cluster with accounting, whose kernel ends jobs that take more memory than they asked for."""
    kept = os.environ.get(KEPT_DIRECTORY_VARIABLE)
    if kept is not None:
        yield start_or_skip(Path(kept))
        return
    with own_cluster() as started:
        yield started


@pytest.fixture(scope="session")
def laboratory(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Laboratory]:
    """The cluster with a machine profile, an environment and an artifact root that both sides see."""
    made = Laboratory(cluster, tmp_path_factory.mktemp("laboratory"))
    made.set_up()
    with pytest.MonkeyPatch.context() as monkeypatch:
        for name, value in made.environment.items():
            monkeypatch.setenv(name, value)
        yield made
