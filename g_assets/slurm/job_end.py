"""How a job ended, in one word, and what to do about it.

Belongs here: the words, the rules that choose one, the sentences. Does not belong here: asking SLURM (job_state.py).
A job's state alone never makes a success: only a complete manifest does, and the launcher looks for that first.
"""

from enum import StrEnum

from g_assets.slurm.job_state import JobState

KILLED_SIGNAL = "9"
OUT_OF_MEMORY_SIGNAL = "125"
NEAR_LIMIT = 0.95


class JobEnd(StrEnum):
    """The ends a job can have. Each asks for something else of whoever reads it."""

    COMPLETED = "completed"
    FAILED = "failed"
    OUT_OF_MEMORY = "out_of_memory"
    TIMEOUT = "timeout"
    NODE_FAIL = "node_fail"
    PREEMPTED = "preempted"
    CANCELLED = "cancelled"
    REJECTED = "rejected"
    QUEUE_LIMIT = "queue_limit"
    ARTIFACT_ROOT_NOT_SHARED = "artifact_root_not_shared"
    NO_MANIFEST = "no_manifest"
    LOST = "lost"


ENDS = {
    "BOOT_FAIL": JobEnd.NODE_FAIL,
    "CANCELLED": JobEnd.CANCELLED,
    "COMPLETED": JobEnd.COMPLETED,
    "DEADLINE": JobEnd.TIMEOUT,
    "NODE_FAIL": JobEnd.NODE_FAIL,
    "PREEMPTED": JobEnd.PREEMPTED,
    "REVOKED": JobEnd.CANCELLED,
    "TIMEOUT": JobEnd.TIMEOUT,
}
REMEDIES = {
    JobEnd.COMPLETED: "nothing to do",
    JobEnd.FAILED: "read the end of its log",
    JobEnd.OUT_OF_MEMORY: "raise `mem` of the request",
    JobEnd.TIMEOUT: "raise `time_limit` of the request, or measure less",
    JobEnd.NODE_FAIL: "run it again; keep off the node with `extra = ['--exclude=NODE']` if it fails once more",
    JobEnd.PREEMPTED: "ask for a `qos` or `partition` that is not preempted, or raise `requeue_limit`",
    JobEnd.CANCELLED: "somebody cancelled it on the cluster; ask who, or run it again",
    JobEnd.REJECTED: "change the request as sbatch says",
    JobEnd.QUEUE_LIMIT: "ask for less, for another `partition`, or raise `queue_limit_seconds`",
    JobEnd.ARTIFACT_ROOT_NOT_SHARED: "put GWAS_ENGINE_ARTIFACT_DIR on a disk that the nodes have too, and say in "
    "`artifact_root` what they call it",
    JobEnd.NO_MANIFEST: "the job ended well by its state and left no complete manifest: read its log, and see whether "
    "the artifact root is full",
    JobEnd.LOST: "SLURM no longer knows the job and it left nothing; run it again",
}


def end_of_state(state: JobState) -> JobEnd:
    """The end that SLURM's own words mean. Out of memory has two spellings, with cgroups and without.

    Args:
        state: What SLURM says of a job that is over.
    """
    if looks_out_of_memory(state):
        return JobEnd.OUT_OF_MEMORY
    return JobEnd.LOST if state.state is None else ENDS.get(state.state, JobEnd.FAILED)


def looks_out_of_memory(state: JobState) -> bool:
    """Both spellings: the kernel's (OUT_OF_MEMORY, 0:125), and slurmd's sampling (FAILED, killed by 9)."""
    if state.state == "OUT_OF_MEMORY" or state.signal == OUT_OF_MEMORY_SIGNAL:
        return True
    if state.state != "FAILED" or state.signal != KILLED_SIGNAL:
        return False
    used, limit = state.peak_memory_mebibytes, state.requested_memory_mebibytes
    near = used is not None and limit is not None and used >= NEAR_LIMIT * limit
    # slurmd's own kill is a launch failure to slurmctld, whatever the last sample of the memory was.
    return near or state.reason == "JobLaunchFailure"


def sentence(end: JobEnd, state: JobState, label: str, asked_memory_mebibytes: float | None) -> str:
    """What happened and what to do, in one line.

    Args:
        end: How the job ended.
        state: What SLURM says of it.
        label: What the job is called.
        asked_memory_mebibytes: Of the request: sacct has it a moment after the end only.
    """
    limit = state.requested_memory_mebibytes or asked_memory_mebibytes
    if end is JobEnd.OUT_OF_MEMORY and limit is not None:
        used = state.peak_memory_mebibytes
        # The last sample may be from long before the end.
        near = used is not None and used >= NEAR_LIMIT * limit
        words = f"{limit / 1024:.1f} GB"
        what = f"used {used / 1024:.1f} of {words}" if used is not None and near else f"used more than its {words}"
        return f"{end}: {label} {what}; {REMEDIES[end]}"
    seen = [part for part in (state.state, state.exit_code and f"exit {state.exit_code}", state.node_list) if part]
    words = f" ({', '.join(seen)})" if seen else ""
    return f"{end}: {label}{words}; {REMEDIES[end]}"
