"""Records for the lab's tests, complete and valid, each field changeable by name."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from g_assets.artifacts.cell import CellManifest, EngineFigures, StageSeconds, Trial
from g_assets.artifacts.models import BuildFacts, Context, EnvironmentVariable, HostFacts, Status
from g_assets.campaigns.matrix import MatrixConfig, MatrixProfiles, expand, summarise
from g_assets.campaigns.matrix_manifest import MatrixManifest
from g_assets.campaigns.model import Plan
from g_assets.profiles.load import load_dataset, load_machine, load_workload
from g_assets.profiles.models import Device

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
FINGERPRINT = "f" * 64
ROWS_SHA256 = "a" * 64
NO_GPU = "no GPU on node1: nvidia-smi lists none and there is no /dev/nvidia* device"


def make_context(**changes) -> Context:
    host = HostFacts(
        hostname="node1",
        system="Linux 6.1",
        cpu_model="Example CPU",
        cpu_count=4,
        cpu_affinity_count=2,
        memory_bytes=8 << 30,
        gpu_models=(),
        load_average_at_start=0.1,
        slurm=None,
    )
    build = BuildFacts(
        commit="0123456789abcdef0123456789abcdef01234567",
        dirty=False,
        dirty_sha256=None,
        python_version="3.11.7",
        jax_version="0.10.2",
        engine_version="0.1.0",
        native=(EnvironmentVariable(name="profile", value="release"),),
    )
    context = Context(compute_mode="process", host=host, build=build, environment=())
    return context.model_copy(update=changes)


def make_figures(**changes) -> EngineFigures:
    figures = EngineFigures(
        rows=20_000,
        rows_failed=0,
        parts=3,
        result_bytes=1_500_000,
        variants=20_000,
        wall_seconds=5.0,
        scan_seconds=4.0,
        variants_per_second=5_000.0,
        peak_memory_bytes=300 << 20,
        compile_seconds=1.0,
        n_compiled=4,
        n_cache_hits=0,
        stages=(StageSeconds(stage="decode", seconds=1.0), StageSeconds(stage="kernel", seconds=2.5)),
        results_sha256=ROWS_SHA256,
    )
    return figures.model_copy(update=changes)


def make_trial(number: int = 1, *, wall_seconds: float = 6.0, figures: EngineFigures | None = None, **changes) -> Trial:
    trial = Trial(
        number=number,
        status=Status.SUCCESS,
        reason=None,
        return_code=0,
        wall_seconds=wall_seconds,
        cpu_seconds=wall_seconds,
        peak_memory_bytes=320 << 20,
        run_directory=f"results/trial-{number:02d}/binary_cpu.g",
        stdout=f"logs/trial-{number:02d}.stdout.txt",
        stderr=f"logs/trial-{number:02d}.stderr.txt",
        log_tail="",
        figures=figures or make_figures(),
    )
    return trial.model_copy(update=changes)


def make_cell(case_id: str, *, run_id: str = "run-now", trials: tuple[Trial, ...] | None = None, **changes):
    gpu = "gpu" in case_id
    cell = CellManifest(
        campaign="matrix",
        campaign_version=1,
        run_id=run_id,
        dataset="sim_chr22",
        case_id=case_id,
        trait_type="binary" if case_id.startswith("binary") else "quantitative",
        device=Device.GPU if gpu else Device.CPU,
        status=Status.UNSUPPORTED if gpu else Status.SUCCESS,
        reason=NO_GPU if gpu else None,
        started_at=NOON,
        finished_at=NOON + timedelta(seconds=10),
        directory=f"artifacts/matrix/sim_chr22/{run_id}/cells/{case_id}",
        context=make_context(),
        input_files=(),
        trials=(() if gpu else (make_trial(),)) if trials is None else trials,
    )
    return cell.model_copy(update=changes)


def failed_trial() -> Trial:
    return make_trial(
        status=Status.FAILED, reason="exit 1: boom", return_code=1, log_tail="first\nboom\n", wall_seconds=0.5
    ).model_copy(update={"figures": None})


def failed_cell(case_id: str, **changes) -> CellManifest:
    return make_cell(case_id, trials=(failed_trial(),), status=Status.FAILED, reason="trial 1: exit 1: boom", **changes)


def make_plan(**config) -> Plan:
    dataset = load_dataset("sim_chr22")
    profiles = MatrixProfiles(
        dataset=dataset,
        machine=load_machine("local"),
        workload=load_workload(dataset.matrix_workload),
        data_directory=Path("data"),
        dataset_fingerprint=FINGERPRINT,
    )
    return expand(MatrixConfig(**config), profiles)


def make_matrix(*cells: CellManifest, run_id: str = "run-now", **config) -> MatrixManifest:
    """A matrix of six cells; the given ones take the place of the usual ones of their name."""
    plan = make_plan(**config)
    given = {cell.case_id: cell for cell in cells}
    six = [given.get(case.case_id) or make_cell(case.case_id, run_id=run_id) for case in plan.cases]
    return summarise(plan, six, run_id)
