"""A measurement as a SLURM job: submitted, or taken up where an earlier process left it.

Belongs here: the order of things, and what a job's end means for the cell. Does not belong here: SLURM itself
(g_assets/slurm/), or the measurement (payloads/), which is the same in every mode.
"""

import shutil
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

import dagster as dg
from dagster._core.pipes.context import PipesSession
from dagster._core.pipes.utils import open_pipes_session

from g_assets.artifacts.cell import CellManifest
from g_assets.artifacts.models import Status
from g_assets.artifacts.read import ArtifactError, read_artifact_manifest, read_cell
from g_assets.artifacts.validate import validate
from g_assets.payloads.engine_version import engine_version
from g_assets.payloads.log_tail import log_tail
from g_assets.payloads.spec import LOG_TAIL_BYTES, MeasurementSpec
from g_assets.profiles.dataset_files import data_directory
from g_assets.profiles.models import Device
from g_assets.profiles.slurm_machine import SlurmMachine
from g_assets.resources.repeated_runs import repeated_runs
from g_assets.resources.run_end import LastSignal, noting_signals, was_terminated
from g_assets.resources.shared_pipes import CONTEXT_NAME, MESSAGES_NAME, SharedFileContext, SharedFileMessages
from g_assets.slurm import job_script, launcher
from g_assets.slurm.job_end import JobEnd, end_of_state, sentence
from g_assets.slurm.job_record import (
    JobRecord,
    LaunchTimes,
    find_record,
    read_job_record,
    spec_sha256,
    write_job_record,
)
from g_assets.slurm.job_state import JobState, ask_state
from g_assets.slurm.launcher import Launch, RefusedError, Waited
from g_assets.slurm.login import Login, LoginError, open_login
from g_assets.slurm.path_map import path_map

WORKER = "g_assets.payloads.worker"
CANCEL_LIMIT_SECONDS = 15.0


class Start(StrEnum):
    """How a step comes to its job."""

    SUBMITTED = "submitted"
    ADOPTED = "adopted"
    TAKEN = "taken"


@dataclass(frozen=True, slots=True)
class Job:
    """A job that this step waits for, and what it is to do; paths of both are this machine's."""

    launch: Launch
    record: JobRecord
    start: Start
    spec: MeasurementSpec


@dataclass(frozen=True, slots=True)
class Machine:
    """A cluster by its profile's name, with this run's own values laid over it."""

    name: str
    slurm: SlurmMachine
    checkout: Path


def measure_in_slurm(context: dg.AssetExecutionContext, spec: MeasurementSpec, machine: Machine) -> CellManifest:
    """Carry out one measurement as a job, and return its cell.

    A job that ended badly is a cell with status ``failed`` or ``timed_out``. Raises dagster.Failure where no job could
    be started, or the login node was out of reach for too long. A run that is terminated cancels its job and raises;
    one whose process is only restarted leaves it running.
    """
    begun = time.monotonic()
    try:
        with open_login(machine.slurm) as login, noting_signals() as seen:
            launch = launch_of(context, spec, machine)
            with cancelled_with_the_run(context, login, launch, seen):
                job = find_job(context, login, launch, spec)
                if job is not None and job.start is Start.TAKEN:
                    context.log.info("%s ended before: its result is taken", job.record.label)
                    return concluded(context, job, finished_state(), begun)
                return waited_for(context, login, launch, job, spec, begun)
    except (RefusedError, LoginError) as error:
        raise dg.Failure(str(error), allow_retries=False) from error


