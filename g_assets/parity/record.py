"""The result of a parity run as a record: what ``--json`` writes and the lab's assets read.

Belongs here: the models, and making them of results. Does not belong here: the words for people (report.py).
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from g_assets.artifacts.models import Record
from g_assets.parity.compare import ColumnError, FileComparison
from g_assets.parity.judge import CaseResult


class ColumnRecord(Record):
    """The largest error of one number column of one file."""

    column: str
    largest_relative_error: float
    """Over rows where REGENIE's value is not 0."""
    largest_share_of_tolerance: float | None
    """Difference divided by what is allowed in its row; above 1 fails. None where a bound is not a number."""
    n_out_of_tolerance: int
    worst_variant: str | None
    worst_ours: str | None
    worst_theirs: str | None


class FileRecord(Record):
    """One file that REGENIE wrote."""

    name: str
    n_rows: int
    n_firth_rows: int
    columns: tuple[ColumnRecord, ...]
    problems: tuple[str, ...]


class CaseRecord(Record):
    """One golden case."""

    id: str
    trait_type: str
    passed: bool
    wall_seconds: float
    modes: tuple[str, ...]
    difference: int | None
    """Number of the difference in docs/parity.md that made a success of REGENIE's refusal."""
    files: tuple[FileRecord, ...]
    problems: tuple[str, ...]


class ParityRecord(Record):
    """A whole run."""

    schema_name: Literal["parity_record"] = "parity_record"
    schema_version: Literal[1] = 1
    golden_folder: str
    reference: str
    """Program and version that printed the golden results."""
    wall_seconds: float
    cases: tuple[CaseRecord, ...]

    @property
    def n_passed(self) -> int:
        """Cases that passed."""
        return sum(case.passed for case in self.cases)

    @property
    def passed(self) -> bool:
        """True where there are cases and all of them passed."""
        return bool(self.cases) and self.n_passed == len(self.cases)

    def largest_relative_error(self, column: str) -> float | None:
        """The largest relative error of a column over all cases; None where no case has it."""
        errors = [error.largest_relative_error for error in self.columns_of(column)]
        return max(errors, default=None)

    def largest_share_of_tolerance(self, column: str) -> float | None:
        """The largest share of the tolerance of a column over all cases; None where no case has it."""
        shares = [error.largest_share_of_tolerance for error in self.columns_of(column)]
        return max((share for share in shares if share is not None), default=None)

    def columns_of(self, column: str) -> list[ColumnRecord]:
        """A column's errors in every file; ``BETA`` is every trait's BETA in a file of several traits."""
        return [
            error
            for case in self.cases
            for file in case.files
            for error in file.columns
            if error.column.partition(".")[0] == column
        ]


def make_record(
    *, golden_folder: Path, reference: str, wall_seconds: float, results: Sequence[CaseResult]
) -> ParityRecord:
    """Make the record of a run."""
    return ParityRecord(
        golden_folder=str(golden_folder),
        reference=reference,
        wall_seconds=wall_seconds,
        cases=tuple(case_record(result) for result in results),
    )


def case_record(result: CaseResult) -> CaseRecord:
    """One case's result as a record."""
    return CaseRecord(
        id=result.id,
        trait_type=result.trait_type,
        passed=result.passed,
        wall_seconds=result.wall_seconds,
        modes=tuple(mode.value for mode in result.modes),
        difference=None if result.difference is None else result.difference.number,
        files=tuple(file_record(file) for file in result.files),
        problems=result.problems,
    )


def file_record(file: FileComparison) -> FileRecord:
    """One file's comparison as a record."""
    return FileRecord(
        name=file.name,
        n_rows=file.n_rows,
        n_firth_rows=file.n_firth_rows,
        columns=tuple(column_record(column) for column in file.columns),
        problems=file.problems,
    )


def column_record(column: ColumnError) -> ColumnRecord:
    """One column's error as a record."""
    share = column.largest_share_of_bound
    return ColumnRecord(
        column=column.column,
        largest_relative_error=column.largest_relative_error,
        largest_share_of_tolerance=share if math.isfinite(share) else None,
        n_out_of_tolerance=column.n_out_of_bounds,
        worst_variant=None if column.worst is None else column.worst.variant,
        worst_ours=None if column.worst is None else column.worst.ours,
        worst_theirs=None if column.worst is None else column.worst.theirs,
    )
