"""What a ``g regenie`` run left behind, and whether that is a success.

Belongs here: the judgement. A run is judged by its manifest and its rows, never by its exit code alone: a child that
says 0 and left no rows has failed. Does not belong here: starting the child (child.py).
"""

from dataclasses import dataclass
from pathlib import Path

from g_assets.artifacts.cell import EngineFigures, StageSeconds
from g_assets.artifacts.models import Status
from g_assets.payloads.child import ChildOutcome, signal_name
from g_assets.payloads.result_checksum import ResultError, rows_sha256
from g_core.engine.manifest import RunManifest, RunStatus, read_manifest
from g_core.errors import InputError

PARTIAL_EXIT_CODE = 3
"""What ``g regenie`` returns when some traits failed; its manifest says which."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a trial ended, why when it did not end well, and the engine's figures when it left any."""

    status: Status
    reason: str | None
    figures: EngineFigures | None


def judge(outcome: ChildOutcome, run_directory: Path, timeout_seconds: float, log_tail: str) -> Verdict:
    """Judge one child by how it ended and by what it left in its run directory. Never raises for a bad run."""
    fault = fault_of_process(outcome, timeout_seconds, log_tail)
    if fault is not None:
        return fault
    try:
        manifest = read_manifest(run_directory)
    except InputError as error:
        return Verdict(Status.FAILED, f"exit {outcome.return_code} without a usable manifest: {error}", None)
    fault_text = fault_of_rows(run_directory, manifest)
    if fault_text is not None:
        return Verdict(Status.FAILED, fault_text, None)
    try:
        figures = figures_of(run_directory, manifest)
    except ResultError as error:
        return Verdict(Status.FAILED, f"its results cannot be read: {error}", None)
    if manifest.status is RunStatus.PARTIAL:
        unfinished = [
            f"{trait.name} ({trait.reason})" for trait in manifest.traits if trait.status is not RunStatus.COMPLETE
        ]
        return Verdict(Status.PARTIAL, f"traits not complete: {', '.join(unfinished) or 'unnamed'}", figures)
    return Verdict(Status.SUCCESS, None, figures)


def fault_of_process(outcome: ChildOutcome, timeout_seconds: float, log_tail: str) -> Verdict | None:
    """What the end of the process alone says against a run; None where it ended with 0."""
    if outcome.start_error is not None:
        return Verdict(Status.FAILED, f"cannot be started: {outcome.start_error}", None)
    if outcome.timed_out:
        reason = f"took longer than {timeout_seconds:g} s; its process tree was ended"
        return Verdict(Status.TIMED_OUT, reason, None)
    if outcome.signal is not None:
        hint = " (the kernel does this when memory runs out)" if signal_name(outcome.signal) == "SIGKILL" else ""
        return Verdict(Status.FAILED, f"ended by {signal_name(outcome.signal)}{hint}", None)
    if outcome.return_code not in {0, PARTIAL_EXIT_CODE}:
        last = next((line.strip() for line in reversed(log_tail.splitlines()) if line.strip()), "no output")
        return Verdict(Status.FAILED, f"exit {outcome.return_code}: {last[:300]}", None)
    return None


def fault_of_rows(run_directory: Path, manifest: RunManifest) -> str | None:
    """What the manifest's counts and the files on disk say against a run, or None."""
    if manifest.rows == 0:
        return "exit 0, but the result has no rows"
    for trait in manifest.traits:
        rows_in_parts = sum(part.rows for part in trait.parts)
        if trait.parts and rows_in_parts != trait.rows:
            return f"trait {trait.name}: its parts hold {rows_in_parts} rows, the manifest says {trait.rows}"
        for part in trait.parts:
            path = run_directory / part.path
            size = path.stat().st_size if path.is_file() else None
            if size != part.bytes:
                return f"part {part.path}: {'missing' if size is None else f'{size} bytes'}, listed with {part.bytes}"
    return None


def figures_of(run_directory: Path, manifest: RunManifest) -> EngineFigures:
    """The numbers of a finished run, and the checksum of its rows. Raises as ``rows_sha256`` does."""
    parts = [part for trait in manifest.traits for part in trait.parts]
    traits = [(trait.name, [part.path for part in trait.parts]) for trait in manifest.traits]
    stages = sorted(manifest.stage_seconds.items())
    return EngineFigures(
        rows=manifest.rows,
        rows_failed=sum(trait.rows_failed for trait in manifest.traits),
        parts=len(parts),
        result_bytes=sum(part.bytes for part in parts),
        variants=manifest.n_variants_selected,
        wall_seconds=manifest.wall_seconds,
        scan_seconds=manifest.scan_seconds,
        variants_per_second=manifest.variants_per_second,
        peak_memory_bytes=manifest.peak_memory_bytes,
        compile_seconds=manifest.compile.compile_seconds,
        n_compiled=manifest.compile.n_compiled,
        n_cache_hits=manifest.compile.n_cache_hits,
        stages=tuple(StageSeconds(stage=stage, seconds=seconds) for stage, seconds in stages),
        results_sha256=rows_sha256(run_directory, traits),
    )
