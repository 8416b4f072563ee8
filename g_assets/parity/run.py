"""One run of a golden case: its command line and what came of it.

Belongs here: the arguments, and a run in a process of its own. Does not belong here: runs that share a warm process
(warm_process.py), and judging the results (judge.py).
"""

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from g_assets.parity.cases import GoldenCase

REPOSITORY_ROOT = Path(__file__).resolve().parents[2]
TIMED_OUT_EXIT_CODE = 124


class RunMode(StrEnum):
    """The sample mode that a case runs in; the value is the folder of its results."""

    REGENIE = "regenie"
    DEFAULT = "default"

    @property
    def arguments(self) -> tuple[str, ...]:
        """What the mode adds to the command line."""
        return ("--sample-mode", "regenie") if self is RunMode.REGENIE else ()


@dataclass(frozen=True, slots=True)
class CaseRun:
    """How a run ended and where its files are."""

    exit_code: int
    standard_error: str
    wall_seconds: float
    prefix: Path
    """The ``--out`` value it ran with."""

    @property
    def run_directory(self) -> Path:
        """Where the manifest, the join report and the Parquet parts are."""
        return self.prefix.with_name(f"{self.prefix.name}.g")


def build_arguments(*, case: GoldenCase, prefix: Path, mode: RunMode) -> tuple[str, ...]:
    """Return the case's own arguments with ``--out`` replaced, the sample mode added and both formats asked for.

    The text is what REGENIE printed; Parquet says besides which rows were corrected.
    """
    position = case.argv.index("--out") + 1
    return (
        *case.argv[:position],
        str(prefix),
        *case.argv[position + 1 :],
        *mode.arguments,
        "--format",
        "regenie",
        "--format",
        "parquet",
    )


def child_environment() -> Mapping[str, str]:
    """The environment of a run: its working directory is not the checkout, and the checkout may not be installed."""
    search_path = os.pathsep.join(filter(None, (str(REPOSITORY_ROOT), os.environ.get("PYTHONPATH"))))
    return os.environ | {"PYTHONPATH": search_path}


def run_fresh(*, words: Sequence[str], prefix: Path, golden_folder: Path, timeout_seconds: float) -> CaseRun:
    """Run ``g regenie`` in a process of its own, with the golden folder as the working directory.

    Args:
        words: What follows ``g regenie``.
        prefix: The ``--out`` value among them.
        golden_folder: Folder of cases.json; nothing is written there.
        timeout_seconds: A run that takes longer is ended and counts as failed.
    """
    started = time.perf_counter()
    try:
        completed = subprocess.run(
            [sys.executable, "-m", "g_core", "regenie", *words],
            cwd=golden_folder,
            env=child_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            text=True,
            errors="replace",
            timeout=timeout_seconds,
        )
    except subprocess.TimeoutExpired:
        return timed_out(prefix=prefix, wall_seconds=time.perf_counter() - started)
    return CaseRun(
        exit_code=completed.returncode,
        standard_error=completed.stderr,
        wall_seconds=time.perf_counter() - started,
        prefix=prefix,
    )


def timed_out(*, prefix: Path, wall_seconds: float) -> CaseRun:
    """The outcome of a run that was ended because it took too long."""
    return CaseRun(
        exit_code=TIMED_OUT_EXIT_CODE,
        standard_error=f"ended after {wall_seconds:.0f} s",
        wall_seconds=wall_seconds,
        prefix=prefix,
    )
