"""``stage_timings.json``: where the wall time of a run went.

Belongs here: the record and its reading. Does not belong here: the clock (g_core/engine/stages.py).
"""

from pathlib import Path
from typing import Literal

import pydantic

from g_core.telemetry.log_file import read_record

STAGE_TIMINGS_NAME = "stage_timings.json"


class TimingRecord(pydantic.BaseModel):
    """Base of the records: closed and frozen."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)


class StageTotal(TimingRecord):
    """All of one stage. ``count`` is how often it began."""

    stage: str
    seconds: float
    count: int


class StageInterval(TimingRecord):
    """One stretch of a stage, from the start of the run. Intervals do not overlap."""

    stage: str
    start_seconds: float
    stop_seconds: float


class StageTimings(TimingRecord):
    """The whole file. ``intervals`` is None unless the mode is exact; startup, before the run, is not among them."""

    schema_name: Literal["g_stage_timings"]
    schema_version: Literal[1]
    mode: str
    wall_seconds: float
    stages: tuple[StageTotal, ...]
    intervals: tuple[StageInterval, ...] | None


def read_stage_timings(logs: Path) -> StageTimings:
    """Read a run's stage timings.

    Raises:
        InputError: There are none, or the file is not one.
    """
    return read_record(logs / STAGE_TIMINGS_NAME, StageTimings)
