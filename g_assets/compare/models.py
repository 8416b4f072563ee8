"""The records of a comparison: ``comparisons.json``.

Belongs here: what a comparison says. Does not belong here: how it is found (verdict.py, matrix.py) or shown (reports/).
"""

from datetime import datetime
from enum import StrEnum
from typing import Literal

from g_assets.artifacts.models import SCHEMA_VERSION, Judgement, Record, Status, Unit


class ComparisonStatus(StrEnum):
    """Whether there was anything to compare with."""

    COMPARED = "compared"
    NO_BASELINE = "no_baseline"


class ResultParity(StrEnum):
    """Whether two runs wrote the same numbers."""

    EQUAL = "equal"
    """Bit for bit."""
    WITHIN_TOLERANCE = "within_tolerance"
    """The same rows, and every number within its tolerance of docs/parity.md."""
    MOVED = "moved"
    """Other rows, a number beyond its tolerance, or results that are gone: nothing shows that they held."""
    UNKNOWN = "unknown"
    """A side has no checksum, or the runs did other work."""


class RunIdentity(Record):
    """Which run, of which commit, when."""

    run_id: str
    commit: str | None
    dirty: bool | None
    finished_at: datetime | None
    status: Status


class SkippedRun(Record):
    """An earlier run that was passed over, and why."""

    run_id: str
    reason: str


class MetricComparison(Record):
    """One metric of one cell on both sides. ``ratio`` is current over baseline."""

    name: str
    unit: Unit
    higher_is_better: bool
    current: float | None
    baseline: float | None
    current_trials: int
    baseline_trials: int
    ratio: float | None
    judgement: Judgement
    reason: str


class CellComparison(Record):
    """One cell on both sides; a status of None means that the run has no such cell."""

    case_id: str
    current_status: Status | None
    baseline_status: Status | None
    judgement: Judgement
    """The judgement of the wall time, which is what a matrix is about."""
    reason: str
    results: ResultParity
    results_reason: str | None
    """Why the results are not equal bit for bit."""
    current_rows: int | None
    baseline_rows: int | None
    metrics: tuple[MetricComparison, ...]


class MatrixComparison(Record):
    """Two matrices, cell by cell; or one, and why there is no other."""

    schema_name: Literal["matrix_comparison"] = "matrix_comparison"
    schema_version: Literal[1] = SCHEMA_VERSION
    status: ComparisonStatus
    reason: str | None
    dataset: str
    scope_key: str
    current: RunIdentity
    baseline: RunIdentity | None
    baseline_manifest_path: str | None
    forced: bool
    same_scope: bool | None
    neutral_band_percent: float
    skipped: tuple[SkippedRun, ...]
    cells: tuple[CellComparison, ...]

    def count(self, judgement: Judgement) -> int:
        """Number of cells with this judgement."""
        return sum(cell.judgement is judgement for cell in self.cells)

    @property
    def cells_with_moved_numbers(self) -> tuple[str, ...]:
        """Cells whose numbers are not the baseline's; one makes the whole matrix a failed one."""
        return tuple(cell.case_id for cell in self.cells if cell.results is ResultParity.MOVED)
