"""Stages: off reads no clock, aggregate sums, exact keeps every interval; a stage within another interrupts it."""

import itertools
from pathlib import Path

import pytest

from g_core.config.choices import StageTiming, TelemetryMode
from g_core.config.run_plan import DiagnosticsPlan
from g_core.engine import stages
from g_core.engine.process_age import process_age_seconds
from g_core.engine.stages import RunningClock, Stage, StageClock, make_stage_clock
from g_core.telemetry.log_file import write_record
from g_core.telemetry.stage_timings import read_stage_timings


def diagnostics(timing: StageTiming, telemetry: TelemetryMode = TelemetryMode.PROGRESS) -> DiagnosticsPlan:
    return DiagnosticsPlan(
        dry_run=False, telemetry=telemetry, stage_timing=timing, jax_trace_dir=None, jax_memory_profile=None
    )


def ticking_clock(mode: StageTiming, *, startup_seconds: float = 0.0) -> RunningClock:
    """A clock for which every look takes one second."""
    seconds = itertools.count()
    return RunningClock(
        mode, startup_seconds=startup_seconds, waits_for_copies=False, read_seconds=lambda: float(next(seconds))
    )


def run_stages(clock: StageClock) -> None:
    """One second of compute, one of a copy within it, one of compute again; then one of output."""
    with clock.stage(Stage.COMPUTE), clock.stage(Stage.HOST_TO_DEVICE):
        pass
    with clock.stage(Stage.OUTPUT):
        pass


def test_off_never_looks_at_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = make_stage_clock(diagnostics(StageTiming.OFF), startup_seconds=3.0)
    monkeypatch.setattr(stages.time, "perf_counter", lambda: pytest.fail("a clock was read"))
    run_stages(clock)
    assert clock.summary() == {}
    assert clock.timings() is None
    assert not clock.waits_for_results
    assert not clock.waits_for_copies


def test_a_stage_within_another_interrupts_it() -> None:
    clock = ticking_clock(StageTiming.AGGREGATE)
    run_stages(clock)
    timed = {stage: seconds for stage, seconds in clock.summary().items() if seconds}
    assert timed == {"compute": 2.0, "host_to_device": 1.0, "output": 1.0}
    timings = clock.timings()
    assert timings is not None
    assert timings.intervals is None
    assert {total.stage: total.count for total in timings.stages if total.count} == {
        "compute": 1,
        "host_to_device": 1,
        "output": 1,
    }


def test_exact_keeps_intervals_that_do_not_overlap_and_sum_to_the_totals() -> None:
    clock = ticking_clock(StageTiming.EXACT)
    run_stages(clock)
    timings = clock.timings()
    assert timings is not None
    assert timings.intervals is not None
    assert [(each.stage, each.start_seconds, each.stop_seconds) for each in timings.intervals] == [
        ("compute", 1.0, 2.0),
        ("host_to_device", 2.0, 3.0),
        ("compute", 3.0, 4.0),
        ("output", 5.0, 6.0),
    ]


def test_a_stage_that_fails_is_timed_and_ended() -> None:
    clock = ticking_clock(StageTiming.AGGREGATE)
    with pytest.raises(ValueError, match="stop"), clock.stage(Stage.COMPUTE):
        raise ValueError("stop")
    assert clock.open_stages == []
    assert clock.summary()["compute"] == 1.0


def test_startup_is_what_the_process_spent_before() -> None:
    clock = ticking_clock(StageTiming.EXACT, startup_seconds=0.75)
    assert clock.summary()["startup"] == 0.75
    assert process_age_seconds() > 0.0


@pytest.mark.parametrize("timing", StageTiming)
def test_a_profile_times_its_stages_whatever_was_asked_for(timing: StageTiming) -> None:
    clock = make_stage_clock(diagnostics(timing, TelemetryMode.PROFILE), startup_seconds=0.0)
    timings = clock.timings()
    assert timings is not None
    assert timings.mode == ("exact" if timing is StageTiming.EXACT else "aggregate")
    assert clock.waits_for_copies


def test_timing_alone_waits_for_nothing_that_the_scan_would_not_wait_for() -> None:
    clock = make_stage_clock(diagnostics(StageTiming.EXACT), startup_seconds=0.0)
    assert not clock.waits_for_copies


def test_the_file_comes_back(tmp_path: Path) -> None:
    clock = ticking_clock(StageTiming.EXACT)
    run_stages(clock)
    timings = clock.timings()
    assert timings is not None
    write_record(tmp_path / "logs" / "stage_timings.json", timings)
    assert read_stage_timings(tmp_path / "logs") == timings
    assert [path.name for path in (tmp_path / "logs").iterdir()] == ["stage_timings.json"]
