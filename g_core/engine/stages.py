"""Where the wall time of a run goes: a clock a stage, summed in the main thread.

Belongs here: the stages and their sums. Does not belong here: what native threads spend in the background; the wait
for them is the stage ``decode_wait``.
"""

import time
from collections.abc import Generator
from contextlib import contextmanager
from enum import StrEnum


class Stage(StrEnum):
    """What the main thread is doing."""

    JAX_RUNTIME = "jax_runtime"
    OPEN_AND_INDEX = "open_and_index"
    JOIN = "join"
    NULL_MODELS = "null_models"
    DECODE_WAIT = "decode_wait"
    SCORE = "score"
    CORRECTION = "correction"
    OUTPUT = "output"
    FINALISE = "finalise"


class StageClock:
    """Sums of seconds by stage."""

    def __init__(self) -> None:
        self.started = time.perf_counter()
        self.seconds: dict[Stage, float] = dict.fromkeys(Stage, 0.0)

    @contextmanager
    def stage(self, stage: Stage) -> Generator[None]:
        """Add the time of the block to a stage; stages do not nest."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[stage] += time.perf_counter() - start

    @property
    def elapsed_seconds(self) -> float:
        """Wall time since the clock was made."""
        return time.perf_counter() - self.started

    def summary(self) -> dict[str, float]:
        """Seconds by stage name, in the order of the stages."""
        return {stage.value: round(self.seconds[stage], 6) for stage in Stage}
