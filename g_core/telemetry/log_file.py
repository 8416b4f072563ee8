"""Small JSON files of ``PREFIX.g/logs/``, written whole or not at all, and read with a check.

Belongs here: the writing and reading of one record. Does not belong here: events, which are written line by line.
"""

from pathlib import Path
from typing import TypeVar

import pydantic

from g_core.errors import InputError, OutputError

Record = TypeVar("Record", bound=pydantic.BaseModel)


def write_record(path: Path, record: pydantic.BaseModel) -> None:
    """Write a record under a temporary name and rename it; the folder is made where it is missing.

    Raises:
        OutputError: The file system refused.
    """
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(record.model_dump_json(indent=2) + "\n", encoding="utf-8")
        temporary.replace(path)
    except OSError as error:
        raise OutputError(f"{path}: cannot write: {error.strerror}") from None


def read_record(path: Path, record: type[Record]) -> Record:
    """Read a record.

    Raises:
        InputError: There is no such file, or it holds something else.
    """
    try:
        return record.model_validate_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot read: {error.strerror}") from None
    except (pydantic.ValidationError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not a {record.__name__} of schema version 1: {error}") from None
