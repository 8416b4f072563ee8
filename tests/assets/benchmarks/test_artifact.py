"""The artifact of a run: valid by the format's own check, and complete or not as its rows are."""

from datetime import UTC, datetime

import pytest

from g_assets.artifacts.models import Aggregation, Metric, Status
from g_assets.artifacts.read import read_artifact_manifest, read_report
from g_assets.artifacts.validate import validate
from g_assets.benchmarks.artifact import close_artifact, open_artifact, read_benchmarks
from g_assets.benchmarks.record import Unmeasured
from tests.assets.benchmarks.records import full_record, make_row
from tests.assets.fakes import CONTEXT

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def test_a_run_that_is_not_closed_says_that_it_was_interrupted(tmp_path):
    writer = open_artifact(tmp_path, CONTEXT, NOON)
    assert writer.directory == tmp_path / "benchmarks" / "20261130T120000Z"
    assert read_artifact_manifest(writer.directory).status is Status.INTERRUPTED
    assert validate(writer.directory) == ()


def test_a_closed_run_is_valid_and_reads_back(tmp_path):
    writer, record = open_artifact(tmp_path, CONTEXT, NOON), full_record()
    assert close_artifact(writer, record).status is Status.SUCCESS
    assert validate(writer.directory) == ()
    assert read_benchmarks(writer.directory) == record


def test_a_peer_that_is_absent_is_skipped_and_a_row_that_failed_makes_the_run_partial(tmp_path):
    failed = Unmeasured(row=make_row("qt4.scan"), status=Status.FAILED, reason="exit code 2")
    record = full_record()
    record = record.model_copy(update={"unmeasured": (*record.unmeasured, failed)})
    writer = open_artifact(tmp_path, CONTEXT, NOON)
    assert close_artifact(writer, record).status is Status.PARTIAL
    assert validate(writer.directory) == ()
    report = read_report(writer.directory)
    statuses = {case.case_id: case.status for case in report.cases}
    assert statuses["peer.plink2.qt1"] is Status.SKIPPED
    assert statuses["qt4.scan"] is Status.FAILED
    assert [failure.case_id for failure in report.failures] == ["qt4.scan"]


def test_metrics_tell_the_middle_the_spread_and_the_floors(tmp_path):
    writer = open_artifact(tmp_path, CONTEXT, NOON)
    close_artifact(writer, full_record())
    lines = (writer.directory / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    metrics = [Metric.model_validate_json(line) for line in lines]
    found = {(metric.name, metric.aggregation): metric.value for metric in metrics if metric.case_id == "qt1.scan"}
    assert found == {
        ("seconds", Aggregation.MEDIAN): 0.4,
        ("seconds", Aggregation.MINIMUM): 0.3,
        ("seconds", Aggregation.MAXIMUM): 0.5,
        ("floors", Aggregation.MEDIAN): pytest.approx(2.0),
    }
