"""``dagster asset materialize`` with the real engine, on files under the names that ``1kg_chr22`` looks for."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from g_assets.artifacts.models import Status
from g_assets.artifacts.paths import MATRIX_NAME
from g_assets.artifacts.read import read_record
from g_assets.artifacts.validate import validate
from g_assets.campaigns.matrix_manifest import MatrixManifest
from g_assets.profiles.models import Device
from g_core.simulate.dataset import simulate_dataset
from g_core.simulate.spec import build_spec
from tests.end_to_end.webserver import REPOSITORY

PARTITION = "1kg_chr22"

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@dataclass(frozen=True, slots=True)
class Checkout:
    """Data, artifacts and Dagster home of a checkout, in a folder of their own."""

    folder: Path

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def materialize(self, config: dict[str, object]) -> subprocess.CompletedProcess[str]:
        """The documented command."""
        home = self.folder / "dagster_home"
        home.mkdir(exist_ok=True)
        (home / "dagster.yaml").write_bytes((REPOSITORY / "dagster_home" / "dagster.yaml").read_bytes())
        environment = os.environ | {
            "DAGSTER_HOME": str(home),
            "GWAS_ENGINE_DATA_DIR": str(self.data),
            "GWAS_ENGINE_ARTIFACT_DIR": str(self.folder / "artifacts"),
        }
        command = [str(Path(sys.executable).with_name("dagster")), "asset", "materialize", "-m", "g_assets.definitions"]
        options = ["--select", "group:matrix", "--partition", PARTITION]
        run_config = json.dumps({"ops": {"matrix__plan": {"config": config}}})
        return subprocess.run(
            [*command, *options, "--config-json", run_config],
            cwd=REPOSITORY,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
        )

    def manifests(self) -> list[tuple[Path, MatrixManifest]]:
        """Folder and joined manifest of every run, oldest first."""
        files = sorted(self.folder.glob(f"artifacts/matrix/{PARTITION}/*/matrix/{MATRIX_NAME}"))
        found = [(file.parents[1], read_record(file, MatrixManifest)) for file in files]
        return sorted(found, key=lambda entry: entry[1].finished_at.timestamp())


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """A small simulated dataset under the names of ``1kg_chr22``."""
    spec = build_spec({"n_samples": 300, "n_variants": 400, "seed": 7})
    data = tmp_path / "data"
    dataset = simulate_dataset(spec=spec, folder=data, threads=1)
    dataset.bgen.rename(data / "1kg_chr22_full.bgen")
    dataset.sample.rename(data / "1kg_chr22_full.sample")
    return Checkout(tmp_path)


def test_a_run_leaves_its_report_and_a_failed_cell_fails_the_next_run_but_not_its_report(checkout: Checkout):
    done = checkout.materialize({"variant_limit": 200})
    assert done.returncode == 0, done.stderr[-4000:]
    ((folder, first),) = checkout.manifests()
    assert first.valid
    assert {cell.case_id: cell.status for cell in first.cells if cell.device is Device.CPU} == {
        "binary_cpu": Status.SUCCESS,
        "linear_cpu": Status.SUCCESS,
    }
    assert all(cell.figures[0].variants == 200 for cell in first.cells if cell.device is Device.CPU)
    for name in ("matrix", "comparison", "report", "cells/linear_cpu", "cells/binary_gpu"):
        assert validate(folder / name) == (), name
    assert "No baseline: no earlier run." in (folder / "report" / "summary.md").read_text()

    (checkout.data / "baselines" / "regenie_step1_1.loco").unlink()
    done = checkout.materialize({"variant_limit": 200})
    assert done.returncode != 0
    _, (folder, second) = checkout.manifests()
    assert not second.valid
    assert second.cell("binary_cpu").status is Status.FAILED
    assert "regenie_step1_1.loco" in second.cell("binary_cpu").reason
    assert second.cell("linear_cpu").status is Status.SUCCESS
    report = (folder / "report" / "summary.md").read_text()
    assert f"Compared with run {first.run_id[:8]}" in report
    assert "1 failed" in report
