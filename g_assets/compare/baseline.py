"""The choice of a baseline: the newest earlier valid run of equal scope, or the one that was forced.

Belongs here: one pure function over what the event log remembers. Does not belong here: reading the event log (defs/),
or judging the two runs (matrix.py).
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path

SHORT_RUN_ID_LENGTH = 8


class FileState(StrEnum):
    """What has become of a manifest file since the event log recorded it."""

    UNCHANGED = "unchanged"
    MISSING = "missing"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class BaselineCandidate:
    """One earlier materialisation of the summary, as the event log has it. Absent metadata is None."""

    run_id: str
    materialised_at: datetime
    scope_key: str | None
    valid: bool | None
    manifest_path: str | None
    manifest_sha256: str | None


@dataclass(frozen=True, slots=True)
class Skipped:
    """A candidate that was passed over, and why."""

    run_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Baseline:
    """The run to compare with. ``run_id`` and ``same_scope`` are None where a manifest path was forced."""

    manifest_path: str
    run_id: str | None
    forced: bool
    same_scope: bool | None
    skipped: tuple[Skipped, ...]


@dataclass(frozen=True, slots=True)
class NoBaseline:
    """There is none, which is a state of its own and no failure."""

    reason: str
    skipped: tuple[Skipped, ...]


FileStateOf = Callable[[str, str | None], FileState]


def manifest_file_state(manifest_path: str, sha256: str | None) -> FileState:
    """Look at a manifest file: is it there, and does it still have the digest that was recorded (if one was)?"""
    try:
        content = Path(manifest_path).read_bytes()
    except OSError:
        return FileState.MISSING
    if sha256 is not None and hashlib.sha256(content).hexdigest() != sha256:
        return FileState.CHANGED
    return FileState.UNCHANGED


def choose_baseline(
    candidates: Sequence[BaselineCandidate],
    scope_key: str,
    forced: str | None,
    *,
    current_run_id: str,
    file_state: FileStateOf,
) -> Baseline | NoBaseline:
    """Choose what a run is compared with.

    Args:
        candidates: Earlier materialisations of the same summary and partition, in any order.
        scope_key: Scope of the current run.
        forced: Run id (full, or its first 8 or more characters) or manifest path; None: the newest of equal scope.
        current_run_id: Never its own baseline.
        file_state: How to look at a manifest file (``manifest_file_state``).

    Returns:
        The baseline, or the reason why there is none; both with the candidates passed over. A forced baseline may have
        another scope (``same_scope`` says so) but is never an invalid run or a changed file.
    """
    earlier = [candidate for candidate in candidates if candidate.run_id != current_run_id]
    newest_first = sorted(earlier, key=lambda candidate: candidate.materialised_at, reverse=True)
    if forced is not None:
        return forced_baseline(newest_first, scope_key, forced, file_state)
    skipped: list[Skipped] = []
    for candidate in newest_first:
        fault = fault_of(candidate, file_state) if candidate.scope_key == scope_key else "another scope"
        if fault is not None:
            skipped.append(Skipped(candidate.run_id, fault))
        elif candidate.manifest_path is not None:
            return Baseline(candidate.manifest_path, candidate.run_id, False, True, tuple(skipped))
    reason = "no earlier run" if not newest_first else "no earlier valid run of equal scope with its manifest unchanged"
    return NoBaseline(reason, tuple(skipped))


def forced_baseline(
    newest_first: Sequence[BaselineCandidate], scope_key: str, forced: str, file_state: FileStateOf
) -> Baseline | NoBaseline:
    """The baseline that a person asked for by run id or manifest path."""
    matching = [candidate for candidate in newest_first if names_run(forced, candidate.run_id)]
    run_ids = sorted({candidate.run_id for candidate in matching})
    if len(run_ids) > 1:
        return NoBaseline(f"the forced baseline {forced!r} could be any of {', '.join(run_ids)}", ())
    if matching:
        candidate = matching[0]
        fault = fault_of(candidate, file_state)
        if fault is None and candidate.manifest_path is not None:
            same_scope = candidate.scope_key == scope_key
            return Baseline(candidate.manifest_path, candidate.run_id, True, same_scope, ())
        return NoBaseline(f"the forced baseline {candidate.run_id} cannot be used: {fault}", ())
    recorded = next((candidate for candidate in newest_first if candidate.manifest_path == forced), None)
    if recorded is not None:
        return forced_baseline(newest_first, scope_key, recorded.run_id, file_state)
    if file_state(forced, None) is FileState.UNCHANGED:
        return Baseline(forced, None, True, None, ())
    return NoBaseline(f"the forced baseline {forced!r} is neither a run of this asset and partition nor a file", ())


def names_run(text: str, run_id: str) -> bool:
    """Whether ``text`` is this run id, or at least its first 8 characters."""
    return text == run_id or (len(text) >= SHORT_RUN_ID_LENGTH and run_id.startswith(text))


def fault_of(candidate: BaselineCandidate, file_state: FileStateOf) -> str | None:
    """Why a candidate cannot be a baseline, or None."""
    if candidate.valid is not True:
        return "not a valid run" if candidate.valid is False else "does not say whether it is valid"
    if candidate.manifest_path is None:
        return "names no manifest file"
    match file_state(candidate.manifest_path, candidate.manifest_sha256):
        case FileState.MISSING:
            return f"its manifest {candidate.manifest_path} is gone"
        case FileState.CHANGED:
            return f"its manifest {candidate.manifest_path} has changed since it was recorded"
        case FileState.UNCHANGED:
            return None
