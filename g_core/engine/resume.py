"""Going on with a run that was interrupted, or finding that it is finished.

Belongs here: what an earlier process left, whether it is whole, and where to go on. Does not belong here: whether it is
the same run (identity.py), or the journal's records (journal.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from g_core.config.choices import ResumeMode
from g_core.config.run_plan import OutputPlan
from g_core.engine.journal import (
    JOURNAL_NAME,
    CommittedFile,
    Journal,
    PartLine,
    ResumedLine,
    contiguous_stop,
    read_journal,
)
from g_core.engine.manifest import RunManifest
from g_core.engine.run_directory import RunDirectory
from g_core.engine.trait_sink import file_sha256
from g_core.errors import OutputError


@dataclass(frozen=True, slots=True)
class Resumption:
    """Where a run goes on: after which selected variant, and the parts before it."""

    first_variant: int
    parts: tuple[PartLine, ...]


FROM_THE_START = Resumption(0, ())


def take_up(directory: RunDirectory, plan: OutputPlan, traits: Sequence[str]) -> Resumption:
    """Check what an interrupted run committed, and take back what reaches beyond the point that all traits have.

    Args:
        directory: Of the run; its identity has been compared.
        plan: How results are written.
        traits: All analysed traits; with one table that counts as one more.

    Raises:
        OutputError: A committed file is not there or not what was committed; it is named.
    """
    parts = read_journal(directory.path)
    if not parts:
        # The first part may have its final name and no whole line.
        (directory.path / JOURNAL_NAME).unlink(missing_ok=True)
        remove_uncommitted(directory, (), traits)
        return FROM_THE_START
    keys: list[str | None] = [*traits, *([None] if plan.one_table else [])]
    first_variant = min(contiguous_stop([part for part in parts if part.trait == key]) for key in keys)
    kept = [part for part in parts if part.stop_variant <= first_variant]
    for part in kept:
        for file in (part.parquet, part.text):
            if file is not None:
                check_file(directory.path, file, plan.resume_mode)
    journal = Journal(directory.path)
    journal.end_torn_line()
    journal.append([ResumedLine(kind="resumed", variant=first_variant)])
    for part in parts:
        if part.stop_variant > first_variant:
            for file in (part.parquet, part.text):
                if file is not None:
                    (directory.path / file.path).unlink(missing_ok=True)
    remove_uncommitted(directory, kept, traits)
    return Resumption(first_variant, tuple(kept))


def remove_uncommitted(directory: RunDirectory, kept: Sequence[PartLine], traits: Sequence[str]) -> None:
    """Remove parts that have their final name and no line: the process died between the two."""
    known = {directory.path / part.parquet.path for part in kept if part.parquet is not None}
    for trait in traits:
        for path in directory.trait_folder(trait).glob("part-*.parquet"):
            if path not in known:
                path.unlink()


def check_finished(directory: RunDirectory, manifest: RunManifest, mode: ResumeMode) -> None:
    """Check that a finished run's parts are what was committed.

    Raises:
        OutputError: One is not; it is named.
    """
    for trait in manifest.traits:
        for part in trait.parts:
            file = CommittedFile(path=part.path, bytes=part.bytes, sha256=part.sha256)
            check_file(directory.path, file, mode)


def check_file(run_directory: Path, file: CommittedFile, mode: ResumeMode) -> None:
    """Check a committed file by its size, and with ``strict`` by its content.

    Raises:
        OutputError: It is gone or another one.
    """
    path = run_directory / file.path
    remedy = "remove the run directory and start anew"
    try:
        size = path.stat().st_size
        if size != file.bytes:
            raise OutputError(f"{path}: has {size} bytes and was committed with {file.bytes}; {remedy}")
        if mode is ResumeMode.STRICT and file_sha256(path) != file.sha256:
            raise OutputError(f"{path}: its content is not what was committed; {remedy}")
    except FileNotFoundError:
        raise OutputError(f"{path}: was committed and is gone; {remedy}") from None
    except OSError as error:
        raise OutputError(f"{path}: cannot be read: {error.strerror}") from None


def command_to_go_on(directory: RunDirectory) -> str:
    """The command that resumes a run."""
    return f"g regenie --config {directory.path / 'effective_config.toml'} --resume"
