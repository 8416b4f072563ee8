"""What one cell of a matrix measured: ``cell.json`` of its artifact directory, and what ``measure`` returns.

Belongs here: the trial, the cell, and the numbers read off them. Does not belong here: how they are measured
(payloads/) or compared (compare/).
"""

from collections.abc import Sequence
from datetime import datetime
from pathlib import PurePosixPath
from statistics import median
from typing import Literal

from g_assets.artifacts.models import (
    SCHEMA_VERSION,
    Context,
    Count,
    InputFile,
    Record,
    Seconds,
    Sha256,
    Status,
)
from g_assets.profiles.models import Device


class StageSeconds(Record):
    """Time the engine spent in one of its stages."""

    stage: str
    seconds: Seconds


class EngineFigures(Record):
    """What the engine's own manifest says of a run that it finished, and a checksum of the rows it wrote."""

    rows: Count
    rows_failed: Count
    parts: Count
    result_bytes: Count
    variants: Count
    wall_seconds: Seconds
    scan_seconds: Seconds
    variants_per_second: Seconds
    peak_memory_bytes: Count
    compile_seconds: Seconds
    n_compiled: Count
    n_cache_hits: Count
    stages: tuple[StageSeconds, ...]
    results_sha256: Sha256


class Trial(Record):
    """One fresh process: timed from outside, judged by the manifest it left."""

    number: int
    status: Status
    reason: str | None
    return_code: int | None
    wall_seconds: Seconds
    cpu_seconds: Seconds
    """User and system time of the whole process tree."""
    peak_memory_bytes: Count
    run_directory: str
    stdout: str
    stderr: str
    log_tail: str
    figures: EngineFigures | None


class CellManifest(Record):
    """One cell: how it ended and what its trials measured. ``directory`` is where its artifacts lie."""

    schema_name: Literal["cell_manifest"] = "cell_manifest"
    schema_version: Literal[1] = SCHEMA_VERSION
    campaign: str
    campaign_version: int
    run_id: str
    dataset: str
    case_id: str
    trait_type: str
    device: Device
    status: Status
    reason: str | None
    started_at: datetime
    finished_at: datetime
    directory: str
    context: Context
    input_files: tuple[InputFile, ...]
    trials: tuple[Trial, ...]

    @property
    def artifact_manifest_path(self) -> str:
        """Path of the manifest that lists this cell's files."""
        return str(PurePosixPath(self.directory) / "artifact_manifest.json")

    @property
    def measured(self) -> tuple[Trial, ...]:
        """The trials that ended well; only their numbers count."""
        return tuple(trial for trial in self.trials if trial.status is Status.SUCCESS)

    @property
    def figures(self) -> tuple[EngineFigures, ...]:
        """The engine's figures of the trials that ended well."""
        return tuple(trial.figures for trial in self.measured if trial.figures is not None)

    @property
    def wall_seconds(self) -> float | None:
        """Median wall time of the whole process over the trials that ended well."""
        return median_or_none([trial.wall_seconds for trial in self.measured])

    @property
    def cpu_seconds(self) -> float | None:
        """Median CPU time over the trials that ended well."""
        return median_or_none([trial.cpu_seconds for trial in self.measured])

    @property
    def peak_memory_bytes(self) -> int | None:
        """Largest peak resident memory over the trials that ended well."""
        return max((trial.peak_memory_bytes for trial in self.measured), default=None)

    @property
    def variants_per_second(self) -> float | None:
        """Median rate of the engine's scan over the trials that ended well."""
        return median_or_none([figures.variants_per_second for figures in self.figures])

    @property
    def rows(self) -> int | None:
        """Result rows of one trial."""
        return self.figures[0].rows if self.figures else None

    @property
    def results_sha256(self) -> str | None:
        """Checksum of the result rows, where every trial wrote the same ones."""
        checksums = {figures.results_sha256 for figures in self.figures}
        return checksums.pop() if len(checksums) == 1 else None


def median_or_none(values: Sequence[float]) -> float | None:
    """The median, or None of nothing."""
    return median(values) if values else None
