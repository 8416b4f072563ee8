"""``profile_summary.json``: the figures of a profiled run on one page.

Belongs here: the record and its reading. Does not belong here: how the figures are taken (g_core/engine/profile.py).
"""

from pathlib import Path
from typing import Literal

from g_core.telemetry.log_file import read_record
from g_core.telemetry.stage_timings import TimingRecord

PROFILE_SUMMARY_NAME = "profile_summary.json"


class StageShare(TimingRecord):
    """One stage's part of the whole: startup and wall time. ``share`` is between 0 and 1."""

    stage: str
    seconds: float
    share: float


class ProfileSummary(TimingRecord):
    """The whole file.

    Attributes:
        unattributed_seconds: Wall time in no stage.
        decode_thread_seconds: Time of all decoding threads together.
        n_compiled: Kernels that JAX compiled or found in its cache.
    """

    schema_name: Literal["g_profile_summary"]
    schema_version: Literal[1]
    wall_seconds: float
    scan_seconds: float
    n_variants: int
    variants_per_second: float
    stages: tuple[StageShare, ...]
    unattributed_seconds: float
    n_chunks: int
    decode_thread_seconds: float
    decode_threads: int
    n_compiled: int
    n_cache_hits: int
    n_cache_misses: int
    compile_seconds: float
    peak_memory_bytes: int
    jax_trace_dir: str | None
    jax_memory_profile: str | None


def read_profile_summary(logs: Path) -> ProfileSummary:
    """Read a run's profile.

    Raises:
        InputError: There is none, or the file is not one.
    """
    return read_record(logs / PROFILE_SUMMARY_NAME, ProfileSummary)
