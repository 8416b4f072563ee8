"""Rounds: every task once, in turn; the first round warms; a failure costs its own rows alone."""

from g_assets.artifacts.models import Status
from g_assets.benchmarks.rounds import run_rounds
from g_assets.benchmarks.tasks import Task
from g_assets.benchmarks.warm_process import BenchmarkError
from tests.assets.benchmarks.records import make_row


def make_task(row_id, calls, *, fails_at=None):
    def observe(_bench):
        calls.append(row_id)
        if calls.count(row_id) == fails_at:
            raise BenchmarkError("out of paper")
        return {row_id: float(len(calls))}

    return Task(f"task {row_id}", (make_row(row_id),), observe)


def observe(*tasks, rounds):
    told = []
    return run_rounds(tasks, None, rounds=rounds, tell=told.append), told


def test_tasks_take_turns_and_the_first_round_does_not_count():
    calls = []
    observed, told = observe(make_task("a", calls), make_task("b", calls), rounds=2)
    assert calls == ["a", "b"] * 3
    assert [(row.row.row_id, row.values) for row in observed.measured] == [("a", (3.0, 5.0)), ("b", (4.0, 6.0))]
    assert told[0] == "warming: task a"
    assert told[-1] == "round 2 of 2: task b"


def test_a_task_that_fails_gives_no_row_and_is_not_tried_again():
    calls = []
    observed, _ = observe(make_task("a", calls, fails_at=2), make_task("b", calls), rounds=3)
    assert calls.count("a") == 2
    assert [row.row.row_id for row in observed.measured] == ["b"]
    assert [(row.row.row_id, row.status, row.reason) for row in observed.unmeasured] == [
        ("a", Status.FAILED, "out of paper")
    ]


def test_tasks_of_one_name_fail_apart():
    calls = []
    broken, sound = make_task("a", calls, fails_at=1), make_task("b", calls)
    observed, _ = observe(broken, Task(broken.name, sound.rows, sound.observe), rounds=1)
    assert [row.row.row_id for row in observed.measured] == ["b"]
