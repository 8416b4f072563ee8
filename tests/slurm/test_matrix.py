"""The whole matrix on the cluster: from the command line, again from the web server, and once more as local processes.

Belongs here: the project's own code location with one setting changed, the machine. Does not belong here: single jobs.
"""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import dagster as dg
import pytest
import tomli_w

from g_assets.artifacts.models import Status
from g_assets.artifacts.read import read_record
from g_assets.campaigns.matrix_manifest import MatrixManifest
from g_assets.resources.settings import MACHINE_VARIABLE
from tests.slurm.cluster import REPOSITORY
from tests.slurm.laboratory import Laboratory, machine_profile
from tests.slurm.services import Services

pytestmark = [pytest.mark.slurm, pytest.mark.slow, pytest.mark.timeout(600)]

MACHINE = "one_node_whole"
PARTITION = "sim_chr22"
CASES = ("binary_cpu", "binary_gpu", "binary_gpu_cached", "linear_cpu", "linear_gpu", "linear_gpu_cached")
ASSETS = ("plan", *CASES, "manifest", "comparison", "report")


@dataclass(frozen=True, slots=True)
class Nights:
    """The run ids of three runs of the matrix on one instance, and the jobs that SLURM ran meanwhile."""

    home: Path
    command_line: str
    web_server: str
    local: str
    jobs: tuple[str, ...]

    def facts(self, run_id: str, asset: str) -> dict[str, object]:
        """Metadata that a run recorded for one asset of the matrix; empty where it materialised none."""
        with dg.DagsterInstance.from_config(str(self.home)) as instance:
            for event in instance.all_logs(run_id, of_type=dg.DagsterEventType.ASSET_MATERIALIZATION):
                made = event.get_dagster_event().step_materialization_data.materialization
                if made.asset_key.path == ["matrix", asset]:
                    return {name: value.value for name, value in made.metadata.items()}
        return {}

    def manifest(self, run_id: str) -> MatrixManifest:
        """The joined manifest of a run."""
        return read_record(Path(str(self.facts(run_id, "manifest")["manifest_path"])), MatrixManifest)


def materialise(home: Path, environment: dict[str, str]) -> str:
    """Run the matrix by ``dagster asset materialize`` and return the run's id."""
    words = ["asset", "materialize", "--select", "group:matrix", "--partition", PARTITION, "-m", "g_assets.definitions"]
    done = subprocess.run(
        [str(Path(sys.executable).with_name("dagster")), *words],
        cwd=REPOSITORY,
        env={**os.environ, **environment, "DAGSTER_HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    with dg.DagsterInstance.from_config(str(home)) as instance:
        return instance.get_runs(limit=1)[0].run_id


@pytest.fixture(scope="module")
def nights(laboratory: Laboratory, tmp_path_factory: pytest.TempPathFactory) -> Nights:
    """Three runs, oldest first: on the cluster by command, on the cluster by the web server, here as processes."""
    home = tmp_path_factory.mktemp("home")
    shutil.copy(REPOSITORY / "dagster_home" / "dagster.yaml", home)
    profile = machine_profile(laboratory.cluster, laboratory.folder / "environment")
    whole = {"partition": "cpu", "cpus_per_task": 2, "mem": "4G", "time_limit": "20", "exclusive": True}
    profile["slurm"] |= {"request": whole, "gpu_request": {"partition": "gpu", "gres": "gpu:1"}}
    path = laboratory.folder / "profiles" / "machines" / f"{MACHINE}.toml"
    path.write_text(tomli_w.dumps(profile), encoding="utf-8")
    elsewhere = {MACHINE_VARIABLE: MACHINE}
    command_line = materialise(home, elsewhere)
    services = Services(home, ("-m", "g_assets.definitions"), {**laboratory.environment, **elsewhere})
    try:
        services.start()
        tags = {"dagster/partition": PARTITION}
        web_server = services.launch([["datasets", "files"], *(["matrix", name] for name in ASSETS)], {}, tags)
        services.wait_for_run(web_server, "SUCCESS", "FAILURE")
    finally:
        services.stop()
    jobs = laboratory.cluster.command("sacct", "-n", "-X", "-P", "-o", "JobID,JobName,State").splitlines()
    local = materialise(home, {})
    return Nights(home, command_line, web_server, local, tuple(jobs))


def test_both_runs_measured_the_cpu_cells_in_jobs_of_their_own(nights: Nights):
    for run_id in (nights.command_line, nights.web_server):
        manifest = nights.manifest(run_id)
        ends = {cell.case_id: cell.status for cell in manifest.cells}
        # Without a GPU behind the stand-in, a GPU's cell runs its job and says so.
        assert ends == {case: Status.SUCCESS if case.endswith("_cpu") else Status.UNSUPPORTED for case in CASES}
        assert {cell.context.compute_mode for cell in manifest.cells} == {"slurm"}
        jobs = {cell.case_id: cell.context.host.slurm for cell in manifest.cells}
        assert len({facts.job_id for facts in jobs.values()}) == len(CASES)
        assert {facts.partition for case, facts in jobs.items() if "gpu" in case} == {"gpu"}
        assert all(f"{facts.job_id}|" in "\n".join(nights.jobs) for facts in jobs.values())


def test_the_cached_cell_comes_after_the_one_that_fills_its_cache(nights: Nights):
    manifest = nights.manifest(nights.web_server)
    cells = {cell.case_id: cell for cell in manifest.cells}
    for trait in ("binary", "linear"):
        assert cells[f"{trait}_gpu"].finished_at <= cells[f"{trait}_gpu_cached"].started_at


def test_the_run_from_the_web_server_is_compared_with_the_one_from_the_command_line(nights: Nights):
    comparison = nights.facts(nights.web_server, "comparison")
    assert comparison["status"] == "compared", comparison["reason"]
    assert comparison["baseline_run_id"] == nights.command_line
    manifests = (nights.manifest(run_id) for run_id in (nights.command_line, nights.web_server))
    first, second = ({cell.case_id: cell.results_sha256 for cell in manifest.cells} for manifest in manifests)
    assert first == second


def test_a_local_run_has_another_scope_and_no_baseline(nights: Nights):
    comparison = nights.facts(nights.local, "comparison")
    assert comparison["status"] == "no_baseline"
    manifest = nights.manifest(nights.local)
    assert {cell.context.compute_mode for cell in manifest.cells} == {"process"}
    assert manifest.scope_key != nights.manifest(nights.web_server).scope_key


def test_the_results_are_the_same_wherever_they_were_computed(nights: Nights):
    local, far = (
        {cell.case_id: cell.results_sha256 for cell in nights.manifest(run_id).cells}
        for run_id in (nights.local, nights.web_server)
    )
    assert local == far
