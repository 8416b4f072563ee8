"""Reading what an artifact directory holds, and refusing what this version does not know.

Belongs here: files to models, with errors that name the file. Does not belong here: checking hashes (validate.py).
"""

import json
from pathlib import Path
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ValidationError

from g_assets.artifacts import paths
from g_assets.artifacts.cell import CellManifest
from g_assets.artifacts.models import SCHEMA_VERSION, ArtifactManifest, Report

Model = TypeVar("Model", bound=BaseModel)


class ArtifactError(Exception):
    """An artifact is missing, damaged, or written by a newer version. The message names the file and the place."""


def read_artifact_manifest(directory: Path) -> ArtifactManifest:
    """``artifact_manifest.json`` of a directory. Raises ArtifactError."""
    return read_record(directory / paths.MANIFEST_NAME, ArtifactManifest)


def read_report(directory: Path) -> Report:
    """``report.json`` of a directory. Raises ArtifactError."""
    return read_record(directory / paths.REPORT_NAME, Report)


def read_cell(directory: Path) -> CellManifest:
    """``cell.json`` of a cell's directory. Raises ArtifactError, also where the cell was interrupted and left none."""
    return read_record(directory / paths.CELL_NAME, CellManifest)


def read_record(path: Path, model: type[Model]) -> Model:
    """Read one JSON file as a record. Raises ArtifactError naming the file and every field that is wrong."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ArtifactError(f"{path}: cannot be read: {error}") from error
    return parse_record(text, model, str(path))


def parse_record(text: str, model: type[Model], place: str) -> Model:
    """Type one JSON text. Raises ArtifactError naming ``place`` and every field that is wrong."""
    refuse_newer_version(text, place)
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
        raise ArtifactError(f"{place}: not a {model.__name__}: {faults}") from error


def refuse_newer_version(text: str, place: str) -> None:
    """Raise ArtifactError where the text says that it has a newer schema version than this program knows."""
    try:
        fields: Any = json.loads(text)
    except json.JSONDecodeError as error:
        raise ArtifactError(f"{place}: not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise ArtifactError(f"{place}: not a JSON object")
    record = cast("dict[str, object]", fields)
    version = record.get("schema_version")
    if isinstance(version, int) and version > SCHEMA_VERSION:
        name = record.get("schema_name")
        raise ArtifactError(f"{place}: {name} version {version} is newer than {SCHEMA_VERSION}; use a newer checkout")
