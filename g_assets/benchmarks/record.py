"""What the benchmarks found: rows with all their observations, as ``benchmarks.json`` keeps them.

Belongs here: the records, and median, spread and ratio of a row. Does not belong here: words and tables (table.py).
"""

import statistics
from datetime import datetime
from enum import StrEnum
from typing import Literal

from g_assets.artifacts.models import Context, Count, EnvironmentVariable, Record, Seconds, Status, Unit
from g_assets.benchmarks.row_ids import CALL, SCAN
from g_assets.benchmarks.shapes import Extent

RECORD_NAME = "benchmarks.json"


class Section(StrEnum):
    """Which part of the table a row stands in."""

    FLOOR = "floor"
    SCAN = "scan"
    READING = "reading"
    START_UP = "start_up"
    MEMORY = "memory"
    SCALING = "scaling"
    PEER = "peer"


class Row(Record):
    """What one row is, before it is measured."""

    row_id: str
    section: Section
    title: str
    unit: Unit
    n_samples: Count | None
    n_variants: Count | None
    """Variants that one observation covers; None where it is not about variants."""
    threads: Count | None
    floor_id: str | None
    """The row whose time is one floor."""
    at_most: float | None
    """What is demanded: in floors where the row has a floor, else in its unit."""
    aim: float | None


class Measured(Record):
    """A row and its observations, one a round."""

    row: Row
    values: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle of the observations."""
        return statistics.median(self.values)

    @property
    def seconds_per_variant(self) -> float | None:
        """Median time of one variant; None where the row is not about variants."""
        return None if not self.row.n_variants else self.median / self.row.n_variants

    @property
    def seconds_per_genotype(self) -> float | None:
        """Median time of one variant of one sample; None where the row is not about samples and variants."""
        per_variant = self.seconds_per_variant
        return None if per_variant is None or not self.row.n_samples else per_variant / self.row.n_samples


class Unmeasured(Record):
    """A row without a number, and why: its task failed, or what it needs is not installed (skipped)."""

    row: Row
    status: Literal[Status.FAILED, Status.SKIPPED]
    reason: str


class StageProfile(Record):
    """Where the time of one scan went; measured in a run of its own, whose stages wait for each other."""

    case_id: str
    title: str
    stages: tuple[tuple[str, Seconds], ...]


class BenchmarkRecord(Record):
    """Everything of one run of the benchmarks."""

    schema_name: Literal["benchmarks"] = "benchmarks"
    schema_version: Literal[1] = 1
    run_id: str
    extent: Extent
    rounds: Count
    started_at: datetime
    context: Context
    versions: tuple[EnvironmentVariable, ...]
    measured: tuple[Measured, ...]
    unmeasured: tuple[Unmeasured, ...]
    profiles: tuple[StageProfile, ...]

    @property
    def failures(self) -> tuple[Unmeasured, ...]:
        """Rows whose task failed."""
        return tuple(row for row in self.unmeasured if row.status is Status.FAILED)

    def find(self, row_id: str) -> Measured | None:
        """A measured row by its id; None where it was not measured."""
        return next((measured for measured in self.measured if measured.row.row_id == row_id), None)

    def whole_call(self, measured: Measured) -> Measured | None:
        """The call that a scan was part of; None for a row that is no scan."""
        row_id = measured.row.row_id
        return self.find(row_id.removesuffix(SCAN) + CALL) if row_id.endswith(SCAN) else None

    def floors(self, measured: Measured) -> float | None:
        """How many floors a row takes, variant for variant; None for a row without one."""
        floor = None if measured.row.floor_id is None else self.find(measured.row.floor_id)
        own = measured.seconds_per_variant
        one = None if floor is None else floor.seconds_per_variant
        return own / one if own is not None and one else None
