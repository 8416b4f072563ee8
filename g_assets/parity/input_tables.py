"""A look into the input tables of a case, to derive what a message must say of them.

Belongs here: the header and cells of the phenotype and covariate files, the prediction list, and the names that a list
of columns stands for. It is lenient on purpose: the files are often damaged, and saying so is the engine's task.
"""

import gzip
import re
from dataclasses import dataclass
from pathlib import Path

from g_assets.parity.cases import GoldenCase

GZIP_MAGIC = b"\x1f\x8b"
BYTE_ORDER_MARK = "\ufeff"
N_IDENTIFIERS = 2
BRACES = re.compile(r"^(?P<stem>.*)\{(?P<first>\d+):(?P<last>\d+)\}(?P<rest>.*)$")

PHENOTYPE_FILE_OPTIONS = ("--phenoFile", "-p")
PHENOTYPE_COLUMN_OPTIONS = ("--phenoCol", "--phenoColList")
COVARIATE_FILE_OPTIONS = ("--covarFile", "-c")
COVARIATE_COLUMN_OPTIONS = ("--covarCol", "--covarColList", "--catCovarList")
PREDICTION_OPTIONS = ("--pred",)


@dataclass(frozen=True, slots=True)
class InputTable:
    """One table of samples as its text stands. ``rows`` have the fields that blanks and tabs divide."""

    text: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """Names after the identifiers."""
        return self.header[N_IDENTIFIERS:]

    def cells(self, column: str) -> frozenset[str]:
        """The different texts of one column."""
        position = self.header.index(column)
        return frozenset(row[position] for row in self.rows if len(row) > position)


@dataclass(frozen=True, slots=True)
class CaseInputs:
    """The text inputs of a case; a file that cannot be read is None."""

    phenotypes: InputTable | None
    covariates: InputTable | None
    predictions: tuple[tuple[str, ...], ...] | None
    """Fields of each line of the prediction list: trait, path."""


def read_inputs(case: GoldenCase, golden_folder: Path) -> CaseInputs:
    """Read the tables that a case names."""
    return CaseInputs(
        phenotypes=read_first(case.values(*PHENOTYPE_FILE_OPTIONS), golden_folder),
        covariates=read_first(case.values(*COVARIATE_FILE_OPTIONS), golden_folder),
        predictions=read_prediction_list(case, golden_folder),
    )


def read_first(paths: tuple[str, ...], golden_folder: Path) -> InputTable | None:
    """Read the table that an option names; None where there is no such option, or no such file."""
    text = None if not paths else read_text(golden_folder / paths[0])
    if text is None:
        return None
    lines = [tuple(line.split()) for line in text.removeprefix(BYTE_ORDER_MARK).splitlines()]
    return InputTable(text=text, header=lines[0] if lines else (), rows=tuple(lines[1:]))


def read_text(path: Path) -> str | None:
    """Read a plain or gzipped file; None where it cannot be read."""
    try:
        contents = path.read_bytes()
        if contents.startswith(GZIP_MAGIC):
            contents = gzip.decompress(contents)
    except (OSError, EOFError):
        return None
    return contents.decode("utf-8", errors="replace")


def read_prediction_list(case: GoldenCase, golden_folder: Path) -> tuple[tuple[str, ...], ...] | None:
    """Read the lines of the prediction list; None where there is none."""
    paths = case.values(*PREDICTION_OPTIONS)
    text = None if not paths else read_text(golden_folder / paths[0])
    return None if text is None else tuple(tuple(line.split()) for line in text.splitlines() if line.strip())


def requested_columns(case: GoldenCase, *options: str) -> tuple[str, ...]:
    """The column names that some options ask for, ``V{1:3}`` written out."""
    return tuple(
        name for value in case.values(*options) for item in value.split(",") if item for name in expand_braces(item)
    )


def expand_braces(item: str) -> tuple[str, ...]:
    """``V{1:3}`` is V1, V2, V3; anything else is itself."""
    match = BRACES.match(item)
    if match is None:
        return (item,)
    numbers = range(int(match["first"]), int(match["last"]) + 1)
    return tuple(f"{match['stem']}{number}{match['rest']}" for number in numbers)


def analysed_columns(case: GoldenCase, inputs: CaseInputs) -> tuple[str, ...]:
    """The phenotype columns that a case selects and that are there."""
    columns = () if inputs.phenotypes is None else inputs.phenotypes.columns
    requested = requested_columns(case, *PHENOTYPE_COLUMN_OPTIONS)
    excluded = requested_columns(case, "--phenoExcludeList")
    return tuple(name for name in columns if (not requested or name in requested) and name not in excluded)
