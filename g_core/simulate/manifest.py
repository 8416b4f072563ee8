"""The manifest of a simulated dataset: what it was made from and what its files are.

Belongs here: the model of dataset.json, its reader and its writer.
"""

import hashlib
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from g_core.errors import InputError
from g_core.simulate.spec import SimulationSpec

MANIFEST_NAME = "dataset.json"
# Raised with every change of the simulator that changes a byte of a dataset of equal specification.
SIMULATOR_VERSION = 1


class DatasetFile(BaseModel):
    """One file of the dataset; the path is relative to the dataset's folder."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: str
    bytes: int
    sha256: str


class DatasetManifest(BaseModel):
    """Contents of dataset.json."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["g simulated dataset"]
    simulator_version: int
    spec: SimulationSpec
    n_cases: int
    files: tuple[DatasetFile, ...]


def describe_file(*, folder: Path, path: Path) -> DatasetFile:
    """Measure one file of the dataset in ``folder``."""
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return DatasetFile(path=path.relative_to(folder).as_posix(), bytes=path.stat().st_size, sha256=digest)


def write_manifest(*, folder: Path, manifest: DatasetManifest) -> None:
    """Write dataset.json."""
    (folder / MANIFEST_NAME).write_text(manifest.model_dump_json(indent=2) + "\n", encoding="utf-8", newline="\n")


def read_manifest(folder: Path) -> DatasetManifest | None:
    """Return the manifest of a folder, or None where it has none.

    Raises:
        InputError: The file is there but is not the manifest of a simulated dataset.
    """
    path = folder / MANIFEST_NAME
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    try:
        return DatasetManifest.model_validate_json(text)
    except ValidationError as error:
        message = (
            f"{path} is not the manifest of a simulated dataset that this version reads: {error.error_count()} problems"
        )
        raise InputError(message) from error


def find_changed_files(*, folder: Path, manifest: DatasetManifest) -> list[str]:
    """Return the files that are absent or of another size than the manifest says.

    Sizes only, so that reuse costs nothing for a large dataset; ``describe_file`` gives the digest for a full check.
    """
    return [
        file.path
        for file in manifest.files
        if not (folder / file.path).is_file() or (folder / file.path).stat().st_size != file.bytes
    ]
