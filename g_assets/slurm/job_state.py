"""What SLURM says of a job now.

Belongs here: one question to squeue and sacct together, and the reading of the answer. Does not belong here: what it
means for a measurement (job_end.py).
"""

from dataclasses import dataclass

from g_assets.slurm.login import Login

LIVE_STATES = frozenset(
    {
        "COMPLETING",
        "CONFIGURING",
        "PENDING",
        "REQUEUED",
        "REQUEUE_FED",
        "REQUEUE_HOLD",
        "RESIZING",
        "RESV_DEL_HOLD",
        "RUNNING",
        "SIGNALING",
        "SPECIAL_EXIT",
        "STAGE_OUT",
        "STOPPED",
        "SUSPENDED",
    }
)
TERMINAL_STATES = frozenset(
    {
        "BOOT_FAIL",
        "CANCELLED",
        "COMPLETED",
        "DEADLINE",
        "FAILED",
        "NODE_FAIL",
        "OUT_OF_MEMORY",
        "PREEMPTED",
        "REVOKED",
        "TIMEOUT",
    }
)
SEPARATOR = "=sacct="
UNKNOWN = {"", "Unknown", "None", "None assigned", "(null)"}
MEBIBYTES = {"K": 1.0 / 1024, "M": 1.0, "G": 1024.0, "T": 1024.0 * 1024.0}


@dataclass(frozen=True, slots=True)
class JobState:
    """A job as SLURM has it. ``state`` is None where neither squeue nor sacct knows it."""

    state: str | None
    live: bool
    """Waiting, running, or being cleaned up."""
    reason: str | None = None
    exit_code: str | None = None
    signal: str | None = None
    node_list: str | None = None
    peak_memory_mebibytes: float | None = None
    requested_memory_mebibytes: float | None = None
    settled: bool = True
    """False for a moment after the end, while the database is behind the controller."""

    @property
    def pending(self) -> bool:
        """In the queue, not started."""
        return self.state in {"PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED"}


def ask_state(login: Login, job_id: str) -> JobState:
    """Look at one job. Raises LoginError where the login node cannot be asked."""
    answer = login.run(
        f"squeue -h -j {job_id} -t all -o '%T|%r|%N' 2>/dev/null; echo {SEPARATOR}; "
        f"sacct -n -P -j {job_id} -o JobID,State,ExitCode,NodeList,ReqMem,NNodes,AllocCPUS,MaxRSS,Reason 2>/dev/null "
        "|| true"
    )
    return read_state(answer)


def read_state(answer: str) -> JobState:
    """The state of a job from the two commands' lines. What squeue says of a live job beats what sacct remembers."""
    queue, _, history = answer.partition(SEPARATOR)
    accounting = read_accounting(history)
    for line in queue.splitlines():
        state, _, rest = line.strip().partition("|")
        reason, _, nodes = rest.partition("|")
        if state in LIVE_STATES:
            return JobState(state=state, live=True, reason=known(reason), node_list=known(nodes))
        if state in TERMINAL_STATES and accounting.state not in TERMINAL_STATES:
            return JobState(state=state, live=False, reason=known(reason), node_list=known(nodes), settled=False)
    return accounting


def read_accounting(text: str) -> JobState:
    """The job's own line of sacct, with the largest memory of its steps."""
    rows = [line.split("|") for line in text.splitlines() if line.count("|") == 8]
    job = next((row for row in rows if "." not in row[0]), None)
    if job is None:
        return JobState(state=None, live=False)
    # "CANCELLED by 1000" names who did it.
    state = job[1].split()[0].rstrip("+") if job[1].split() else ""
    code, _, signal = job[2].partition(":")
    peaks = [mebibytes(row[7]) for row in rows]
    return JobState(
        state=state or None,
        live=state in LIVE_STATES,
        reason=known(job[8]),
        exit_code=f"{code}:{signal}" if signal else known(code),
        signal=next((row[2].partition(":")[2] for row in rows if row[2].partition(":")[2] not in {"", "0"}), None),
        node_list=known(job[3]),
        peak_memory_mebibytes=max((peak for peak in peaks if peak is not None), default=None),
        requested_memory_mebibytes=requested_mebibytes(job[4], job[5], job[6]),
    )


def requested_mebibytes(text: str, nodes: str, cpus: str) -> float | None:
    """Memory of the whole job; older versions say it a node (``n``) or a CPU (``c``)."""
    each = mebibytes(text.rstrip("nc"))
    if each is None:
        return None
    factor = {"n": nodes, "c": cpus}.get(text[-1:], "1")
    return each * int(factor) if factor.isdigit() else each


def mebibytes(text: str) -> float | None:
    """``4000K`` in MiB; None where it says nothing."""
    number, unit = text.rstrip("KMGT"), text[-1:]
    try:
        return float(number) * MEBIBYTES.get(unit, 1.0 / (1024 * 1024))
    except ValueError:
        return None


def known(text: str) -> str | None:
    """The text, or None where SLURM's word for "nothing" stands."""
    return None if text.strip() in UNKNOWN else text.strip()
