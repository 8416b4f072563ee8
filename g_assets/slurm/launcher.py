"""One job, from its request to its end.

Belongs here: submitting, finding again, waiting, cancelling. Does not belong here: what the job does, or what its end
means for a measurement (resources/slurm_compute.py). Nothing here knows Dagster; whoever waits decides when to cancel.
"""

import secrets
import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from g_assets.artifacts.write import replace_text
from g_assets.profiles.slurm_machine import SlurmMachine
from g_assets.profiles.slurm_request import SlurmRequest
from g_assets.slurm import job_script
from g_assets.slurm.job_end import REMEDIES, JobEnd
from g_assets.slurm.job_record import JobRecord, attempt_directory, file_name, write_job_record
from g_assets.slurm.job_state import JobState, ask_state
from g_assets.slurm.login import Login, LoginError
from g_assets.slurm.path_map import PathMap
from g_assets.slurm.preflight import Refusal, preflight

# Between a job's end and the moment that sacct knows of it.
SETTLE_LIMIT_SECONDS = 30.0
FILE_LOOK_SECONDS = 0.1
# The job's own last line is seen in the file system before the controller knows of the end.
AFTER_EXIT_SECONDS = 0.2
GENTLE_CANCEL_SECONDS = 6.0


class RefusedError(Exception):
    """A job was not started. The message has every reason with its remedy."""


@dataclass(frozen=True, slots=True)
class Launch:
    """What is needed to start a job, besides the login node. Paths are this machine's."""

    machine_name: str
    machine: SlurmMachine
    request: SlurmRequest
    artifact_root: Path
    paths: PathMap
    run_id: str
    step_key: str
    attempt: int
    spec_sha256: str
    artifact_directory: str

    @property
    def directory(self) -> Path:
        """Folder of this attempt."""
        return attempt_directory(self.artifact_root, self.run_id, self.step_key, self.attempt)


def prepare(login: Login, launch: Launch, *, engine_version: str) -> str:
    """Make the folder of a job and look whether the cluster can take it; returns the proof that lies in it.

    Raises:
        RefusedError: The job must not be sent.
        LoginError: The login node cannot be asked.
    """
    launch.directory.mkdir(parents=True, exist_ok=True)
    proof = secrets.token_hex(16)
    path = launch.directory / job_script.PROOF_NAME
    replace_text(path, proof)
    refusals = preflight(
        login,
        launch.machine,
        launch.request,
        engine_version=engine_version,
        proof_path=launch.paths.there(str(path)),
        proof=proof,
    )
    if refusals:
        raise RefusedError(refusal_text(launch.machine_name, refusals))
    return proof


def refusal_text(machine_name: str, refusals: Sequence[Refusal]) -> str:
    """Every reason, one a line."""
    lines = "\n".join(f"  - {refusal.text()}" for refusal in refusals)
    return f"nothing was sent to {machine_name}:\n{lines}"


def submit(
    login: Login, launch: Launch, *, proof: str, command: Sequence[str] | str, variables: Mapping[str, str]
) -> JobRecord:
    """Send a job to the queue, and leave its record on the way.

    The record is written twice: before sbatch is called, so that a job whose submission was cut off is found by its
    name, and with the job's id before anybody waits for it.

    Raises:
        RefusedError: sbatch does not take it; the message has sbatch's own words.
    """
    name = f"g-{file_name(launch.run_id)[:8]}-{file_name(launch.step_key)}-{launch.attempt}-{proof[:6]}"
    there = launch.paths.there(str(launch.directory))
    options = job_script.options_of_job(
        launch.request.options(),
        job_name=name,
        directory=there,
        comment=f"g:{launch.run_id}:{file_name(launch.step_key)}",
        may_requeue=launch.machine.requeue_limit > 0,
    )
    script = job_script.JobScript(
        options=options,
        directory=there,
        environment=launch.machine.environment,
        working_directory=launch.machine.checkout,
        cache_parents=launch.machine.cache_parents,
        variables=variables,
        command=command,
        proof=proof,
    )
    replace_text(launch.directory / job_script.SCRIPT_NAME, script.text())
    record = JobRecord(
        run_id=launch.run_id,
        step_key=launch.step_key,
        attempt=launch.attempt,
        machine=launch.machine_name,
        job_name=name,
        job_id=None,
        spec_sha256=launch.spec_sha256,
        artifact_directory=launch.artifact_directory,
        directory=str(launch.directory),
        submitted_at=datetime.now(UTC),
    )
    write_job_record(launch.artifact_root, record)
    script_path = shlex.quote(f"{there}/{job_script.SCRIPT_NAME}")
    try:
        answer = login.run(
            f"cd {shlex.quote(launch.machine.checkout)} && date +%s.%N >{shlex.quote(there)}/submitted && "
            f"sbatch --parsable {script_path}"
        )
    except LoginError as error:
        reason = f"{JobEnd.REJECTED}: sbatch of {launch.machine_name}: {error}; {REMEDIES[JobEnd.REJECTED]}"
        write_job_record(launch.artifact_root, record.model_copy(update={"end": JobEnd.REJECTED, "reason": reason}))
        raise RefusedError(reason) from error
    # "123;cluster" where several clusters are served.
    record = record.model_copy(update={"job_id": answer.strip().splitlines()[-1].partition(";")[0]})
    write_job_record(launch.artifact_root, record)
    return record


