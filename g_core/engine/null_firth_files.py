"""Coefficients of the null Firth fits between runs: ``--use-null-firth`` and ``--write-null-firth`` (spec section 6.2).

Belongs here: the list and its ``.firth`` files, read and written as REGENIE does. Does not belong here: the fits, which
take stored coefficients as a starting point and are made again (kernels/firth_null.py).

A file has a line a chromosome: its code and one coefficient for each direction of the covariates' basis. Directions are
a program's own, in sign and order, so that coefficients of another program or of other covariates start a fit further
away than its own would; they cannot make it wrong.
"""

import gzip
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from g_core import _native
from g_core.config.chromosomes import chromosome_code
from g_core.config.problems import Problems
from g_core.config.run_plan import BinaryPlan
from g_core.engine.run_directory import RunDirectory
from g_core.errors import InputError
from g_core.inputs.predictions import ListEntry, find_loco_file

GZIP_MAGIC = b"\x1f\x8b"
LONGEST_EXCERPT = 40

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class StoredCoefficients:
    """One ``.firth`` file: coefficients by chromosome code, and the path for a message."""

    path: Path
    by_chromosome: dict[int, FloatArray]


@dataclass(slots=True)
class NullFirthStarts:
    """Stored coefficients by trait, and notes on those that a run could not start from."""

    by_trait: dict[str, StoredCoefficients]
    notes: list[str] = field(default_factory=list[str])

    def start(self, trait: str, chromosome_code: int, n_basis: int) -> FloatArray | None:
        """Coefficients to start at, [n_basis], or None with a note where there are none that fit.

        A trait that the list lacks was noted when the list was read, and is not noted again.
        """
        stored = self.by_trait.get(trait)
        if stored is None:
            return None
        coefficients = stored.by_chromosome.get(chromosome_code)
        usual = f"trait {trait}: the null Firth fit of chromosome {chromosome_code} has its usual start"
        if coefficients is None:
            present = ", ".join(map(str, sorted(stored.by_chromosome)))
            self.note(f"{usual}: {stored.path} has no line for it; lines present: {present}")
            return None
        if coefficients.size != n_basis:
            self.note(
                f"{usual}: {stored.path} has {coefficients.size} coefficients for it, and the covariates of this run "
                f"have {n_basis} directions"
            )
            return None
        return coefficients

    def note(self, text: str) -> None:
        """Keep a note once."""
        if text not in self.notes:
            self.notes.append(text)


def load_null_firth_starts(path: Path, traits: Sequence[str]) -> NullFirthStarts:
    """Read a list of ``trait path`` lines and the files of the traits of the run.

    Relative paths are those of prediction lists: from the working directory, then from the list's folder.

    Raises:
        InputError: The list, or a file that it names for a trait of the run, is not there or cannot be read; all files
            are told together.
    """
    entries = {
        name: ListEntry(file=path, line=line, written_path=written_path)
        for name, written_path, line in _native.read_prediction_list(str(path))
    }
    starts = NullFirthStarts({})
    problems = Problems()
    for trait in traits:
        if trait not in entries:
            starts.note(f"trait {trait}: the null Firth fit has its usual start: {path} has no line for the trait")
            continue
        try:
            starts.by_trait[trait] = read_firth_file(find_loco_file(entries[trait]), problems)
        except InputError as error:
            problems.add(str(error))
    problems.raise_input_error()
    return starts


