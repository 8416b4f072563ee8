"""Measurements on the cluster: a machine profile of the fixture's making, small specs, and one call a measurement.

Belongs here: what the tests of the launcher share. Does not belong here: the cluster itself (cluster.py), or what must
come of a measurement (the tests).

A measurement runs in the test's own thread, as in a Dagster step; what happens to its job meanwhile is done by an
operator, a function in a thread of its own that is told the job's id as soon as the job record has it.
"""

import json
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import dagster as dg
import tomli_w
from dagster._core.utils import make_new_run_id

from g_assets.artifacts.cell import CellManifest
from g_assets.artifacts.paths import ARTIFACT_ROOT_VARIABLE, cell_directory, compile_cache_directory
from g_assets.campaigns.model import Case, TraitType
from g_assets.payloads.spec import MeasurementSpec
from g_assets.profiles.load import PROFILE_DIRECTORY_VARIABLE
from g_assets.profiles.models import Device
from g_assets.resources.compute import Compute
from tests.assets.payloads.conftest import COPY_RESULT, write_run
from tests.slurm.cluster import REPOSITORY, Cluster, wait_until

MACHINE = "one_node"
STEP = "cell"
JOB_SECONDS = 60.0

Operator = Callable[[str], None]


@dataclass(slots=True)
class Measured:
    """What one measurement left: the Dagster run and, where there is one, the cell and the job record."""

    result: dg.ExecuteInProcessResult
    cells: list[CellManifest] = field(default_factory=list)
    record: dict[str, Any] | None = None
    step_seconds: float = 0.0

    @property
    def cell(self) -> CellManifest:
        """The cell; AssertionError with the step's error where there is none."""
        assert self.cells, self.error
        return self.cells[0]

    @property
    def error(self) -> str:
        """Text of the step's error; empty where it had none."""
        failures = [event for event in self.result.all_node_events if event.is_step_failure]
        return failures[0].step_failure_data.error_display_string if failures else ""


