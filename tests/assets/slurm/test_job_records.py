"""Which job a step may go on from, and which jobs nobody waits for."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from g_assets.slurm.job_end import JobEnd
from g_assets.slurm.job_record import JobRecord, find_record, record_path, write_job_record
from g_assets.slurm.orphans import orphans_among, unfinished_records

HASH, OTHER_HASH = "a" * 64, "b" * 64


def record(
    run_id: str = "run-1", *, job_id: str | None = "7", end: JobEnd | None = None, spec: str = HASH
) -> JobRecord:
    return JobRecord(
        run_id=run_id,
        step_key="matrix__linear_cpu",
        attempt=1,
        machine="moon",
        job_name=f"g-{run_id}",
        job_id=job_id,
        spec_sha256=spec,
        artifact_directory="/artifacts/cell",
        directory="/artifacts/jobs/x",
        submitted_at=datetime(2026, 11, 30, tzinfo=UTC),
        end=end,
    )


def found(root: Path, *runs: str) -> JobRecord | None:
    return find_record(root, runs, "matrix__linear_cpu", HASH)


def test_a_record_lies_under_its_run_and_step(tmp_path):
    write_job_record(tmp_path, record())
    assert record_path(tmp_path, "run-1", "matrix__linear_cpu") == tmp_path / "jobs/run-1/matrix__linear_cpu.json"
    assert found(tmp_path, "run-1") == record()


def test_a_repeated_run_takes_up_the_job_of_the_first_if_nobody_saw_its_end(tmp_path):
    write_job_record(tmp_path, record("run-1"))
    assert found(tmp_path, "run-2", "run-1") == record("run-1")
    write_job_record(tmp_path, record("run-1", end=JobEnd.COMPLETED))
    assert found(tmp_path, "run-2", "run-1") is None


def test_a_job_that_did_something_else_is_not_taken_up(tmp_path):
    write_job_record(tmp_path, record(spec=OTHER_HASH))
    assert found(tmp_path, "run-1") is None


def test_a_runs_own_record_hides_that_of_the_run_it_repeats(tmp_path):
    write_job_record(tmp_path, record("run-1"))
    write_job_record(tmp_path, record("run-2", end=JobEnd.FAILED))
    assert found(tmp_path, "run-2", "run-1") == record("run-2", end=JobEnd.FAILED)


class Queue:
    """A login node whose queue is known."""

    def __init__(self, *lines):
        self.lines = lines

    def run(self, command):
        return "\n".join(self.lines)


@pytest.mark.parametrize(
    ("left", "run_is_live", "expected"),
    [
        (record(), False, 1),
        (record(), True, 0),
        (record(end=JobEnd.COMPLETED), False, 0),
        (record(job_id=None), False, 0),
    ],
)
def test_an_orphan_is_a_job_without_an_end_whose_run_is_over(tmp_path, left, run_is_live, expected):
    write_job_record(tmp_path, left)
    assert len(unfinished_records(tmp_path, lambda _: run_is_live)) == expected


def test_an_orphan_is_told_with_what_to_do_and_only_while_it_is_alive():
    (orphan,) = orphans_among(Queue("7|RUNNING|g-run-1", "8|RUNNING|other"), [record()])
    assert "SLURM job 7 on moon is RUNNING" in orphan.text()
    assert "re-execute the run to take it up, or `scancel 7`" in orphan.text()
    assert orphans_among(Queue("8|RUNNING|other"), [record()]) == ()


def test_a_job_of_another_name_with_the_same_number_is_no_orphan():
    assert orphans_among(Queue("7|RUNNING|somebody-elses"), [record()]) == ()