def find_submitted(login: Login, record: JobRecord) -> JobRecord:
    """The record with its job's id, where the submission was cut off before the id was written down."""
    if record.job_id is not None:
        return record
    name = shlex.quote(record.job_name)
    since = f"{record.submitted_at:%Y-%m-%d}"
    answer = login.run(
        f"squeue -h -t all --name={name} -o %A 2>/dev/null; "
        f"sacct -X -n -P -S {since} --name={name} -o JobID 2>/dev/null || true"
    )
    found = next((line.strip() for line in answer.splitlines() if line.strip().isdigit()), None)
    return record if found is None else record.model_copy(update={"job_id": found})


@dataclass(frozen=True, slots=True)
class Waited:
    """What waiting for a job came to."""

    state: JobState
    starts: int
    queue_limit_reached: bool
    requeue_limit_reached: bool


def wait_for_end(login: Login, record: JobRecord, machine: SlurmMachine, *, report: Callable[[str], None]) -> Waited:
    """Wait until a job is over.

    The job's own last line, in a file on the shared disk, is looked for between two questions to the login node, so
    that the end is seen at once and the login node is left alone.

    Args:
        login: The login node.
        record: The job; its id is known.
        machine: How often to ask, and how long to put up with what.
        report: Told each change of state in a sentence.

    Raises:
        LoginError: The login node was out of reach for longer than the machine profile allows. The job goes on.
    """
    directory = Path(record.directory)
    job_id = str(record.job_id)
    seen: str | None = None
    reached = time.monotonic()
    pending_since: float | None = None
    unsettled_since: float | None = None
    limits = {"queue": False, "requeue": False}
    while True:
        try:
            state = ask_state(login, job_id)
            reached = time.monotonic()
        except LoginError as error:
            if time.monotonic() - reached > machine.outage_limit_seconds:
                raise
            report(f"{record.label}: the login node does not answer, asking again: {error}")
            time.sleep(machine.poll_seconds)
            continue
        if state.state != seen:
            report(f"{record.label} is {state.state} ({state.reason or state.node_list or 'no reason given'})")
            seen = state.state
        now = time.monotonic()
        if not state.live:
            unsettled_since = unsettled_since or now
            if state.settled or now - unsettled_since > SETTLE_LIMIT_SECONDS:
                return Waited(state, n_starts(directory), limits["queue"], limits["requeue"])
        pending_since = (pending_since or now) if state.pending else None
        if pending_since is not None and now - pending_since > machine.queue_limit_seconds and not limits["queue"]:
            limits["queue"] = True
            report(f"{record.label} waited longer than {machine.queue_limit_seconds:.0f} s: cancelled")
            cancel(login, job_id)
        if n_starts(directory) > machine.requeue_limit + 1 and state.live and not limits["requeue"]:
            limits["requeue"] = True
            report(f"{record.label} was started again more than {machine.requeue_limit} times: cancelled")
            cancel(login, job_id)
        look_for_exit(directory, machine.poll_seconds)


def look_for_exit(directory: Path, seconds: float) -> None:
    """Wait for some time, less if the job's last line appears meanwhile."""
    path = directory / job_script.EXIT_NAME
    if path.exists():
        time.sleep(min(seconds, AFTER_EXIT_SECONDS))
        return
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        time.sleep(min(FILE_LOOK_SECONDS, left))
        if path.exists():
            return


def cancel(login: Login, job_id: str) -> None:
    """Ask SLURM to end a job with all of its processes."""
    login.run(f"scancel {job_id} || true")


def cancel_and_wait(login: Login, job_id: str, limit_seconds: float) -> bool:
    """Cancel a job and see it gone; its processes are killed where asking was not enough. False where it is not."""
    cancel(login, job_id)
    begun = time.monotonic()
    killed = False
    while (spent := time.monotonic() - begun) < limit_seconds:
        state = ask_state(login, job_id)
        if not state.live:
            return True
        if spent > GENTLE_CANCEL_SECONDS and not killed:
            killed = True
            login.run(f"scancel --full --signal=KILL {job_id} || true")
        time.sleep(AFTER_EXIT_SECONDS)
    return False


def n_starts(directory: Path) -> int:
    """How often SLURM has started a job's script."""
    return len(start_lines(directory))


def start_lines(directory: Path) -> list[str]:
    """A line for each start: time, number of restarts, host."""
    try:
        return (directory / job_script.STARTS_NAME).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []


def clock_of(directory: Path, name: str) -> float | None:
    """The time that a file of the job begins with, on the cluster's clock."""
    try:
        return float((directory / name).read_text(encoding="utf-8").split()[0])
    except (OSError, ValueError, IndexError):
        return None
