"""What cases.json says: the runs of REGENIE whose results are the reference.

Belongs here: the models of that file and choosing cases by id. The file is data from outside, so fields that nothing
here uses are ignored on purpose (``extra="ignore"``) and each field that is used is checked.
"""

import difflib
import itertools
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path, PurePosixPath

from pydantic import BaseModel, ConfigDict, ValidationError

CASES_NAME = "cases.json"


class ParityUsageError(Exception):
    """The folder or an id given on the command line cannot be used. The message says what to do."""


class Expectation(StrEnum):
    """How REGENIE's run ended."""

    OK = "ok"
    ERROR = "error"


class GoldenCase(BaseModel):
    """One run of REGENIE; paths are relative to the folder of cases.json."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str
    trait_type: str
    expect: Expectation
    genotype_format: str
    argv: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    error: str | None = None
    """REGENIE's words where it refused; in parentheses where it ended without any."""

    @property
    def output_prefix(self) -> PurePosixPath:
        """The value of ``--out``."""
        return PurePosixPath(self.argv[self.argv.index("--out") + 1])

    def has(self, option: str) -> bool:
        """Whether an option is among the arguments."""
        return option in self.argv

    def values(self, *options: str) -> tuple[str, ...]:
        """The words after each of some options, in the order of the arguments."""
        return tuple(
            value for option, value in itertools.pairwise(self.argv) if option in options and not value.startswith("--")
        )


class GoldenCases(BaseModel):
    """Contents of cases.json."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    program: str
    version: str
    cases: tuple[GoldenCase, ...]


def read_cases(folder: Path) -> GoldenCases:
    """Read cases.json of a folder of golden data.

    Raises:
        ParityUsageError: The file is absent, or its contents are not as modelled here.
    """
    path = folder / CASES_NAME
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ParityUsageError(f"{path}: {error.strerror}; name a folder that holds {CASES_NAME}") from error
    try:
        return GoldenCases.model_validate_json(text)
    except ValidationError as error:
        raise ParityUsageError(f"{path} is not a list of golden cases: {error}") from error


def choose_cases(cases: Sequence[GoldenCase], ids: Sequence[str] | None) -> tuple[GoldenCase, ...]:
    """Return the cases with the given ids in the order of the file, or all of them for None.

    Raises:
        ParityUsageError: An id is unknown; each is named with the nearest known one.
    """
    if ids is None:
        return tuple(cases)
    known = [case.id for case in cases]
    unknown = [name for name in ids if name not in known]
    if unknown:
        raise ParityUsageError("; ".join(describe_unknown(name, known) for name in unknown))
    return tuple(case for case in cases if case.id in ids)


def describe_unknown(name: str, known: Sequence[str]) -> str:
    """Return one sentence about an id that is not there."""
    nearest = difflib.get_close_matches(name, known, n=1, cutoff=0.0)
    return f"no case is called {name}" + (f"; the nearest is {nearest[0]}" if nearest else "")
