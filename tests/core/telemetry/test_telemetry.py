"""What a scan tells: chromosomes, ticks that leave no variant out, and nothing at all when telemetry is off."""

import threading
from pathlib import Path

import pytest

from g_core.config.choices import TelemetryMode
from g_core.telemetry import telemetry as module
from g_core.telemetry.events import ChromosomeEnded, ChromosomeStarted, ProgressTick
from g_core.telemetry.read import read_events
from g_core.telemetry.telemetry import RecordingTelemetry, open_telemetry
from g_core.telemetry.writer import EventWriter
from tests.core.telemetry.test_writer import STARTED

CHUNKS = [(21, 0, 4), (21, 4, 8), (21, 8, 9), (22, 9, 12), (22, 12, 14)]


def tell_scan(path: Path, *, tick_seconds: float) -> list:
    """Tell the chunks as the scan does: one begins before the one before it ends."""
    writer = EventWriter(path, capacity=64, patience_seconds=10.0)
    telemetry = RecordingTelemetry(writer, announce=pytest.fail, tick_seconds=tick_seconds)
    telemetry.scan_started({21: 9, 22: 5})
    for before, chunk in zip([None, *CHUNKS], [*CHUNKS, None], strict=True):
        if chunk is not None:
            telemetry.chunk_started(chunk[0])
        if before is not None:
            telemetry.chunk_ended(*before)
    telemetry.close()
    return [line.event for line in read_events(path).events][:-1]


def test_chromosomes_and_chunks_are_told_in_order(tmp_path: Path) -> None:
    assert tell_scan(tmp_path / "events.jsonl", tick_seconds=0.0) == [
        ChromosomeStarted(chromosome_code=21, n_variants=9),
        ProgressTick(processed_chunk_count=1, first_variant=0, stop_variant=4, n_variants_done=4),
        ProgressTick(processed_chunk_count=2, first_variant=4, stop_variant=8, n_variants_done=8),
        ChromosomeStarted(chromosome_code=22, n_variants=5),
        ProgressTick(processed_chunk_count=3, first_variant=8, stop_variant=9, n_variants_done=9),
        ChromosomeEnded(chromosome_code=21, n_variants=9),
        ProgressTick(processed_chunk_count=4, first_variant=9, stop_variant=12, n_variants_done=12),
        ProgressTick(processed_chunk_count=5, first_variant=12, stop_variant=14, n_variants_done=14),
        ChromosomeEnded(chromosome_code=22, n_variants=5),
    ]


def test_chunks_that_follow_fast_share_a_tick_and_none_is_left_out(tmp_path: Path) -> None:
    events = tell_scan(tmp_path / "events.jsonl", tick_seconds=1e6)
    ticks = [event for event in events if isinstance(event, ProgressTick)]
    assert [(tick.first_variant, tick.stop_variant, tick.processed_chunk_count) for tick in ticks] == [
        (0, 9, 3),
        (9, 14, 5),
    ]


def test_off_makes_no_file_no_thread_and_never_looks_at_a_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module.time, "perf_counter", lambda: pytest.fail("a clock was read"))
    threads = threading.active_count()
    telemetry = open_telemetry(TelemetryMode.OFF, tmp_path / "logs", STARTED, pytest.fail)
    telemetry.scan_started({21: 9, 22: 5})
    for chunk in CHUNKS:
        telemetry.chunk_started(chunk[0])
        telemetry.chunk_ended(*chunk)
    telemetry.record(STARTED)
    telemetry.close()
    assert threading.active_count() == threads
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("mode", [TelemetryMode.PROGRESS, TelemetryMode.PROFILE])
def test_a_session_begins_with_who_runs_what(tmp_path: Path, mode: TelemetryMode) -> None:
    open_telemetry(mode, tmp_path / "run.g" / "logs", STARTED, pytest.fail).close()
    assert read_events(tmp_path / "run.g" / "logs" / "events.jsonl").events[0].event == STARTED