def read_firth_file(path: Path, problems: Problems) -> StoredCoefficients:
    """Read one file, plain or gzip; every line that is not a chromosome and numbers is noted as a problem.

    Raises:
        InputError: It cannot be read.
    """
    by_chromosome: dict[int, FloatArray] = {}
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        words = line.split()
        if not words:
            continue
        place = f"{path}, line {number}"
        code = chromosome_code(words[0])
        coefficients = [finite_number(word) for word in words[1:]]
        wrong = next((word for word, value in zip(words[1:], coefficients, strict=True) if value is None), None)
        if code is None:
            problems.add(f"{place}: {excerpt(words[0])} is no chromosome")
        elif wrong is not None:
            problems.add(f"{place}: {excerpt(wrong)} is no number")
        elif not coefficients:
            problems.add(f"{place}: no coefficients after the chromosome")
        elif code in by_chromosome:
            problems.add(f"{place}: chromosome {code} has a line above")
        else:
            by_chromosome[code] = np.array(coefficients, dtype=np.float64)
    if not by_chromosome:
        problems.add(f"{path}: holds no coefficients; expected a chromosome and its coefficients a line")
    return StoredCoefficients(path, by_chromosome)


def read_text(path: Path) -> str:
    """A small text file, unpacked where it is gzip.

    Raises:
        InputError: It cannot be read, or is no text.
    """
    try:
        content = path.read_bytes()
        return (gzip.decompress(content) if content.startswith(GZIP_MAGIC) else content).decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (EOFError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: is no text: {error}") from None


def finite_number(word: str) -> float | None:
    """The number, or None where the word is none that a fit can start at."""
    try:
        value = float(word)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def excerpt(word: str) -> str:
    """The word in quotes, cut to a length that a message can hold."""
    return repr(word if len(word) <= LONGEST_EXCERPT else word[:LONGEST_EXCERPT] + "...")


class NullFirthWriter:
    """Collects coefficients of a run; ``traits`` are its traits in the order that numbers their files."""

    def __init__(self, traits: Sequence[str]) -> None:
        self.by_trait: dict[str, dict[int, FloatArray]] = {trait: {} for trait in traits}

    def add(self, trait: str, chromosome_code: int, coefficients: FloatArray) -> None:
        """Take the coefficients, [K], of a fit that converged."""
        self.by_trait[trait][chromosome_code] = coefficients

    def write(self, directory: RunDirectory) -> tuple[str, ...]:
        """Write ``PREFIX_<number>.firth`` for each trait and ``PREFIX_firth.list``; returns their names, the list last.

        A trait of which no fit converged has no file and no line; the others keep their numbers.

        Raises:
            OutputError: A file cannot be written.
        """
        names: list[str] = []
        lines: list[str] = []
        for number, (trait, by_chromosome) in enumerate(self.by_trait.items(), start=1):
            if not by_chromosome:
                continue
            ending = f"_{number}.firth"
            names.append(directory.write_beside(ending, firth_text(by_chromosome)))
            # REGENIE's list has whole paths, so that it can be used from any folder.
            lines.append(f"{trait} {directory.beside(ending).absolute()}\n")
        return (*names, directory.write_beside("_firth.list", "".join(lines)))


def firth_text(by_chromosome: dict[int, FloatArray]) -> str:
    """A line a chromosome in the order of the scan, numbers with six significant digits."""
    return "".join(
        f"{code} {' '.join(_native.format_g6(value) for value in coefficients.tolist())}\n"
        for code, coefficients in by_chromosome.items()
    )


@dataclass(frozen=True, slots=True)
class NullFirthFiles:
    """What a run reads and writes of null Firth coefficients; None where it was not asked for."""

    starts: NullFirthStarts | None
    writer: NullFirthWriter | None

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on stored coefficients that were not used."""
        return () if self.starts is None else tuple(self.starts.notes)

    def write(self, directory: RunDirectory) -> None:
        """Write the coefficients beside the run directory, where that was asked for."""
        if self.writer is not None:
            self.writer.write(directory)


def open_null_firth_files(plan: BinaryPlan, traits: Sequence[str]) -> NullFirthFiles:
    """Read stored coefficients and prepare to write those of this run, as the plan asks.

    Raises:
        InputError: The stored ones cannot be read.
    """
    return NullFirthFiles(
        starts=None if plan.null_firth_list is None else load_null_firth_starts(plan.null_firth_list, traits),
        writer=NullFirthWriter(traits) if plan.write_null_firth else None,
    )
