from datetime import UTC, datetime

import dagster as dg
import pytest

from g_assets import definitions
from g_assets.resources.settings import NIGHTLY_DATASET_VARIABLE, Settings

NIGHT = datetime(2026, 3, 29, 2, 30, tzinfo=UTC)  # the night in which Europe skips the hour from two to three


@pytest.fixture
def schedule() -> dg.ScheduleDefinition:
    return definitions.build_definitions().resolve_schedule_def("nightly_matrix")


def tick(schedule: dg.ScheduleDefinition, settings: Settings) -> dg.RunRequest | str:
    loaded = definitions.build_definitions(settings=settings)
    with dg.DagsterInstance.ephemeral() as instance:
        context = dg.build_schedule_context(
            instance=instance,
            scheduled_execution_time=NIGHT,
            repository_def=loaded.get_repository_def(),
            resources={"settings": settings},
        )
        data = schedule.evaluate_tick(context)
    return data.skip_message or data.run_requests[0]


def test_it_is_stopped_until_somebody_starts_it_and_runs_in_utc(schedule):
    assert schedule.default_status is dg.DefaultScheduleStatus.STOPPED
    assert (schedule.cron_schedule, schedule.execution_timezone) == ("30 2 * * *", "UTC")
    assert schedule.job_name == "matrix_job"


def test_one_run_a_date_over_the_default_dataset(schedule, monkeypatch):
    monkeypatch.delenv(NIGHTLY_DATASET_VARIABLE, raising=False)
    request = tick(schedule, Settings())
    assert (request.run_key, request.partition_key) == ("2026-03-29:sim_chr22", "sim_chr22")


def test_a_setting_chooses_the_dataset(schedule, monkeypatch):
    monkeypatch.setenv(NIGHTLY_DATASET_VARIABLE, "1kg_chr22")
    assert tick(schedule, Settings()).partition_key == "1kg_chr22"
    assert tick(schedule, Settings(nightly_dataset="1kg_chr10")).partition_key == "1kg_chr10"


def test_an_unknown_dataset_skips_the_tick_with_the_known_ones(schedule):
    assert "sim_chr22" in tick(schedule, Settings(nightly_dataset="chr23"))