def launch_of(context: dg.AssetExecutionContext, spec: MeasurementSpec, machine: Machine) -> Launch:
    """What a job of this step would be started with."""
    artifact_root = Path(spec.artifact_root or Path(spec.artifact_directory).parent)
    run_id, step_key = context.run.run_id, context.op_execution_context.get_step_execution_context().step.key
    own = read_job_record(artifact_root, run_id, step_key)
    return Launch(
        machine_name=machine.name,
        machine=machine.slurm,
        request=machine.slurm.request_for(gpu=spec.case.device is Device.GPU),
        artifact_root=artifact_root,
        paths=path_map(
            machine.slurm,
            checkout=machine.checkout,
            artifact_root=artifact_root,
            data_directory=data_directory().absolute(),
        ),
        run_id=run_id,
        step_key=step_key,
        attempt=1 if own is None else own.attempt + 1,
        spec_sha256=spec_sha256(spec),
        artifact_directory=spec.artifact_directory,
    )


@contextmanager
def cancelled_with_the_run(
    context: dg.AssetExecutionContext, login: Login, launch: Launch, seen: LastSignal
) -> Generator[None]:
    """Cancel this step's job if the run is terminated while the block is under way; go on with what ended it."""
    try:
        yield
    except BaseException as error:
        if isinstance(error, (RefusedError, LoginError)):
            raise
        record = unfinished_record(context, launch)
        if record is not None and was_terminated(context, seen):
            cancel_job(context, login, launch, record)
        elif record is not None:
            context.log.warning("%s goes on; run this again to take it up", record.label)
        raise


def unfinished_record(context: dg.AssetExecutionContext, launch: Launch) -> JobRecord | None:
    """The job that this step waits for, whichever run started it."""
    record = find_record(launch.artifact_root, repeated_runs(context), launch.step_key, launch.spec_sha256)
    return None if record is None or record.end is not None else record


def cancel_job(context: dg.AssetExecutionContext, login: Login, launch: Launch, record: JobRecord) -> None:
    """Cancel a job of a terminated run, and write down that it was."""
    found = launcher.find_submitted(login, record)
    if found.job_id is None:
        return
    gone = launcher.cancel_and_wait(login, found.job_id, CANCEL_LIMIT_SECONDS)
    context.log.info("%s was cancelled with its run%s", found.label, "" if gone else ", and is still being cleaned up")
    reason = "the run was terminated"
    write_job_record(launch.artifact_root, found.model_copy(update={"end": JobEnd.CANCELLED, "reason": reason}))


def find_job(context: dg.AssetExecutionContext, login: Login, launch: Launch, spec: MeasurementSpec) -> Job | None:
    """A job of this step that an earlier process left: finished with a complete manifest, or alive."""
    record = find_record(launch.artifact_root, repeated_runs(context), launch.step_key, launch.spec_sha256)
    if record is None:
        return None
    its_spec = spec.model_copy(update={"run_id": record.run_id, "artifact_directory": record.artifact_directory})
    cell = complete_cell(its_spec)
    if cell is not None and cell.status is Status.SUCCESS:
        return Job(launch, record, Start.TAKEN, its_spec)
    if record.end is not None:
        return None
    record = launcher.find_submitted(login, record)
    if record.job_id is None or not ask_state(login, record.job_id).live:
        return None
    write_job_record(launch.artifact_root, record)
    context.log.info("%s of run %s is alive: it is waited for", record.label, record.run_id)
    return Job(launch, record, Start.ADOPTED, its_spec)


def waited_for(
    context: dg.AssetExecutionContext,
    login: Login,
    launch: Launch,
    job: Job | None,
    spec: MeasurementSpec,
    begun: float,
) -> CellManifest:
    """Submit a job where there is none yet, and wait for its end."""
    directory = launch.directory if job is None else Path(job.record.directory)
    proof = None
    if job is None:
        proof = launcher.prepare(login, launch, engine_version=engine_version())
    with pipes_in(context, launch, directory, spec) as session:
        if job is None:
            record = launcher.submit(
                login,
                launch,
                proof=str(proof),
                command=(f"{launch.machine.environment}/env/bin/python", "-m", WORKER),
                variables=session.get_bootstrap_env_vars(),
            )
            context.log.info("%s is submitted to %s; its files: %s", record.label, launch.machine_name, directory)
            job = Job(launch, record, Start.SUBMITTED, spec)
        waited = launcher.wait_for_end(login, job.record, launch.machine, report=context.log.info)
    # A session's results must be asked for. They are not needed: the manifest is the truth.
    session.get_results(implicit_materializations=False)
    return concluded(context, job, waited, begun)


