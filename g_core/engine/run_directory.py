"""The run directory ``PREFIX.g/``: where each file of a run goes, and the rule that half a file has no final name.

Belongs here: names, creation, atomic writing of small files, and discarding a run that failed. Does not belong here:
what the files say (manifest.py, results/) or Parquet parts, which rust/output commits.
"""

import hashlib
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from g_core.engine.run_lock import OWNER_NAME
from g_core.errors import OutputError

STAGING_FOLDER = ".staging"
SEGMENT_FOLDER = ".text"
LOG_FOLDER = "logs"
FINAL_FOLDER = "final"
TABLE_FILE_NAME = ".table"
"""No trait's file is named like it: their names never begin with a dot."""
TAKEN_NAMES = frozenset(
    {
        "logs",
        "plots",
        "final",
        "run.json",
        "manifest.json",
        "journal.jsonl",
        "join_report.json",
        "effective_config.toml",
    }
)
"""Of the run directory itself; a trait of such a name is encoded."""
LONGEST_FOLDER_NAME = 120
DIGEST_DIGITS = 16


@dataclass(frozen=True, slots=True)
class RunDirectory:
    """One run's folder. ``prefix`` is the --out value; the folder is the prefix with ``.g`` after it."""

    prefix: Path

    @property
    def path(self) -> Path:
        """The folder itself."""
        return self.prefix.with_name(self.prefix.name + ".g")

    @property
    def staging(self) -> Path:
        """Hidden folder of files that are not whole yet; on the same file system, so that a rename is atomic."""
        return self.path / STAGING_FOLDER

    @property
    def segments(self) -> Path:
        """Hidden folder of the parts' shares of a text, which wait for the end."""
        return self.path / SEGMENT_FOLDER

    def trait_folder(self, trait: str) -> Path:
        """Folder of a trait's Parquet parts."""
        return self.path / file_name_of(trait)

    def part_path(self, trait: str, part: int) -> Path:
        """Final name of a part."""
        return self.trait_folder(trait) / f"part-{part:05d}.parquet"

    def staged_part_path(self, trait: str, part: int) -> Path:
        """Name of a part while it is written."""
        return self.staging / f"{file_name_of(trait)}-part-{part:05d}.parquet"

    def finalised_path(self, trait: str) -> Path:
        """The one sorted Parquet file of a trait."""
        return self.path / FINAL_FOLDER / f"{file_name_of(trait)}.parquet"

    def staged_finalised_path(self, trait: str) -> Path:
        """Name of such a file while it is written."""
        return self.staging / f"{file_name_of(trait)}.parquet"

    def text_path(self, trait: str, *, gzip: bool) -> Path:
        """Final name of a trait's REGENIE text, beside the run directory as REGENIE would have it."""
        return self.prefix.with_name(f"{self.prefix.name}_{file_name_of(trait)}.regenie{'.gz' if gzip else ''}")

    def staged_text_path(self, trait: str | None) -> Path:
        """Name of a trait's REGENIE text, or of the table of all traits, while it is put together."""
        return self.staging / f"{segment_name(trait)}.regenie"

    def segment_path(self, trait: str | None, part: int) -> Path:
        """A part's share of the text, which waits in a hidden folder for the others."""
        return self.segments / f"{segment_name(trait)}-{part:05d}"

    def staged_segment_path(self, trait: str | None, part: int) -> Path:
        """Name of such a share while it is written."""
        return self.staging / f"{segment_name(trait)}-text-{part:05d}"

    def table_path(self, *, gzip: bool) -> Path:
        """Final name of the one text of all traits, as REGENIE would have it."""
        return self.beside(f".regenie{'.gz' if gzip else ''}")

    def beside(self, ending: str) -> Path:
        """A file of the run beside the run directory: the prefix and an ending."""
        return self.prefix.with_name(self.prefix.name + ending)

    def sample_list_path(self, trait: str) -> Path:
        """Final name of the list of a trait's samples, beside its REGENIE text."""
        return self.prefix.with_name(f"{self.prefix.name}_{file_name_of(trait)}.regenie.ids")

    def staged_sample_list_path(self, trait: str) -> Path:
        """Name of such a list while it is written."""
        return self.staging / f"{file_name_of(trait)}.regenie.ids"

    @property
    def logs(self) -> Path:
        """Folder of what a run tells about itself while it works."""
        return self.path / LOG_FOLDER

    def is_occupied(self) -> bool:
        """Whether the folder holds anything but the file of an owner."""
        return self.path.is_dir() and any(not entry.name.startswith(OWNER_NAME) for entry in self.path.iterdir())

    def create(self) -> None:
        """Make the folder itself.

        Raises:
            OutputError: It cannot be made.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"{self.path}: cannot make the run directory: {error.strerror}") from None

    def create_rooms(self, traits: tuple[str, ...]) -> None:
        """Make the folders in it, without what an interrupted run left half-written.

        Raises:
            OutputError: They cannot be made.
        """
        try:
            shutil.rmtree(self.staging, ignore_errors=True)
            for folder in (self.staging, self.segments, self.logs, *map(self.trait_folder, traits)):
                folder.mkdir(exist_ok=True)
        except OSError as error:
            raise OutputError(f"{self.path}: cannot make the run directory: {error.strerror}") from None

    def write_text(self, name: str, text: str) -> None:
        """Write a small file of the run directory whole or not at all.

        Raises:
            OutputError: The file system refused.
        """
        self.commit_text(self.path / name, text)

    def write_beside(self, ending: str, text: str) -> str:
        """Write a small file beside the run directory whole or not at all; returns its name.

        Raises:
            OutputError: The file system refused.
        """
        target = self.beside(ending)
        self.commit_text(target, text)
        return target.name

    def commit_text(self, target: Path, text: str) -> None:
        """Temporary name in the staging folder, fsync, rename.

        Raises:
            OutputError: The file system refused.
        """
        temporary = self.staging / target.name
        try:
            with temporary.open("w", encoding="utf-8", newline="") as handle:
                handle.write(text)
                handle.flush()
                os.fsync(handle.fileno())
            temporary.replace(target)
        except OSError as error:
            raise OutputError(f"{target}: cannot write: {error.strerror}") from None

    def close_staging(self) -> None:
        """Remove the hidden folders once everything in them has its final name."""
        shutil.rmtree(self.staging, ignore_errors=True)
        shutil.rmtree(self.segments, ignore_errors=True)

    def discard(self) -> None:
        """Remove what a failed run left, so that nothing half-done looks like a result."""
        shutil.rmtree(self.path, ignore_errors=True)


def segment_name(trait: str | None) -> str:
    """File name of a trait's text while it is in parts; None is the table of all traits."""
    return TABLE_FILE_NAME if trait is None else file_name_of(trait)


def file_name_of(trait: str) -> str:
    """A file name for any trait name: unlike names never meet, and none leaves its folder.

    Letters, digits, ``_.-+ `` and non-ASCII letters stay; everything else is percent-encoded. A leading dot is encoded
    too, and a name too long for a file system is cut and ends in a digest of the whole.
    """
    safe = "".join(
        character if character.isalnum() or character in "_-+." else quote(character, safe="") for character in trait
    )
    if safe.startswith(".") or safe.lower() in TAKEN_NAMES:
        safe = f"%{ord(safe[0]):02X}{safe[1:]}"
    encoded = safe.encode()
    if not safe or len(encoded) > LONGEST_FOLDER_NAME:
        digest = hashlib.sha256(trait.encode()).hexdigest()[:DIGEST_DIGITS]
        kept = encoded[: LONGEST_FOLDER_NAME - DIGEST_DIGITS].decode(errors="ignore")
        return f"{kept}~{digest}"
    return safe
