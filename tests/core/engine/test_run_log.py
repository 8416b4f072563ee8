"""What a run tells of itself in logs/: events, stage timings, a profile; none of it changes a byte of the results."""

from pathlib import Path

import pytest

from g_core.engine.run import RunResult
from g_core.errors import GError
from g_core.simulate.dataset import SimulatedDataset
from g_core.telemetry.events import (
    BinaryCorrectionSummary,
    ChromosomeEnded,
    EventKind,
    PlanMade,
    Preflight,
    ProgressTick,
    RunCompleted,
    RunFailed,
    RunStarted,
    SessionClosed,
    TraitSummary,
)
from g_core.telemetry.profile_summary import read_profile_summary
from g_core.telemetry.read import read_events
from g_core.telemetry.stage_timings import read_stage_timings
from tests.core.engine.conftest import RunEngine, binary_arguments, quantitative_arguments

BINARY = "phenotype_binary"


def events(result: RunResult) -> list:
    return [line.event for line in read_events(result.run_directory / "logs" / "events.jsonl").events]


def one(told: list, kind: type) -> object:
    (event,) = [event for event in told if isinstance(event, kind)]
    return event


def log_names(result: RunResult) -> set[str]:
    return {path.name for path in (result.run_directory / "logs").iterdir()}


def test_a_run_tells_its_events_in_order(dataset: SimulatedDataset, run_engine: RunEngine) -> None:
    result = run_engine([*binary_arguments(dataset), "--chunk-variants", "60"])
    told = events(result)
    assert [event.kind for event in told if not isinstance(event, ProgressTick)] == [
        EventKind.RUN_STARTED,
        EventKind.PLAN,
        EventKind.PREFLIGHT,
        EventKind.CHROMOSOME_STARTED,
        EventKind.CHROMOSOME_ENDED,
        EventKind.BINARY_CORRECTION_SUMMARY,
        EventKind.TRAIT_SUMMARY,
        EventKind.RUN_COMPLETED,
        EventKind.SESSION_CLOSED,
    ]
    assert one(told, RunStarted).plan_fingerprint == result.manifest.plan_fingerprint
    assert one(told, PlanMade).correction == "firth_approximate"
    preflight = one(told, Preflight)
    assert (preflight.n_samples_kept, preflight.n_variants_selected, preflight.n_chunks) == (300, 400, 7)
    assert one(told, ChromosomeEnded).n_variants == 400
    last_tick = [event for event in told if isinstance(event, ProgressTick)][-1]
    assert (last_tick.processed_chunk_count, last_tick.stop_variant, last_tick.n_variants_done) == (7, 400, 400)
    (trait,) = result.manifest.traits
    assert one(told, BinaryCorrectionSummary).rows_corrected == trait.rows_corrected > 0
    assert one(told, TraitSummary).rows == trait.rows
    assert one(told, RunCompleted).artifact_paths == (str(result.run_directory / BINARY),)
    closed = one(told, SessionClosed)
    assert (closed.accepted, closed.written, closed.dropped) == (len(told) - 1, len(told) - 1, 0)


def test_ticks_leave_no_variant_out(dataset: SimulatedDataset, run_engine: RunEngine) -> None:
    told = events(run_engine([*quantitative_arguments(dataset), "--chunk-variants", "25"]))
    ticks = [event for event in told if isinstance(event, ProgressTick)]
    assert [tick.first_variant for tick in ticks] == [0, *(tick.stop_variant for tick in ticks[:-1])]
    assert ticks[-1].stop_variant == 400


def test_off_leaves_no_log_and_times_no_stage(dataset: SimulatedDataset, run_engine: RunEngine) -> None:
    result = run_engine([*quantitative_arguments(dataset), "--telemetry", "off"])
    assert log_names(result) == set()
    assert result.manifest.stage_seconds == {}
    assert result.manifest.scan_seconds > 0.0


@pytest.mark.parametrize("mode", ["aggregate", "exact"])
def test_stages_are_timed_where_that_is_asked_for(dataset: SimulatedDataset, run_engine: RunEngine, mode: str) -> None:
    result = run_engine([*binary_arguments(dataset), "--stage-timing", mode, "--telemetry", "off"])
    assert log_names(result) == {"stage_timings.json"}
    timings = read_stage_timings(result.run_directory / "logs")
    assert timings.mode == mode
    seconds = {stage.stage: stage.seconds for stage in timings.stages}
    busy = {"open_and_index", "preflight", "null_models", "compute", "correction", "device_to_host", "output"}
    assert busy <= {stage for stage, spent in seconds.items() if spent > 0.0}
    assert sum(seconds.values()) <= timings.wall_seconds
    assert set(result.manifest.stage_seconds) == set(seconds)
    if mode == "exact":
        by_stage = dict.fromkeys(seconds, 0.0)
        for interval in timings.intervals:
            by_stage[interval.stage] += interval.stop_seconds - interval.start_seconds
        assert by_stage == pytest.approx(seconds, abs=1e-5)


def test_a_profile_is_one_page(dataset: SimulatedDataset, run_engine: RunEngine, tmp_path: Path) -> None:
    result = run_engine(
        [
            *quantitative_arguments(dataset),
            *("--telemetry", "profile", "--chunk-variants", "100"),
            *("--jax-trace-dir", str(tmp_path / "trace"), "--jax-memory-profile", str(tmp_path / "memory.pprof")),
        ]
    )
    assert log_names(result) == {"events.jsonl", "profile_summary.json"}
    profile = read_profile_summary(result.run_directory / "logs")
    assert (profile.n_variants, profile.n_chunks) == (400, 4)
    assert profile.decode_thread_seconds > 0.0
    assert profile.peak_memory_bytes == result.manifest.peak_memory_bytes
    assert 0.0 < sum(stage.share for stage in profile.stages) <= 1.0
    assert list((tmp_path / "trace").rglob("*.xplane.pb"))
    assert (tmp_path / "memory.pprof").stat().st_size > 0


def test_nothing_that_is_told_changes_a_byte(dataset: SimulatedDataset, run_engine: RunEngine) -> None:
    kinds = [["--telemetry", "off"], ["--telemetry", "profile", "--stage-timing", "exact"]]
    silent, telling = (run_engine([*binary_arguments(dataset), *kind]) for kind in kinds)
    sums = [[part.sha256 for part in run.manifest.traits[0].parts] for run in (silent, telling)]
    assert sums[0] == sums[1]


def test_a_run_that_fails_tells_its_kind_and_no_message(
    dataset: SimulatedDataset, run_engine: RunEngine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(*_arguments: object, **_keywords: object) -> None:
        raise GError("sample S0001 is at fault")

    monkeypatch.setattr("g_core.engine.run.write_sample_lists", fail)
    with pytest.raises(GError, match="at fault"):
        run_engine(quantitative_arguments(dataset))
    path = tmp_path / "run1.g" / "logs" / "events.jsonl"
    told = [line.event for line in read_events(path).events]
    assert told[-2] == RunFailed(error_code="error", exit_code=1)
    assert "S0001" not in path.read_text()


def test_a_disk_that_takes_no_events_stops_no_scan(
    dataset: SimulatedDataset, run_engine: RunEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("g_core.telemetry.telemetry.EVENTS_NAME", "../../../../../../../../../dev/full")
    assert run_engine(quantitative_arguments(dataset)).exit_code == 0
