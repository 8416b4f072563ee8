"""Where the wall time of a run goes: a clock a stage, in the main thread.

Belongs here: the stages, and the clocks that ``--stage-timing`` chooses between. Does not belong here: what native
threads spend in the background (the wait for them is the stage ``decode_wait``), and the file (telemetry/).

The clock that is off never looks at the time while stages begin and end.
"""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from enum import StrEnum
from types import TracebackType

from g_core.config.choices import StageTiming, TelemetryMode
from g_core.config.run_plan import DiagnosticsPlan
from g_core.telemetry.stage_timings import StageInterval, StageTimings, StageTotal

NOTHING = nullcontext()


class Stage(StrEnum):
    """What the main thread is doing.

    ``compute`` is the score tests and what is made of them; null models and corrections, which are computing too, have
    stages of their own. Where the device works beside the main thread, ``compute`` holds the wait for it.
    """

    STARTUP = "startup"
    JAX_RUNTIME = "jax_runtime"
    OPEN_AND_INDEX = "open_and_index"
    PREFLIGHT = "preflight"
    NULL_MODELS = "null_models"
    DECODE_WAIT = "decode_wait"
    HOST_TO_DEVICE = "host_to_device"
    COMPUTE = "compute"
    CORRECTION = "correction"
    DEVICE_TO_HOST = "device_to_host"
    OUTPUT = "output"
    FINALISE = "finalise"


class StageClock:
    """The clock that is off, and the base of the others.

    Attributes:
        waits_for_results: A test may wait for its kernels before it reads their results, so that the wait counts as
            computing.
        waits_for_copies: It may also wait for copies to the device.
    """

    waits_for_results = False
    waits_for_copies = False

    def __init__(self) -> None:
        self.started = time.perf_counter()

    @property
    def elapsed_seconds(self) -> float:
        """Wall time since the clock was made."""
        return time.perf_counter() - self.started

    def stage(self, stage: Stage) -> AbstractContextManager[None]:  # noqa: ARG002  (the clocks that run need it)
        """Add the time of a block to a stage. A stage inside another one interrupts it."""
        return NOTHING

    def summary(self) -> dict[str, float]:
        """Seconds by stage name, in the order of the stages; empty where nothing was timed."""
        return {}

    def timings(self) -> StageTimings | None:
        """What ``stage_timings.json`` says; None where nothing was timed."""
        return None


class RunningClock(StageClock):
    """Sums and counts by stage, and every interval where ``keeps_intervals``.

    Args:
        mode: For the record.
        startup_seconds: What the process spent before the clock was made: the stage ``startup``.
        waits_for_copies: See StageClock.
        read_seconds: The clock that is read.
    """

    waits_for_results = True

    def __init__(
        self,
        mode: StageTiming,
        *,
        startup_seconds: float,
        waits_for_copies: bool,
        read_seconds: Callable[[], float],
    ) -> None:
        super().__init__()
        self.mode = mode
        self.waits_for_copies = waits_for_copies
        self.read_seconds = read_seconds
        self.started = read_seconds()
        self.seconds = dict.fromkeys(Stage, 0.0)
        self.counts = dict.fromkeys(Stage, 0)
        if startup_seconds > 0.0:
            self.seconds[Stage.STARTUP], self.counts[Stage.STARTUP] = startup_seconds, 1
        self.intervals: list[tuple[Stage, float, float]] | None = [] if mode is StageTiming.EXACT else None
        self.blocks = {stage: StageBlock(self, stage) for stage in Stage}
        self.open_stages: list[Stage] = []
        self.mark = self.started

    @property
    def elapsed_seconds(self) -> float:
        """Wall time since the clock was made."""
        return self.read_seconds() - self.started

    def stage(self, stage: Stage) -> AbstractContextManager[None]:
        """Add the time of a block to a stage. A stage inside another one interrupts it."""
        return self.blocks[stage]

    def enter(self, stage: Stage) -> None:
        """Begin a stage."""
        self.settle()
        self.open_stages.append(stage)
        self.counts[stage] += 1

    def leave(self) -> None:
        """End the stage that began last."""
        self.settle()
        self.open_stages.pop()

    def settle(self) -> None:
        """Give the time since the last beginning or end to the stage that was on."""
        now = self.read_seconds()
        if self.open_stages:
            stage = self.open_stages[-1]
            self.seconds[stage] += now - self.mark
            if self.intervals is not None:
                self.intervals.append((stage, self.mark, now))
        self.mark = now

    def summary(self) -> dict[str, float]:
        """Seconds by stage name, in the order of the stages."""
        return {stage.value: round(self.seconds[stage], 6) for stage in Stage}

    def timings(self) -> StageTimings | None:
        """Everything as it stands."""
        return StageTimings(
            schema_name="g_stage_timings",
            schema_version=1,
            mode=self.mode.value,
            wall_seconds=self.elapsed_seconds,
            stages=tuple(
                StageTotal(stage=stage.value, seconds=round(self.seconds[stage], 9), count=self.counts[stage])
                for stage in Stage
            ),
            intervals=None if self.intervals is None else tuple(map(self.interval, self.intervals)),
        )

    def interval(self, timed: tuple[Stage, float, float]) -> StageInterval:
        """The record of one stretch, which is not made while the scan runs."""
        stage, start, stop = timed
        return StageInterval(
            stage=stage.value,
            start_seconds=round(start - self.started, 9),
            stop_seconds=round(stop - self.started, 9),
        )


class StageBlock:
    """One stage's block in a ``with`` statement; made once, since a scan enters it for every chunk."""

    __slots__ = ("clock", "stage")

    def __init__(self, clock: RunningClock, stage: Stage) -> None:
        self.clock = clock
        self.stage = stage

    def __enter__(self) -> None:
        """Begin the stage."""
        self.clock.enter(self.stage)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """End the stage."""
        self.clock.leave()


def make_stage_clock(diagnostics: DiagnosticsPlan, *, startup_seconds: float) -> StageClock:
    """The clock that a run asks for; a profile needs one at least in aggregate.

    Args:
        diagnostics: Of the plan.
        startup_seconds: What the process spent before the run (process_age.py), or 0 where it does other things too.
    """
    profiles = diagnostics.telemetry is TelemetryMode.PROFILE
    mode = diagnostics.stage_timing
    if mode is StageTiming.OFF and not profiles:
        return StageClock()
    return RunningClock(
        StageTiming.AGGREGATE if mode is StageTiming.OFF else mode,
        startup_seconds=startup_seconds,
        waits_for_copies=profiles,
        read_seconds=time.perf_counter,
    )
