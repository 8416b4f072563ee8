"""The result of a parity run as a record: what ``--json`` writes and the lab's assets read.

Belongs here: the models; reading them needs nothing heavy. Does not belong here: making them (make_record.py), or the
words for people (report.py).
"""

from typing import Literal

from g_assets.artifacts.models import Record

COMPARED_COLUMNS = ("A1FREQ", "INFO", "BETA", "SE", "CHISQ", "LOG10P")
"""The columns that every report lists."""


class ColumnRecord(Record):
    """The largest error of one number column of one file."""

    column: str
    largest_relative_error: float
    """Over rows where REGENIE's value is larger than what it may be off by."""
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