@contextmanager
def pipes_in(
    context: dg.AssetExecutionContext, launch: Launch, directory: Path, spec: MeasurementSpec
) -> Generator[PipesSession]:
    """A Pipes session whose files lie in a job's folder."""
    here, there = directory, launch.paths.there(str(directory))
    with open_pipes_session(
        context=context.op_execution_context,
        context_injector=SharedFileContext(here / CONTEXT_NAME, f"{there}/{CONTEXT_NAME}"),
        message_reader=SharedFileMessages(here / MESSAGES_NAME, f"{there}/{MESSAGES_NAME}"),
        extras={"spec": launch.paths.spec_there(spec).model_dump_json()},
    ) as session:
        yield session


def finished_state() -> Waited:
    """Of a job that nobody has to ask about any more."""
    return Waited(JobState(state=None, live=False), 0, False, False)


def complete_cell(spec: MeasurementSpec) -> CellManifest | None:
    """The cell that a job left, if its manifest is complete and every hash is right; None otherwise."""
    directory = Path(spec.working_directory) / spec.artifact_directory
    try:
        cell = read_cell(directory)
        manifest = read_artifact_manifest(directory)
    except ArtifactError:
        return None
    whole = manifest.status is not Status.INTERRUPTED and not validate(directory)
    if not whole or (cell.run_id, cell.case_id) != (spec.run_id, spec.case.case_id):
        return None
    # The job wrote the cluster's name of the folder.
    return cell.model_copy(update={"directory": spec.artifact_directory})


def concluded(context: dg.AssetExecutionContext, job: Job, waited: Waited, begun: float) -> CellManifest:
    """The cell of a job that is over, and the record of how it ended."""
    cell = complete_cell(job.spec)
    end = end_of(cell, waited)
    reason = None
    if cell is None or end is not JobEnd.COMPLETED:
        reason = sentence(end, waited.state, job.record.label, job.launch.request.memory_mebibytes())
        context.log.error("%s\n%s", reason, job_log_tail(job))
        cell = lost_job_cell(job, end, reason, waited.state)
    times = times_of(job, cell, begun)
    record = job.record.model_copy(
        update={"end": end, "reason": reason, "node_list": waited.state.node_list, "times": times}
    )
    write_job_record(job.launch.artifact_root, record)
    context.add_asset_metadata(job_metadata(job, record, waited))
    return cell


def end_of(cell: CellManifest | None, waited: Waited) -> JobEnd:
    """How a job ended. A complete manifest of a success beats every word of SLURM's; a state alone is no success."""
    if cell is not None and cell.status is Status.SUCCESS:
        return JobEnd.COMPLETED
    if waited.queue_limit_reached:
        return JobEnd.QUEUE_LIMIT
    if waited.requeue_limit_reached:
        return JobEnd.PREEMPTED
    if waited.state.exit_code == f"{job_script.NOT_SHARED_EXIT_CODE}:0":
        return JobEnd.ARTIFACT_ROOT_NOT_SHARED
    end = end_of_state(waited.state)
    if cell is not None and end is JobEnd.FAILED:
        # The payload came to its own end, and its cell says more than the state.
        return JobEnd.COMPLETED
    return JobEnd.NO_MANIFEST if end is JobEnd.COMPLETED and cell is None else end


def job_log_tail(job: Job) -> str:
    """The end of what the job said, 4 kB at most; its errors, else its output."""
    directory = Path(job.record.directory)
    return log_tail(directory / job_script.STDERR_NAME, LOG_TAIL_BYTES) or log_tail(
        directory / job_script.STDOUT_NAME, LOG_TAIL_BYTES
    )


