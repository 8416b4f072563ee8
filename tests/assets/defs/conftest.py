"""A laboratory in a temporary folder: an instance with an event log of its own, fake measurements, one call a run."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import dagster as dg
import pytest
from dagster import ExecuteInProcessResult

from g_assets import definitions
from g_assets.artifacts.read import read_record
from g_assets.campaigns.matrix_manifest import MatrixManifest
from g_assets.defs import datasets
from g_assets.resources.settings import Settings
from tests.assets import fakes

PARTITION = "sim_chr22"


@dataclass(frozen=True, slots=True)
class Laboratory:
    """An instance and a folder for artifacts."""

    instance: dg.DagsterInstance
    folder: Path

    def run(
        self, config: dict[str, object] | None = None, selection: list[str] | None = None, **compute: object
    ) -> ExecuteInProcessResult:
        """Materialise the matrix (or the named assets of it) and return what happened; a failed run does not raise."""
        loaded = definitions.build_definitions(
            compute=fakes.FakeCompute(**compute),
            settings=Settings(
                data_directory=str(self.folder / "data"), artifact_directory=str(self.folder / "artifacts")
            ),
        )
        run_config = {} if config is None else {"ops": {"matrix__plan": {"config": config}}}
        return loaded.resolve_job_def("matrix_job").execute_in_process(
            instance=self.instance,
            partition_key=PARTITION,
            run_config=run_config,
            asset_selection=None if selection is None else [dg.AssetKey(["matrix", name]) for name in selection],
            raise_on_error=False,
        )


@contextmanager
def laboratory_in(folder: Path) -> Iterator[Laboratory]:
    """A laboratory whose dataset is said to be there."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(datasets, "ensure_dataset", fakes.fake_ensure_dataset)
        with dg.DagsterInstance.ephemeral(str(folder)) as instance:
            yield Laboratory(instance, folder)


@pytest.fixture
def laboratory(tmp_path: Path) -> Iterator[Laboratory]:
    with laboratory_in(tmp_path) as made:
        yield made


def facts(result: ExecuteInProcessResult, asset: str) -> dict[str, object]:
    """Metadata that a run recorded for one asset of the matrix."""
    key = dg.AssetKey(["matrix", asset])
    events = [event for event in result.get_asset_materialization_events() if event.asset_key == key]
    assert len(events) == 1, f"{asset} was materialised {len(events)} times"
    return {name: value.value for name, value in events[0].materialization.metadata.items()}


def materialised(result: ExecuteInProcessResult) -> set[str]:
    """Names of the matrix's assets that a run materialised."""
    keys = [event.asset_key for event in result.get_asset_materialization_events() if event.asset_key is not None]
    return {key.path[-1] for key in keys if key.path[0] == "matrix"}


def manifest_of(result: ExecuteInProcessResult) -> MatrixManifest:
    """The joined manifest that a run wrote."""
    return read_record(Path(str(facts(result, "manifest")["manifest_path"])), MatrixManifest)
