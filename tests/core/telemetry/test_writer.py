"""Events reach the file in order, a full queue drops ticks alone, and what is lost can be seen."""

import json
import os
import threading
from pathlib import Path

import pytest

from g_core.config.choices import TelemetryMode
from g_core.telemetry.events import ChromosomeStarted, ProgressTick, RunFailed, RunStarted, SessionClosed
from g_core.telemetry.read import read_events
from g_core.telemetry.telemetry import SilentTelemetry, open_telemetry
from g_core.telemetry.writer import EventWriter

TICK = ProgressTick(processed_chunk_count=1, first_variant=0, stop_variant=5, n_variants_done=5)
STARTED = RunStarted(
    plan_fingerprint="0f",
    engine_version="1",
    started_at="2026-11-30T00:00:00.000+00:00",
    host="node",
    process_id=7,
    job_id=None,
    resumed=False,
)


def chromosome(code: int) -> ChromosomeStarted:
    return ChromosomeStarted(chromosome_code=code, n_variants=10)


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    """A file that takes nothing before somebody reads it."""
    path = tmp_path / "events.jsonl"
    os.mkfifo(path)
    return path


def test_what_is_submitted_is_read_back_in_order_with_its_number(tmp_path: Path) -> None:
    writer = EventWriter(tmp_path / "events.jsonl", capacity=4, patience_seconds=10.0)
    told = [STARTED, chromosome(1), TICK, RunFailed(error_code="output", exit_code=1)]
    for event in told:
        writer.submit(event, may_drop=False)
    counts = writer.close()
    log = read_events(tmp_path / "events.jsonl")
    assert [line.event for line in log.events] == [*told, SessionClosed(accepted=4, written=4, dropped=0)]
    assert [line.sequence for line in log.events] == [0, 1, 2, 3, 4]
    seconds = [line.seconds for line in log.events]
    assert seconds == sorted(seconds)
    assert (counts.accepted, counts.written, counts.dropped, counts.lost) == (4, 4, 0, 0)


def test_a_full_queue_drops_ticks_and_no_other_event(pipe: Path) -> None:
    writer = EventWriter(pipe, capacity=2, patience_seconds=30.0)
    writer.submit(chromosome(1), may_drop=False)
    writer.submit(chromosome(2), may_drop=False)
    writer.submit(TICK, may_drop=True)
    written: list[str] = []
    reader = threading.Thread(target=lambda: written.extend(pipe.read_text().splitlines()))
    reader.start()
    writer.submit(chromosome(3), may_drop=False)
    counts = writer.close()
    reader.join()
    lines = [json.loads(line) for line in written]
    assert [line["kind"] for line in lines] == [*["chromosome_started"] * 3, "session_closed"]
    assert [line["sequence"] for line in lines] == [0, 1, 3, 4], "the gap is the tick that was dropped"
    assert lines[-1]["fields"] == {"accepted": 3, "written": 3, "dropped": 1}
    assert counts.lost == 1


def test_a_disk_that_hangs_costs_a_bounded_wait_and_is_told(pipe: Path) -> None:
    writer = EventWriter(pipe, capacity=1, patience_seconds=0.05)
    for code in range(1, 21):
        writer.submit(chromosome(code), may_drop=False)
    assert writer.patience_left_seconds == 0.0, "the wait is bounded for all events together"
    counts = writer.close()
    assert counts.failure == "no answer for 0.05 s"
    assert counts.lost == 20
    pipe.read_text()  # lets the thread end


def test_a_disk_that_fails_is_announced_once_and_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "events.jsonl").symlink_to("/dev/full")
    said: list[str] = []
    telemetry = open_telemetry(TelemetryMode.PROGRESS, tmp_path / "logs", STARTED, said.append)
    telemetry.record(chromosome(1))
    telemetry.close()
    telemetry.close()
    place = tmp_path / "logs" / "events.jsonl"
    assert said == [
        f"warning: {place}: cannot write: No space left on device; the run goes on without events",
        f"warning: {place}: 2 of 2 events are not in it",
    ]


def test_a_folder_that_cannot_be_made_is_announced(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("")
    said: list[str] = []
    telemetry = open_telemetry(TelemetryMode.PROGRESS, tmp_path / "logs" / "deeper", STARTED, said.append)
    assert isinstance(telemetry, SilentTelemetry)
    assert said == [
        f"warning: {tmp_path}/logs/deeper: cannot make the folder: Not a directory; the run goes on without events"
    ]


def test_a_second_session_goes_on_after_half_a_line_of_the_first(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    for _ in range(2):
        writer = EventWriter(path, capacity=4, patience_seconds=10.0)
        writer.submit(STARTED, may_drop=False)
        writer.close()
        path.write_bytes(path.read_bytes()[:-20])
    log = read_events(path)
    assert [line.event for line in log.events] == [STARTED, STARTED]
    assert log.n_cut_lines == 2
