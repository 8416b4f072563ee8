"""What squeue and sacct say, read together; and the end that it means."""

import pytest

from g_assets.slurm.job_end import JobEnd, end_of_state, sentence
from g_assets.slurm.job_state import JobState, read_state

ROWS = "7|{state}|{code}|n1|4000M|1|2||{reason}\n7.batch|{state}|{code}|n1||1|2|{peak}|\n"


def answer(queue: str, state: str = "", *, code: str = "0:0", peak: str = "", reason: str = "None") -> str:
    """The two commands' lines as ``ask_state`` gets them; an empty state is a job that sacct does not know."""
    history = ROWS.format(state=state, code=code, peak=peak, reason=reason) if state else ""
    return f"{queue}\n=sacct=\n{history}"


def test_a_job_in_the_queue_is_live_whatever_sacct_remembers_of_it():
    state = read_state(answer("PENDING|BeginTime|", "PREEMPTED"))
    assert (state.state, state.live, state.pending, state.reason) == ("PENDING", True, True, "BeginTime")


def test_a_job_whose_end_the_database_does_not_have_yet_is_not_settled():
    state = read_state(answer("COMPLETED|None|n1", "RUNNING"))
    assert (state.live, state.settled) == (False, False)


def test_a_job_that_nobody_knows_is_lost_and_no_success():
    state = read_state(answer(""))
    assert (state.state, state.live) == (None, False)
    assert end_of_state(state) is JobEnd.LOST


@pytest.mark.parametrize(
    ("state", "code", "peak", "reason", "end"),
    [
        ("COMPLETED", "0:0", "", "None", JobEnd.COMPLETED),
        ("FAILED", "3:0", "", "NonZeroExitCode", JobEnd.FAILED),
        ("OUT_OF_MEMORY", "0:125", "3990M", "OutOfMemory", JobEnd.OUT_OF_MEMORY),
        ("FAILED", "0:9", "100M", "JobLaunchFailure", JobEnd.OUT_OF_MEMORY),
        ("FAILED", "0:9", "3990M", "None", JobEnd.OUT_OF_MEMORY),
        ("FAILED", "0:9", "100M", "None", JobEnd.FAILED),
        ("TIMEOUT", "0:0", "", "None", JobEnd.TIMEOUT),
        ("NODE_FAIL", "1:0", "", "None", JobEnd.NODE_FAIL),
        ("PREEMPTED", "0:15", "", "None", JobEnd.PREEMPTED),
        ("CANCELLED by 1000", "0:15", "", "None", JobEnd.CANCELLED),
        ("SOMETHING_NEW", "1:0", "", "None", JobEnd.FAILED),
    ],
)
def test_each_end_has_a_word_of_its_own(state, code, peak, reason, end):
    seen = read_state(answer("", state, code=code, peak=peak, reason=reason))
    assert not seen.live
    assert end_of_state(seen) is end


def test_out_of_memory_says_how_much_was_used_and_what_to_raise():
    full = JobState("OUT_OF_MEMORY", live=False, peak_memory_mebibytes=3993.6, requested_memory_mebibytes=4096.0)
    text = sentence(JobEnd.OUT_OF_MEMORY, full, "SLURM job 7", None)
    assert text == "out_of_memory: SLURM job 7 used 3.9 of 4.0 GB; raise `mem` of the request"
    sampled_early = JobState("FAILED", live=False, peak_memory_mebibytes=200.0, requested_memory_mebibytes=4096.0)
    assert "used more than its 4.0 GB" in sentence(JobEnd.OUT_OF_MEMORY, sampled_early, "SLURM job 7", None)


def test_the_limit_of_the_request_is_told_while_sacct_has_none() -> None:
    early = JobState(state="OUT_OF_MEMORY", live=False, exit_code="0:125")
    assert "used more than its 0.4 GB" in sentence(JobEnd.OUT_OF_MEMORY, early, "SLURM job 7", 400.0)
