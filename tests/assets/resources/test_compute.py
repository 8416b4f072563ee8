"""One spec, several ways to start it; and what becomes of a payload that is lost."""

import sys
from pathlib import Path

import dagster as dg
import pytest

from g_assets.artifacts.cell import CellManifest
from g_assets.artifacts.models import Status
from g_assets.artifacts.validate import validate
from g_assets.campaigns.model import Case, TraitType
from g_assets.payloads.spec import MeasurementSpec
from g_assets.profiles.load import PROFILE_DIRECTORY_VARIABLE
from g_assets.profiles.models import Device
from g_assets.resources import compute
from g_assets.resources.compute import Compute


def make_spec(folder: Path, mode: str) -> MeasurementSpec:
    """A case whose command says one line and fails."""
    return MeasurementSpec(
        campaign="matrix",
        campaign_version=1,
        dataset="sim_chr22",
        run_id="run-1",
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
        timeout_seconds=60.0,
        plan_only=False,
        compute_mode=mode,
        working_directory=str(folder),
        artifact_directory=str(folder / mode),
        compile_cache=str(folder / "cache"),
        command=(sys.executable, "-c", "import sys; sys.exit('no such variant')"),
    )


@pytest.fixture
def cluster_profile(tmp_path, monkeypatch):
    """Name of a machine profile with a ``[slurm]`` table, in a folder of private profiles."""
    machines = tmp_path / "profiles" / "machines"
    machines.mkdir(parents=True)
    (machines / "moon.toml").write_text(
        'description = "A cluster"\ndevice = "cpu"\ncpus = "auto"\ncpu_chunk_variants = "auto"\n'
        '[slurm]\nenvironment = "/shared/environment"\ncheckout = "/shared/checkout"\ncache_parents = []\n'
        "poll_seconds = 5.0\nqueue_limit_seconds = 60.0\nrequeue_limit = 0\noutage_limit_seconds = 60.0\n"
        '[slurm.request]\npartition = "cpu"\nmem = "4G"\n',
        encoding="utf-8",
    )
    monkeypatch.setenv(PROFILE_DIRECTORY_VARIABLE, str(tmp_path / "profiles"))
    return "moon"


def run(folder: Path, mode: str) -> tuple[dg.ExecuteInProcessResult, list[CellManifest]]:
    """Measure the spec in an asset; returns the run and what ``measure`` returned."""
    cells: list[CellManifest] = []

    @dg.asset
    def cell(context: dg.AssetExecutionContext) -> dg.MaterializeResult:
        cells.append(Compute(mode=mode).measure(context, make_spec(folder, mode)))
        return dg.MaterializeResult()

    with dg.DagsterInstance.ephemeral(str(folder)) as instance:
        return dg.materialize([cell], instance=instance, raise_on_error=False), cells


def error_of(result: dg.ExecuteInProcessResult) -> str:
    """Text of the error of the failed step."""
    failure = next(event for event in result.all_node_events if event.is_step_failure)
    return failure.step_failure_data.error_display_string


@pytest.mark.parametrize("mode", ["process", "embedded"])
def test_a_failed_child_is_a_cell_and_no_error(tmp_path, mode):
    result, (cell,) = run(tmp_path, mode)
    assert result.success
    assert (cell.status, cell.reason) == (Status.FAILED, "trial 1: exit 1: no such variant")
    assert cell.context.compute_mode == mode
    assert validate(Path(cell.directory)) == ()


def test_a_killed_payload_is_a_failed_cell_with_a_valid_directory(tmp_path, monkeypatch):
    monkeypatch.setattr(compute, "WORKER", "tests.assets.resources.dying_worker")
    result, (cell,) = run(tmp_path, "process")
    assert result.success
    assert cell.status is Status.FAILED
    assert "the measuring process was lost" in cell.reason
    assert "-9" in cell.reason
    assert validate(Path(cell.directory)) == ()


def test_a_payload_that_reports_nothing_is_no_success(tmp_path, monkeypatch):
    monkeypatch.setattr(compute, "WORKER", "tests.assets.resources.silent_worker")
    result, cells = run(tmp_path, "process")
    assert not result.success
    assert cells == []
    assert "No materialization results received" in error_of(result)


def test_slurm_needs_a_machine_with_a_cluster(tmp_path):
    result, _ = run(tmp_path, "slurm")
    assert "needs a machine profile with a [slurm] table, and 'local' has none" in error_of(result)


def test_the_machine_profile_chooses_the_mode_where_none_is_given(cluster_profile):
    assert Compute().mode_for("local") == "process"
    assert Compute().mode_for(cluster_profile) == "slurm"
    assert Compute(mode="process").mode_for(cluster_profile) == "process"
    assert Compute(machine=cluster_profile).mode_for("local") == "slurm"


def test_a_run_lays_its_own_values_over_the_table_of_the_profile(cluster_profile):
    table = Compute(slurm={"request": {"mem": "8G"}, "poll_seconds": 1.0}).slurm_table(cluster_profile)
    assert (table.request.mem, table.request.partition, table.poll_seconds) == ("8G", "cpu", 1.0)


def test_an_unknown_value_for_the_table_is_refused_by_name(cluster_profile):
    with pytest.raises(dg.Failure) as refused:
        Compute(slurm={"request": {"memory": "8G"}}).slurm_table(cluster_profile)
    assert "request.memory: Extra inputs are not permitted" in refused.value.description


def test_an_unknown_mode_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="known: process, embedded, slurm"):
        Compute(mode="local")