@dataclass(frozen=True, slots=True)
class Laboratory:
    """A cluster, a folder that both sides see, and the machine profile that joins them."""

    cluster: Cluster
    folder: Path

    @property
    def artifact_root(self) -> Path:
        """Where artifacts and job records go."""
        return self.folder / "artifacts"

    @property
    def environment(self) -> dict[str, str]:
        """The variables that a code location needs: where profile and artifacts are, and a short-lived connection."""
        return {
            PROFILE_DIRECTORY_VARIABLE: str(self.folder / "profiles"),
            ARTIFACT_ROOT_VARIABLE: str(self.artifact_root),
            # Sockets need a short path; ten minutes, the usual life of a connection, is longer than the cluster's.
            "DAGSTER_SLURM_SSH_CONTROL_DIR": str(self.cluster.directory / "ssh"),
            "DAGSTER_SLURM_SSH_CONTROL_PERSIST": "20",
        }

    def set_up(self) -> None:
        """Write the environment folder, the profile, and a finished run for commands to copy."""
        self.artifact_root.mkdir(parents=True)
        environment_folder(self.folder / "environment", "")
        machines = self.folder / "profiles" / "machines"
        machines.mkdir(parents=True)
        profile = machine_profile(self.cluster, self.folder / "environment")
        (machines / f"{MACHINE}.toml").write_text(tomli_w.dumps(profile), encoding="utf-8")
        write_run(self.folder / "template.g")

    @property
    def success(self) -> str:
        """Python text of a command that leaves a finished run at once."""
        return COPY_RESULT.format(template=str(self.folder / "template.g"))

    def slow_success(self, seconds: float) -> str:
        """Python text of a command that leaves a finished run after some time."""
        return f"import time; time.sleep({seconds})\n{self.success}"

    def record_path(self, run_id: str) -> Path:
        """The job record of the step of a run."""
        return self.artifact_root / "jobs" / run_id / f"{STEP}.json"

    def spec(self, script: str, run_id: str, mode: str, **changes: object) -> MeasurementSpec:
        """The spec of a case whose command is a Python text."""
        places = (self.artifact_root, "matrix", "sim_chr22", run_id, "linear_cpu")
        spec = MeasurementSpec(
            campaign="matrix",
            campaign_version=1,
            dataset="sim_chr22",
            run_id=run_id,
            case=Case(
                case_id="linear_cpu",
                trait_type=TraitType.QUANTITATIVE,
                device=Device.CPU,
                uses_compile_cache_of=None,
                arguments=(),
                output_name="linear_cpu",
                input_files=(),
            ),
            trials=1,
            timeout_seconds=600.0,
            plan_only=False,
            compute_mode=mode,
            machine=MACHINE if mode == "slurm" else None,
            artifact_root=str(self.artifact_root),
            working_directory=str(REPOSITORY),
            artifact_directory=str(cell_directory(*places)),
            compile_cache=str(compile_cache_directory(*places)),
            command=(sys.executable, "-c", script),
            terminate_grace_seconds=0.5,
        )
        return spec.model_copy(update=changes)

    def measure(
        self,
        script: str,
        *,
        mode: str = "slurm",
        slurm: Mapping[str, Any] | None = None,
        operator: Operator | None = None,
        run_id: str | None = None,
        **changes: object,
    ) -> Measured:
        """Measure a Python text in a Dagster step.

        Args:
            script: What the command is.
            mode: The compute mode.
            slurm: What the run's config lays over the profile's ``[slurm]`` table.
            operator: What happens to the job meanwhile; called with the job's id. What it raises fails the test.
            run_id: The run; None: a new one. A second call with the same id is the same step again.
            changes: Fields of the spec.
        """
        run_id = run_id or make_new_run_id()
        cells: list[CellManifest] = []
        seconds: list[float] = []
        compute = Compute(mode=mode, machine=MACHINE if mode == "slurm" else "", slurm=dict(slurm or {}))

        @dg.asset(name=STEP)
        def cell(context: dg.AssetExecutionContext) -> dg.MaterializeResult:
            begun = time.monotonic()
            cells.append(compute.measure(context, self.spec(script, context.run.run_id, mode, **changes)))
            seconds.append(time.monotonic() - begun)
            return dg.MaterializeResult()

        faults: list[BaseException] = []
        acting = threading.Thread(target=self.act, args=(run_id, operator, faults))
        if operator is not None:
            acting.start()
        with dg.DagsterInstance.ephemeral(str(self.folder)) as instance:
            job = dg.Definitions(assets=[cell]).resolve_implicit_global_asset_job_def()
            result = job.execute_in_process(instance=instance, raise_on_error=False, run_id=run_id)
        if operator is not None:
            acting.join(JOB_SECONDS)
        path = self.record_path(run_id)
        record = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None
        measured = Measured(result, cells, record, sum(seconds))
        assert faults == [], measured.error
        return measured

    def start_measuring(self, script: str, run_id: str) -> subprocess.Popen[bytes]:
        """The same as ``measure`` in a process of its own, which a test may kill."""
        call = (
            "import sys; from pathlib import Path; from tests.slurm.cluster import Cluster; "
            "from tests.slurm.laboratory import Laboratory; cluster, folder, script, run_id = sys.argv[1:]; "
            "Laboratory(Cluster(Path(cluster)), Path(folder)).measure(script, run_id=run_id)"
        )
        words = (str(self.cluster.directory), str(self.folder), script, run_id)
        return subprocess.Popen([sys.executable, "-c", call, *words], cwd=REPOSITORY, start_new_session=True)

    def act(self, run_id: str, operator: Operator, faults: list[BaseException]) -> None:
        """Tell the operator the job's id as soon as the record has one."""
        try:
            operator(self.job_id_of(run_id))
        except BaseException as error:  # noqa: BLE001  (a thread's own errors end nowhere else)
            faults.append(error)

    def job_id_of(self, run_id: str) -> str:
        """The job of a run's step, waited for."""
        path = self.record_path(run_id)

        def recorded() -> bool:
            return path.is_file() and json.loads(path.read_text(encoding="utf-8")).get("job_id") is not None

        wait_until(recorded, f"a job id in {path}", JOB_SECONDS)
        return str(json.loads(path.read_text(encoding="utf-8"))["job_id"])


def environment_folder(folder: Path, lines: str) -> Path:
    """An environment as a shared disk has it: a link to this one, and the script that a job sources."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "env").symlink_to(sys.prefix)
    activate = 'export PATH="$(dirname "${BASH_SOURCE[0]}")/env/bin:$PATH"\n'
    (folder / "activate.sh").write_text(activate + lines, encoding="utf-8")
    return folder


def machine_profile(cluster: Cluster, environment: Path) -> dict[str, Any]:
    """The machine profile of a cluster: what its ``env.sh`` says, and small waits."""
    exports = cluster.exports
    return {
        "description": "The one-node cluster of the tests",
        "device": "cpu",
        "cpus": "auto",
        "cpu_chunk_variants": "auto",
        "slurm": {
            "environment": str(environment),
            "checkout": str(REPOSITORY),
            "cache_parents": ["/tmp"],
            "poll_seconds": 0.5,
            "queue_limit_seconds": 600.0,
            "requeue_limit": 0,
            "outage_limit_seconds": 60.0,
            "ssh": {
                "host": exports["SLURM_SSH_HOST"],
                "port": int(exports["SLURM_SSH_PORT"]),
                "user": exports["SLURM_SSH_USER"],
                "key": exports["SLURM_SSH_KEY"],
                "known_hosts": exports["SLURM_SSH_KNOWN_HOSTS_FILE"],
            },
            "request": {"partition": "cpu", "cpus_per_task": 1, "mem": "500M", "time_limit": "10", "exclusive": False},
        },
    }
