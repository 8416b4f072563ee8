"""``measure(spec)``: run one case in fresh processes and write down what happened.

Belongs here: the order of things. Times are taken here, inside the job, so that queue and launcher are never in them. A
failed child never raises; it is a status. Does not belong here: how each thing is done (the modules beside this one).
"""

import os
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from g_assets.artifacts import paths
from g_assets.artifacts.cell import CellManifest, Trial
from g_assets.artifacts.cell_report import cell_metrics, cell_report, cell_summary
from g_assets.artifacts.models import (
    ArtifactKind,
    ArtifactManifest,
    CommandRecord,
    Context,
    InputFile,
    Producer,
    Status,
)
from g_assets.artifacts.write import ArtifactWriter
from g_assets.campaigns.command import engine_run_directory, output_arguments
from g_assets.payloads.child import ChildOutcome, run_child
from g_assets.payloads.device_probe import unsupported_reason
from g_assets.payloads.engine_result import judge
from g_assets.payloads.environment import capture_context
from g_assets.payloads.log_tail import log_tail
from g_assets.payloads.redact import redacted_arguments, redacted_environment
from g_assets.payloads.spec import LOG_TAIL_BYTES, MeasurementSpec
from g_assets.profiles.dataset_files import fingerprint_file

WORST_FIRST = (Status.TIMED_OUT, Status.FAILED, Status.PARTIAL)


@dataclass(frozen=True, slots=True)
class Session:
    """One measurement under way: its spec, its directory, and where and when it runs."""

    spec: MeasurementSpec
    directory: Path
    working_directory: Path
    writer: ArtifactWriter
    opening: ArtifactManifest
    context: Context


def measure(spec: MeasurementSpec) -> CellManifest:
    """Run one case and write its artifact directory.

    Args:
        spec: What to run, how often, and where its artifacts go.

    Returns:
        The cell, as ``cell.json`` of the artifact directory has it. A child that crashed, hung, or left nothing is
        status ``failed`` or ``timed_out`` with the reason; a device that is not here is ``unsupported``.

    Raises:
        OSError: The artifact directory itself cannot be written.
    """
    session = open_session(spec)
    session.writer.event("started", f"case {spec.case.case_id} of run {spec.run_id}")
    status, reason = reason_not_to_run(session)
    trials: list[Trial] = []
    if status is None:
        for number in range(1, spec.trials + 1):
            trial = run_trial(session, number)
            trials.append(trial)
            session.writer.event("trial_ended", f"trial {number}: {trial.status.value}: {trial.reason or 'complete'}")
            if trial.status is not Status.SUCCESS:
                break
        status, reason = status_of_trials(trials)
    return close_session(session, status, reason, tuple(trials))


def open_session(spec: MeasurementSpec) -> Session:
    """Look at the machine and begin the artifact directory; from here on a killed measurement is ``interrupted``."""
    working_directory = Path(spec.working_directory).resolve()
    directory = working_directory / spec.artifact_directory
    context = capture_context(spec.compute_mode, working_directory)
    opening = ArtifactManifest(
        producer=Producer(
            tool=spec.campaign,
            tool_version=spec.campaign_version,
            commit=context.build.commit,
            dirty=context.build.dirty,
        ),
        run_id=spec.run_id,
        case_id=spec.case.case_id,
        status=Status.INTERRUPTED,
        reason=None,
        started_at=datetime.now(UTC),
        finished_at=None,
        context=context,
        artifacts=(),
        input_files=(),
    )
    writer = ArtifactWriter(directory, opening)
    writer.add_model(paths.SPEC_NAME, redacted_spec(spec), ArtifactKind.CONFIG)
    return Session(spec, directory, working_directory, writer, opening, context)


def redacted_spec(spec: MeasurementSpec) -> MeasurementSpec:
    """The spec as it may be kept: without the secrets that its environment and its arguments may hold."""
    variables = redacted_environment({variable.name: variable.value for variable in spec.environment})
    case = spec.case.model_copy(update={"arguments": redacted_arguments(spec.case.arguments)})
    command = None if spec.command is None else redacted_arguments(spec.command)
    return spec.model_copy(update={"environment": variables, "case": case, "command": command})


def reason_not_to_run(session: Session) -> tuple[Status | None, str | None]:
    """Status and reason of a case that is not started at all; (None, None) for one that is."""
    spec = session.spec
    if spec.plan_only:
        return Status.DRY_RUN, "a plan only was asked for"
    unsupported = unsupported_reason(spec.case.device, session.context)
    if unsupported is not None:
        return Status.UNSUPPORTED, unsupported
    missing = [name for name in spec.case.input_files if not (session.working_directory / name).is_file()]
    if missing:
        return Status.FAILED, f"input files are missing: {', '.join(missing)}"
    cache = session.working_directory / spec.compile_cache
    if spec.case.uses_compile_cache_of is not None and not (cache.is_dir() and any(cache.iterdir())):
        return Status.FAILED, f"{spec.case.uses_compile_cache_of} left no compile cache at {spec.compile_cache}"
    return None, None


