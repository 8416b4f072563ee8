"""The parity assets through Dagster: what they leave, what their check says, and what happens without golden data."""

import json
from datetime import UTC, datetime
from pathlib import Path

import dagster as dg
import pytest

from g_assets import definitions
from g_assets.artifacts.read import read_record
from g_assets.artifacts.validate import validate
from g_assets.parity import run_folder
from g_assets.parity.record import CaseRecord, ColumnRecord, FileRecord, ParityRecord
from g_assets.resources.settings import Settings

COLUMN = ColumnRecord(
    column="BETA",
    largest_relative_error=2e-6,
    largest_share_of_tolerance=0.25,
    n_out_of_tolerance=0,
    worst_variant="rs1",
    worst_ours="0.500001",
    worst_theirs="0.5",
)
SUBSET = ("qt_phenoColList", "bt_3chr_score")


def case_record(name, trait_type, *, problems=()):
    file = FileRecord(name="out_Y1.regenie", n_rows=3, n_firth_rows=0, columns=(COLUMN,), problems=())
    return CaseRecord(
        id=name,
        trait_type=trait_type,
        passed=not problems,
        wall_seconds=0.5,
        modes=("regenie", "default"),
        difference=None,
        files=(file,),
        problems=problems,
    )


def materialise(tmp_path, golden_folder, *, name="linear"):
    loaded = definitions.build_definitions(
        settings=Settings(artifact_directory=str(tmp_path / "artifacts"), golden_directory=str(golden_folder))
    )
    with dg.DagsterInstance.ephemeral(str(tmp_path)) as instance:
        return loaded.resolve_job_def("parity_job").execute_in_process(
            instance=instance, asset_selection=[dg.AssetKey(["parity", name])], raise_on_error=False
        )


def facts(result):
    (event,) = result.get_asset_materialization_events()
    return {name: value.value for name, value in event.materialization.metadata.items()}


@pytest.fixture
def made(tmp_path, monkeypatch):
    """A folder of golden data whose cases end as the test says; the names of those that were chosen."""
    folder = tmp_path / "golden"
    folder.mkdir()
    (folder / "cases.json").write_text("{}")
    ended: dict[str, CaseRecord] = {}

    def run(*, golden_folder, choose, **_):
        record = ParityRecord(
            golden_folder=str(golden_folder),
            reference="regenie 4.1.2",
            wall_seconds=1.5,
            cases=choose(tuple(ended.values())),
        )
        return run_folder.ParityRun(results=(), record=record)

    monkeypatch.setattr(run_folder, "run_folder", run)
    return folder, ended


def test_an_asset_runs_the_cases_of_its_trait_type_and_holds_the_largest_errors(tmp_path, made):
    folder, ended = made
    ended |= {"qt_a": case_record("qt_a", "qt"), "bt_b": case_record("bt_b", "bt")}
    result = materialise(tmp_path, folder)

    assert result.success
    shown = facts(result)
    assert shown["largest_relative_error/BETA"] == 2e-6
    assert shown["largest_share_of_tolerance/BETA"] == 0.25
    assert shown["largest_relative_error/INFO"] is None
    assert (shown["cases"], shown["cases_passed"], shown["cases_failed"]) == (1, 1, 0)
    assert "| qt_a | passed |" in shown["report"]
    assert "bt_b" not in shown["report"]
    (check,) = result.get_asset_check_evaluations()
    assert (check.check_name, check.passed, check.description) == ("agrees_with_regenie", True, "1 of 1 cases passed")


def test_the_record_is_kept_as_an_artifact_of_the_run(tmp_path, made):
    folder, ended = made
    ended["qt_a"] = case_record("qt_a", "qt")
    result = materialise(tmp_path, folder)
    path = Path(facts(result)["record_path"])

    assert path.parent == tmp_path / "artifacts/parity/linear" / result.run_id
    assert read_record(path, ParityRecord).cases == (ended["qt_a"],)
    assert validate(path.parent) == ()


def test_a_case_that_fails_fails_the_run_and_is_named(tmp_path, made):
    folder, ended = made
    ended |= {
        "qt_a": case_record("qt_a", "qt"),
        "qt_b": case_record("qt_b", "qt", problems=("BETA is 1; REGENIE has 2",)),
    }
    result = materialise(tmp_path, folder)

    assert not result.success
    (check,) = result.get_asset_check_evaluations()
    assert (check.passed, check.blocking) == (False, True)
    assert check.description == "1 of 2 cases passed; failed: qt_b"
    assert "BETA is 1; REGENIE has 2" in facts(result)["report"]


def test_no_case_is_no_agreement(tmp_path, made):
    folder, ended = made
    ended["bt_b"] = case_record("bt_b", "bt")
    result = materialise(tmp_path, folder)

    assert not result.success
    (check,) = result.get_asset_check_evaluations()
    assert check.description == "no case of this trait type, so nothing was compared"


def test_without_golden_data_the_run_fails_says_where_it_looked_and_no_check_passes(tmp_path):
    result = materialise(tmp_path, tmp_path / "nowhere")

    assert not result.success
    assert result.get_asset_materialization_events() == []
    assert result.get_asset_check_evaluations() == []
    failure = next(event for event in result.all_node_events if event.is_step_failure).step_failure_data
    assert f"{tmp_path / 'nowhere'} holds no cases.json; set G_GOLDEN_DIR" in failure.error_display_string


@pytest.mark.golden
@pytest.mark.parametrize("name", ["linear", "binary"])
def test_the_assets_run_golden_cases_through_the_command(tmp_path, golden, name):
    folder = tmp_path / "golden"
    folder.mkdir()
    for part in ("inputs", "step1", "step2"):
        (folder / part).symlink_to(golden / part)
    cases = json.loads((golden / "cases.json").read_text())
    cases["cases"] = [case for case in cases["cases"] if case["id"] in SUBSET]
    (folder / "cases.json").write_text(json.dumps(cases))
    result = materialise(tmp_path, folder, name=name)

    assert result.success
    assert 0.0 <= facts(result)["largest_relative_error/CHISQ"] < 1e-2
    assert facts(result)["cases"] == 1


@pytest.mark.parametrize("known", [True, False])
def test_the_nightly_run_is_skipped_where_there_is_nothing_to_compare_with(tmp_path, known):
    if known:
        (tmp_path / "cases.json").write_text("{}")
    settings = Settings(golden_directory=str(tmp_path))
    loaded = definitions.build_definitions(settings=settings)
    schedule = loaded.resolve_schedule_def("nightly_parity")
    with dg.DagsterInstance.ephemeral() as instance:
        context = dg.build_schedule_context(
            instance=instance,
            scheduled_execution_time=datetime(2026, 11, 30, 1, 30, tzinfo=UTC),
            repository_def=loaded.get_repository_def(),
            resources={"settings": settings},
        )
        data = schedule.evaluate_tick(context)

    assert schedule.default_status is dg.DefaultScheduleStatus.STOPPED
    assert len(data.run_requests or []) == known
    assert known or "holds no cases.json" in data.skip_message