def lost_job_cell(job: Job, end: JobEnd, reason: str, state: JobState) -> CellManifest:
    """Write the cell of a job that could not do so itself, with the job's whole logs in it.

    What the job left is kept beside it. The host is what the job said of it before it was lost, or unknown: this
    machine's own facts would be another machine's.
    """
    from g_assets.payloads.measure import close_session, open_session

    directory = Path(job.spec.working_directory) / job.spec.artifact_directory
    try:
        known = read_artifact_manifest(directory).context
    except ArtifactError:
        known = None
    session = open_session(job.spec)
    host = session.context.host.model_copy(
        update={
            "hostname": state.node_list or "unknown",
            "system": "unknown",
            "cpu_model": "unknown",
            "cpu_count": 0,
            "cpu_affinity_count": 0,
            "memory_bytes": None,
            "gpu_models": (),
            "load_average_at_start": None,
            "slurm": None,
        }
    )
    context = known or session.context.model_copy(update={"host": host})
    session = replace(session, context=context, opening=session.opening.model_copy(update={"context": context}))
    for name in (job_script.STDOUT_NAME, job_script.STDERR_NAME):
        log = Path(job.record.directory) / name
        if log.is_file():
            shutil.copyfile(log, session.writer.path(f"logs/job.{name}"))
    status = Status.TIMED_OUT if end is JobEnd.TIMEOUT else Status.FAILED
    return close_session(session, status, reason, ())


def times_of(job: Job, cell: CellManifest, begun: float) -> LaunchTimes:
    """Where the time of a job went. Of a job that an earlier process submitted, the total counts from then."""
    directory = Path(job.record.directory)
    submitted = launcher.clock_of(directory, "submitted")
    first = launcher.clock_of(directory, job_script.STARTS_NAME)
    starts = launcher.start_lines(directory)
    ended = launcher.clock_of(directory, job_script.EXIT_NAME)
    total = time.monotonic() - begun
    if job.start is not Start.SUBMITTED:
        total = (datetime.now(UTC) - job.record.submitted_at).total_seconds()
    queue_wait = None if submitted is None or first is None else max(0.0, first - submitted)
    last = float(starts[-1].split()[0]) if starts else None
    payload = (cell.finished_at - cell.started_at).total_seconds() if ended is not None else None
    return LaunchTimes(
        queue_wait_seconds=queue_wait,
        job_seconds=None if last is None or ended is None else max(0.0, ended - last),
        payload_seconds=payload,
        launch_overhead_seconds=None
        if queue_wait is None or payload is None or job.start is not Start.SUBMITTED
        else max(0.0, total - queue_wait - payload),
        total_seconds=max(0.0, total),
    )


def job_metadata(job: Job, record: JobRecord, waited: Waited) -> dict[str, dg.MetadataValue]:
    """What the page of a cell shows of its job."""
    times = record.times
    numbers = {} if times is None else times.model_dump()
    directory = Path(record.directory)
    values: dict[str, dg.MetadataValue] = {
        "slurm_job_id": dg.MetadataValue.text(record.job_id or "unknown"),
        "slurm_machine": dg.MetadataValue.text(record.machine),
        "slurm_node_list": dg.MetadataValue.text(record.node_list or "unknown"),
        "slurm_starts": dg.MetadataValue.int(waited.starts or launcher.n_starts(directory)),
        "job_start": dg.MetadataValue.text(job.start.value),
        "job_end": dg.MetadataValue.text((record.end or JobEnd.LOST).value),
        "job_stdout": dg.MetadataValue.path(str(directory / job_script.STDOUT_NAME)),
        "job_stderr": dg.MetadataValue.path(str(directory / job_script.STDERR_NAME)),
    }
    values |= {name: dg.MetadataValue.float(value) for name, value in numbers.items() if value is not None}
    if record.reason is not None:
        values["job_log_tail"] = dg.MetadataValue.text(job_log_tail(job) or "the job said nothing")
    return values