def run_trial(session: Session, number: int) -> Trial:
    """Run the case once in a fresh process, and judge it."""
    spec = session.spec
    name = f"trial-{number:02d}"
    prefix = session.writer.path(f"results/{name}/{spec.case.output_name}")
    stdout, stderr = session.writer.path(f"logs/{name}.stdout.txt"), session.writer.path(f"logs/{name}.stderr.txt")
    command = spec.command or (sys.executable, "-m", "g_core", "regenie")
    arguments = (*command, *spec.case.arguments, *output_arguments(prefix, compile_cache(session, number)))
    outcome = run_child(
        arguments,
        working_directory=session.working_directory,
        environment=os.environ | {variable.name: variable.value for variable in spec.environment},
        stdout=stdout,
        stderr=stderr,
        timeout_seconds=spec.timeout_seconds,
        terminate_grace_seconds=spec.terminate_grace_seconds,
    )
    session.writer.append(
        paths.COMMANDS_NAME, command_record(session, number, arguments, outcome), ArtifactKind.COMMANDS
    )
    run_directory = engine_run_directory(prefix)
    tail = log_tail(stderr, LOG_TAIL_BYTES) or log_tail(stdout, LOG_TAIL_BYTES)
    verdict = judge(outcome, run_directory, spec.timeout_seconds, tail)
    effective_config = run_directory / "effective_config.toml"
    if effective_config.is_file():
        text = effective_config.read_text(encoding="utf-8")
        session.writer.add_text(paths.CONFIG_NAME, text, ArtifactKind.CONFIG)
    return Trial(
        number=number,
        status=verdict.status,
        reason=verdict.reason,
        return_code=outcome.return_code,
        wall_seconds=outcome.wall_seconds,
        cpu_seconds=outcome.user_seconds + outcome.system_seconds,
        peak_memory_bytes=outcome.peak_memory_bytes,
        run_directory=run_directory.relative_to(session.directory).as_posix(),
        stdout=stdout.relative_to(session.directory).as_posix(),
        stderr=stderr.relative_to(session.directory).as_posix(),
        log_tail=tail,
        figures=verdict.figures,
    )


def compile_cache(session: Session, number: int) -> Path:
    """Compile cache of one trial: the shared one for the case's first trial and for a ``cached`` case, else a new one.

    So every trial of an uncached case starts with an empty cache, and a ``cached`` one with what the first trial left.
    """
    shared = session.working_directory / session.spec.compile_cache
    if number == 1 or session.spec.case.uses_compile_cache_of is not None:
        return shared
    return shared.with_name(f"{shared.name}.trial-{number:02d}")


def command_record(session: Session, number: int, arguments: tuple[str, ...], outcome: ChildOutcome) -> CommandRecord:
    """One line of the command list; nothing secret in it."""
    return CommandRecord(
        run_id=session.spec.run_id,
        case_id=session.spec.case.case_id,
        trial=number,
        arguments=redacted_arguments(arguments),
        working_directory=session.spec.working_directory,
        environment_overrides=redacted_spec(session.spec).environment,
        stdout=f"logs/trial-{number:02d}.stdout.txt",
        stderr=f"logs/trial-{number:02d}.stderr.txt",
        return_code=outcome.return_code,
        signal=outcome.signal,
        timed_out=outcome.timed_out,
        wall_seconds=outcome.wall_seconds,
        user_seconds=outcome.user_seconds,
        system_seconds=outcome.system_seconds,
        peak_memory_bytes=outcome.peak_memory_bytes,
    )


def status_of_trials(trials: list[Trial]) -> tuple[Status, str | None]:
    """The worst of the trials, with its reason."""
    for status in WORST_FIRST:
        for trial in trials:
            if trial.status is status:
                return status, f"trial {trial.number}: {trial.reason}"
    return Status.SUCCESS, None


def close_session(session: Session, status: Status, reason: str | None, trials: tuple[Trial, ...]) -> CellManifest:
    """Write cell, report, summary and, last, the manifest."""
    spec, writer = session.spec, session.writer
    input_files = () if not trials else fingerprints(session)
    cell = CellManifest(
        campaign=spec.campaign,
        campaign_version=spec.campaign_version,
        run_id=spec.run_id,
        dataset=spec.dataset,
        case_id=spec.case.case_id,
        trait_type=spec.case.trait_type.value,
        device=spec.case.device,
        status=status,
        reason=reason,
        started_at=session.opening.started_at,
        finished_at=datetime.now(UTC),
        directory=spec.artifact_directory,
        context=session.context,
        input_files=input_files,
        trials=trials,
    )
    for metric in cell_metrics(cell):
        writer.append(paths.METRICS_NAME, metric, ArtifactKind.METRICS)
    writer.add_model(paths.CELL_NAME, cell, ArtifactKind.CELL)
    writer.add_model(paths.REPORT_NAME, cell_report(cell), ArtifactKind.REPORT)
    writer.add_text(paths.SUMMARY_NAME, cell_summary(cell), ArtifactKind.SUMMARY)
    writer.event("finished", f"{status.value}: {reason or 'complete'}")
    writer.add_existing("logs", ArtifactKind.LOG)
    writer.add_existing("results", ArtifactKind.RESULT)
    writer.finish(
        session.opening.model_copy(
            update={
                "status": status,
                "reason": reason,
                "finished_at": cell.finished_at,
                "input_files": input_files,
            }
        )
    )
    return cell


def fingerprints(session: Session) -> tuple[InputFile, ...]:
    """The case's input files, by the names the spec has for them."""
    found = [(name, session.working_directory / name) for name in session.spec.case.input_files]
    return tuple(fingerprint_file(path).model_copy(update={"path": name}) for name, path in found if path.is_file())
