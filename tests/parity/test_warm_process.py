"""Warm processes: one process for many runs, a fresh one where it dies, and an end where a run takes too long."""

import pytest

from g_assets.parity.run import TIMED_OUT_EXIT_CODE, RunMode
from g_assets.parity.warm_process import WarmProcess, WorkerEndedError, warm_runner
from g_assets.parity.worker import Request
from tests.parity.cases import golden_case

NO_PREDICTIONS = "--pred is required"


@pytest.fixture
def runner(tmp_path):
    with warm_runner(golden_folder=tmp_path, jobs=1, timeout_seconds=60.0) as runner:
        yield runner


def only_process(runner):
    process = runner.idle.get()
    runner.idle.put(process)
    return process


def test_runs_share_a_process_and_each_has_its_own_exit_code_and_message(tmp_path, runner):
    first = runner.run(case=golden_case(), mode=RunMode.REGENIE, output_folder=tmp_path / "1")
    process_id = only_process(runner).process.pid
    second = runner.run(case=golden_case("--nonsense"), mode=RunMode.REGENIE, output_folder=tmp_path / "2")

    assert only_process(runner).process.pid == process_id
    assert (first.exit_code, second.exit_code) == (2, 2)
    assert NO_PREDICTIONS in first.standard_error
    assert "--nonsense" in second.standard_error
    assert NO_PREDICTIONS not in second.standard_error


def test_a_case_whose_process_dies_is_run_in_a_fresh_one_and_the_next_in_a_new_warm_one(tmp_path, runner):
    runner.run(case=golden_case(), mode=RunMode.REGENIE, output_folder=tmp_path / "1")
    process = only_process(runner).process
    process.kill()
    process.wait()
    run = runner.run(case=golden_case(), mode=RunMode.REGENIE, output_folder=tmp_path / "2")

    assert run.exit_code == 2
    assert NO_PREDICTIONS in run.standard_error
    assert run.prefix.parent.name == "fresh"
    after = runner.run(case=golden_case(), mode=RunMode.REGENIE, output_folder=tmp_path / "3")
    assert after.prefix.parent.name == "3"


def test_a_run_that_takes_too_long_is_ended(tmp_path):
    with warm_runner(golden_folder=tmp_path, jobs=1, timeout_seconds=0.001) as runner:
        run = runner.run(case=golden_case(), mode=RunMode.DEFAULT, output_folder=tmp_path / "1")
        assert only_process(runner).process is None

    assert run.exit_code == TIMED_OUT_EXIT_CODE
    assert run.standard_error.startswith("ended after")


def test_a_process_that_ends_while_it_works_is_told_apart_from_a_refusal(tmp_path):
    process = WarmProcess(tmp_path)
    unwritable = Request(words=("schema",), stdout=tmp_path / "none/out", stderr=tmp_path / "none/err")
    with pytest.raises(WorkerEndedError):
        process.ask(unwritable, timeout_seconds=60.0)

    assert process.process is None
