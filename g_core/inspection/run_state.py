"""What a run directory holds now: from its manifest when the run is finished, from its journal before.

Belongs here: one record of both. Does not belong here: the manifest (engine/manifest.py), the journal
(engine/journal.py), or how the record is told (report.py).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import pydantic

from g_core.engine.identity import IDENTITY_NAME, RunIdentity
from g_core.engine.journal import PartLine, read_journal
from g_core.engine.manifest import MANIFEST_NAME, RunManifest, RunStatus, TraitRecord, read_manifest
from g_core.engine.run_lock import OWNER_NAME, Owner
from g_core.errors import InputError, OutputError
from g_core.inputs.join_report import JoinReport

JOIN_REPORT_NAME = "join_report.json"
Record = TypeVar("Record")


@dataclass(frozen=True, slots=True)
class RowCounts:
    """What became of a trait's variants so far."""

    rows: int
    failed: int
    corrected: int
    below_minimum_mac: int
    below_minimum_info: int
    below_minimum_homozygotes: int

    def line(self) -> str:
        """The counts in words; filters that took nothing are not named."""
        filters = (
            (self.below_minimum_mac, "below --minMAC"),
            (self.below_minimum_info, "below --minINFO"),
            (self.below_minimum_homozygotes, "below --minHOMs"),
        )
        left_out = "".join(f"; {count:,} variants {name}" for count, name in filters if count)
        return f"{self.rows:,} rows, {self.failed:,} without a test, {self.corrected:,} corrected{left_out}"


@dataclass(frozen=True, slots=True)
class TraitState:
    """One trait. ``status`` is None while the run is not finished."""

    name: str
    status: RunStatus | None
    reason: str | None
    counts: RowCounts
    parts: tuple[Path, ...]
    other_files: tuple[Path, ...]
    """Its REGENIE text, sorted Parquet file and sample list, where they were asked for."""


@dataclass(frozen=True, slots=True)
class RunState:
    """One run.

    Attributes:
        directory: The run directory.
        manifest: None while the run is not finished.
        identity: What the run is; None where it got no further than its first second.
        join_report: How its inputs were joined; None likewise.
        owner: The process that writes the directory now, as it says itself; None where there is none.
        traits: In the order of the run.
    """

    directory: Path
    manifest: RunManifest | None
    identity: RunIdentity | None
    join_report: JoinReport | None
    owner: Owner | None
    traits: tuple[TraitState, ...]


def read_run_state(directory: Path) -> RunState:
    """Read what a run directory holds.

    Raises:
        InputError: It is no run directory, or one of its records cannot be read.
    """
    finished = (directory / MANIFEST_NAME).exists()
    if not finished and not (directory / IDENTITY_NAME).exists():
        looked_for = f"neither {MANIFEST_NAME} nor {IDENTITY_NAME}"
        raise InputError(f"{directory}: not a run directory: it has {looked_for}; g regenie --out P makes P.g")
    report = read_record(directory / JOIN_REPORT_NAME, pydantic.TypeAdapter(JoinReport))
    manifest = read_manifest(directory) if finished else None
    if manifest is not None:
        traits = tuple(finished_trait(directory, trait) for trait in manifest.traits)
    else:
        traits = unfinished_traits(directory, report)
    return RunState(
        directory=directory,
        manifest=manifest,
        identity=read_record(directory / IDENTITY_NAME, pydantic.TypeAdapter(RunIdentity)),
        join_report=report,
        owner=read_record(directory / OWNER_NAME, pydantic.TypeAdapter(Owner)),
        traits=traits,
    )


def finished_trait(directory: Path, trait: TraitRecord) -> TraitState:
    """A trait as the manifest has it."""
    beside = [directory.parent / name for name in (trait.regenie_text, trait.sample_list) if name is not None]
    inside = [directory / trait.finalised] if trait.finalised is not None else []
    return TraitState(
        name=trait.name,
        status=trait.status,
        reason=trait.reason,
        counts=RowCounts(
            rows=trait.rows,
            failed=trait.rows_failed,
            corrected=trait.rows_corrected,
            below_minimum_mac=trait.rows_below_minimum_mac,
            below_minimum_info=trait.rows_below_minimum_info,
            below_minimum_homozygotes=trait.rows_below_minimum_homozygotes,
        ),
        parts=tuple(directory / part.path for part in trait.parts),
        other_files=(*inside, *beside),
    )


def unfinished_traits(directory: Path, report: JoinReport | None) -> tuple[TraitState, ...]:
    """Traits as the journal has them, and those of the join report without a committed part."""
    try:
        lines = read_journal(directory)
    except OutputError as error:
        raise InputError(str(error)) from None
    by_trait: dict[str, list[PartLine]] = {trait.name: [] for trait in report.traits} if report is not None else {}
    for line in lines:
        if line.trait is not None:
            by_trait.setdefault(line.trait, []).append(line)
    return tuple(
        TraitState(
            name=name,
            status=None,
            reason=None,
            counts=sum_counts(parts),
            parts=tuple(directory / part.parquet.path for part in parts if part.parquet is not None),
            other_files=(),
        )
        for name, parts in by_trait.items()
    )


def sum_counts(parts: Iterable[PartLine]) -> RowCounts:
    """Counts of all parts of a trait."""
    counts = [part.counts for part in parts]
    return RowCounts(
        rows=sum(each.rows for each in counts),
        failed=sum(each.rows_failed for each in counts),
        corrected=sum(each.rows_corrected for each in counts),
        below_minimum_mac=sum(each.below_minimum_mac for each in counts),
        below_minimum_info=sum(each.below_minimum_info for each in counts),
        below_minimum_homozygotes=sum(each.below_minimum_homozygotes for each in counts),
    )


def read_record(path: Path, kind: pydantic.TypeAdapter[Record]) -> Record | None:
    """A small JSON file as its typed record; None where there is none.

    Raises:
        InputError: It is not such a record.
    """
    try:
        return kind.validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except pydantic.ValidationError as error:
        raise InputError(f"{path}: not a record of this version of g: {error.errors()[0]['msg']}") from None
