"""The same spec in three modes, and payloads that are quick, loud or long-winded: nothing is lost on the way.

Belongs here: what a measurement brings back. Does not belong here: how it may fail (test_ends.py).
"""

import hashlib
import json
from pathlib import Path

import pytest

from g_assets.artifacts.cell import CellManifest
from g_assets.artifacts.models import Status
from g_assets.artifacts.validate import validate
from tests.slurm.laboratory import Laboratory

pytestmark = pytest.mark.slurm

MODES = ("embedded", "process", "slurm")
LOUD_BYTES = 100_000_000
# Times and places: what may differ from one way of starting to another.
TIMES_AND_PLACES = {
    "run_id",
    "started_at",
    "finished_at",
    "directory",
    "wall_seconds",
    "cpu_seconds",
    "peak_memory_bytes",
    "compute_mode",
    "slurm",
    "cgroup",
    "environment",
    "cpu_affinity_count",
    "load_average_at_start",
}


def without_times_and_places(value: object) -> object:
    """A record as JSON, without the fields that may differ."""
    if isinstance(value, dict):
        return {name: without_times_and_places(v) for name, v in value.items() if name not in TIMES_AND_PLACES}
    if isinstance(value, list):
        return [without_times_and_places(item) for item in value]
    return value


def files(cell: CellManifest) -> dict[str, str | None]:
    """Every file of a cell, and the hash of those that hold results."""
    folder = Path(cell.directory)
    found = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}
    return {
        name: hashlib.sha256(path.read_bytes()).hexdigest() if name.startswith("results/") else None
        for name, path in found.items()
    }


def test_the_same_spec_in_three_modes_gives_the_same_artifacts(laboratory: Laboratory):
    cells = {mode: laboratory.measure(laboratory.success, mode=mode).cell for mode in MODES}
    assert {mode: cell.status for mode, cell in cells.items()} == dict.fromkeys(MODES, Status.SUCCESS)
    assert {mode: cell.context.compute_mode for mode, cell in cells.items()} == {mode: mode for mode in MODES}
    assert all(validate(Path(cell.directory)) == () for cell in cells.values())
    same = [without_times_and_places(json.loads(cell.model_dump_json())) for cell in cells.values()]
    assert same[0] == same[1] == same[2]
    assert files(cells["embedded"]) == files(cells["process"]) == files(cells["slurm"])


def test_facts_of_the_job_are_recorded_apart_from_the_work(laboratory: Laboratory):
    measured = laboratory.measure(laboratory.slow_success(1))
    facts = measured.cell.context.host.slurm
    assert (facts.job_id, facts.partition, facts.node_list) == (
        measured.record["job_id"],
        "cpu",
        laboratory.cluster.node,
    )
    assert measured.cell.context.host.cgroup.memory_bytes == 500 << 20
    times = measured.record["times"]
    assert times["payload_seconds"] >= measured.cell.wall_seconds >= 1.0
    assert times["queue_wait_seconds"] is not None
    assert times["total_seconds"] >= times["payload_seconds"] + times["launch_overhead_seconds"]


def test_quick_payloads_lose_nothing(laboratory: Laboratory):
    for _ in range(3):
        measured = laboratory.measure(laboratory.success)
        assert measured.cell.status is Status.SUCCESS, measured.cell.reason
        assert measured.result.success


def test_a_hundred_megabytes_of_output_are_kept_whole(laboratory: Laboratory):
    line = "x" * 999
    shout = f"import sys\nfor _ in range({LOUD_BYTES // 1000}): sys.stdout.write({line!r} + chr(10))\n"
    measured = laboratory.measure(shout + laboratory.success)
    assert measured.cell.status is Status.SUCCESS, measured.cell.reason
    (trial,) = measured.cell.trials
    assert (Path(measured.cell.directory) / trial.stdout).stat().st_size == LOUD_BYTES
    assert len(trial.log_tail) <= 4096


def test_a_spec_and_a_cell_of_more_than_a_megabyte_arrive(laboratory: Laboratory):
    from g_assets.artifacts.models import EnvironmentVariable

    long = tuple(EnvironmentVariable(name=f"G_LONG_{number}", value="x" * 100_000) for number in range(12))
    measured = laboratory.measure(laboratory.success, environment=long)
    assert measured.cell.status is Status.SUCCESS, measured.cell.reason
