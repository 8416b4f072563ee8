"""Writing an artifact directory, piece by piece and crash-safe.

Belongs here: the manifest's life (first ``interrupted``, last as what the run became), files with their hashes, JSON
lines. Whatever kills the writer, the directory still says of itself that it was interrupted. Does not belong here: the
records.
"""

import hashlib
import mimetypes
import os
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from pydantic import BaseModel

from g_assets.artifacts import paths
from g_assets.artifacts.models import ArtifactFile, ArtifactKind, ArtifactManifest, Event, Status

MEDIA_TYPES = {
    ".jsonl": "application/jsonl",
    ".md": "text/markdown",
    ".toml": "application/toml",
    ".parquet": "application/vnd.apache.parquet",
}


class ArtifactWriter:
    """Writes one artifact directory. A file replaces its predecessor in one rename; the manifest is written last."""

    def __init__(self, directory: Path, opening: ArtifactManifest) -> None:
        """Make the directory and say in it that a run has begun.

        Args:
            directory: Where to write. One that is there already is moved aside, never mixed with.
            opening: The manifest without its end: status, finish and files are filled in here.
        """
        self.directory = directory
        self.opening = opening
        self.kinds: dict[str, ArtifactKind] = {}
        move_aside(directory)
        directory.mkdir(parents=True)
        self.write_manifest(opening.model_copy(update={"status": Status.INTERRUPTED, "finished_at": None}))

    def path(self, name: str) -> Path:
        """A file of the directory, its folder made."""
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def add_text(self, name: str, text: str, kind: ArtifactKind) -> None:
        """Write a whole text file."""
        replace_text(self.path(name), text)
        self.kinds[name] = kind

    def add_model(self, name: str, model: BaseModel, kind: ArtifactKind) -> None:
        """Write a record as JSON."""
        self.add_text(name, json_text(model), kind)

    def add_existing(self, name: str, kind: ArtifactKind) -> None:
        """List a file, or every file below a folder, that something else wrote into the directory."""
        path = self.directory / name
        files = sorted(entry for entry in path.rglob("*") if entry.is_file()) if path.is_dir() else [path]
        self.kinds.update({file.relative_to(self.directory).as_posix(): kind for file in files if file.is_file()})

    def append(self, name: str, record: BaseModel, kind: ArtifactKind) -> None:
        """Add one line to a JSON lines file; a line that is there is whole."""
        with self.path(name).open("a", encoding="utf-8") as stream:
            stream.write(record.model_dump_json() + "\n")
        self.kinds[name] = kind

    def event(self, name: str, message: str) -> None:
        """Add a line to ``events.jsonl``."""
        event = Event(run_id=self.opening.run_id, at=datetime.now(UTC), name=name, message=message)
        self.append(paths.EVENTS_NAME, event, ArtifactKind.EVENTS)

    def finish(self, manifest: ArtifactManifest) -> ArtifactManifest:
        """Write the last manifest, with size and hash of every file; returns it as written."""
        files = tuple(describe(self.directory, name, kind) for name, kind in sorted(self.kinds.items()))
        finished = manifest.model_copy(update={"artifacts": files})
        self.write_manifest(finished)
        return finished

    def write_manifest(self, manifest: ArtifactManifest) -> None:
        """Replace ``artifact_manifest.json``."""
        replace_text(self.directory / paths.MANIFEST_NAME, json_text(manifest))


def describe(directory: Path, name: str, kind: ArtifactKind) -> ArtifactFile:
    """Size, hash and media type of one file of the directory."""
    path = directory / name
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    media_type = MEDIA_TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return ArtifactFile(path=name, kind=kind, media_type=media_type, size_bytes=path.stat().st_size, sha256=digest)


def move_aside(directory: Path) -> None:
    """Rename an existing directory to the first free ``NAME.attempt-N`` beside it."""
    if not directory.exists():
        return
    numbers = (number for number in range(1, 10_000) if not attempt_directory(directory, number).exists())
    directory.rename(attempt_directory(directory, next(numbers)))


def attempt_directory(directory: Path, number: int) -> Path:
    """Where an earlier attempt of the same run and case is kept."""
    return directory.with_name(f"{directory.name}.attempt-{number}")


def replace_text(path: Path, text: str) -> None:
    """Write a file under a hidden name, force it to disk, and rename it into place."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def json_text(model: BaseModel) -> str:
    """A record as JSON text for people to read too."""
    return model.model_dump_json(indent=2) + "\n"


def sha256_of_lines(lines: Iterable[str]) -> str:
    """Sha256 over lines of text, each with its newline."""
    digest = hashlib.sha256()
    for line in lines:
        digest.update(f"{line}\n".encode())
    return digest.hexdigest()
