"""Records: they survive JSON whatever they hold, and never hold NaN, unknown fields or unknown words."""

import math
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from g_assets.artifacts.cell import CellManifest, EngineFigures, Trial
from g_assets.artifacts.metadata import MetadataKind, cell_metadata, number_entry
from g_assets.artifacts.models import Aggregation, Dimension, Event, Metric, Source, Status, Unit
from tests.assets.artifacts.records import failed_cell, make_cell, make_figures, make_trial

text = st.text(max_size=20)
number = st.floats(allow_nan=False, allow_infinity=False)
positive = st.floats(0, 1e12, allow_nan=False)
metrics = st.builds(
    Metric,
    run_id=text,
    name=text,
    value=st.none() | number,
    reason=st.none() | text,
    unit=st.sampled_from(Unit),
    aggregation=st.sampled_from(Aggregation),
    higher_is_better=st.none() | st.booleans(),
    case_id=st.none() | text,
    trial=st.none() | st.integers(1, 99),
    dimensions=st.lists(st.builds(Dimension, name=text, value=text), max_size=2).map(tuple),
    source=st.none() | st.builds(Source, path=text, pointer=text),
)
figures = st.builds(make_figures, rows=st.integers(0, 10**9), wall_seconds=positive, variants_per_second=positive)
trials = st.builds(
    make_trial,
    number=st.integers(1, 99),
    wall_seconds=positive,
    figures=figures,
    status=st.sampled_from(Status),
    reason=st.none() | text,
    log_tail=text,
)


@given(metrics)
def test_a_metric_survives_json(metric):
    assert Metric.model_validate_json(metric.model_dump_json()) == metric


@settings(max_examples=40)
@given(st.lists(trials, max_size=4).map(tuple), st.sampled_from(Status), st.none() | text)
def test_a_cell_survives_json(several, status, reason):
    cell = make_cell("binary_cpu", trials=several, status=status, reason=reason)
    assert CellManifest.model_validate_json(cell.model_dump_json()) == cell


@given(text, st.datetimes(timezones=st.just(UTC)))
def test_an_event_is_one_line(message, at):
    event = Event(run_id="run", at=at, name="name", message=message)
    assert "\n" not in event.model_dump_json()
    assert Event.model_validate_json(event.model_dump_json()) == event


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_metric_is_never_nan_or_infinite(value):
    metric = Metric(
        run_id="r", name="n", value=1.0, unit=Unit.SECONDS, aggregation=Aggregation.SINGLE, higher_is_better=None
    )
    with pytest.raises(ValidationError, match="finite"):
        Metric.model_validate(metric.model_dump() | {"value": value})


@pytest.mark.parametrize("change", [{"unit": "parsecs"}, {"colour": "blue"}, {"schema_version": 2}])
def test_unknown_words_fields_and_versions_are_refused(change):
    metric = Metric(
        run_id="r", name="n", value=1.0, unit=Unit.SECONDS, aggregation=Aggregation.SINGLE, higher_is_better=None
    )
    with pytest.raises(ValidationError):
        Metric.model_validate(metric.model_dump() | change)


def test_a_record_cannot_be_changed():
    with pytest.raises(ValidationError):
        make_trial().wall_seconds = 1.0


def test_negative_times_and_counts_are_refused():
    with pytest.raises(ValidationError):
        Trial.model_validate(make_trial().model_dump() | {"wall_seconds": -1.0})
    with pytest.raises(ValidationError):
        EngineFigures.model_validate(make_figures().model_dump() | {"rows": -1})


def test_the_numbers_of_a_cell_are_those_of_its_good_trials():
    bad = make_trial(3, wall_seconds=99.0, status=Status.FAILED, reason="x")
    cell = make_cell("binary_cpu", trials=(make_trial(1, wall_seconds=4.0), make_trial(2, wall_seconds=6.0), bad))
    assert (cell.wall_seconds, len(cell.measured)) == (5.0, 2)


def test_a_cell_without_a_good_trial_has_no_numbers():
    cell = failed_cell("binary_cpu")
    assert [cell.wall_seconds, cell.peak_memory_bytes, cell.variants_per_second, cell.rows, cell.results_sha256] == (
        [None] * 5
    )


@pytest.mark.parametrize("value", [None, math.nan, math.inf])
def test_metadata_has_words_where_there_is_no_number(value):
    assert number_entry("x", value).value == "not measured"
    assert number_entry("x", value).kind is MetadataKind.TEXT


@pytest.mark.parametrize("cell", [make_cell("binary_cpu"), failed_cell("binary_cpu"), make_cell("binary_gpu")])
def test_metadata_of_a_cell_is_plain_and_finite(cell):
    entries = cell_metadata(cell)
    assert len({entry.name for entry in entries}) == len(entries)
    assert entries[0].name == "status"
    floats = [entry.value for entry in entries if entry.kind is MetadataKind.FLOAT]
    assert all(math.isfinite(value) for value in floats)
    assert sum(entry.kind in {MetadataKind.INTEGER, MetadataKind.FLOAT} for entry in entries) <= 20
    assert datetime.now(UTC) > cell.started_at
