"""Running one golden case through the ``g`` command in a fresh process.

Belongs here: the command line and what came of it. Judging the results is in judge.py.
"""

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from g_assets.parity.cases import GoldenCase

REPOSITORY_ROOT = Path(__file__).resolve().parents[2]
TIMED_OUT_EXIT_CODE = 124


@dataclass(frozen=True, slots=True)
class CaseRun:
    """How a run ended and where its files are."""

    exit_code: int
    standard_error: str
    wall_seconds: float
    prefix: Path
    """The ``--out`` value it ran with."""


def build_arguments(*, case: GoldenCase, prefix: Path) -> tuple[str, ...]:
    """Return the case's own arguments with ``--out`` replaced and both formats asked for.

    The text is what REGENIE printed; Parquet says besides which rows were corrected.
    """
    position = case.argv.index("--out") + 1
    return (
        *case.argv[:position],
        str(prefix),
        *case.argv[position + 1 :],
        "--format",
        "regenie",
        "--format",
        "parquet",
    )


def run_case(*, case: GoldenCase, golden_folder: Path, output_folder: Path, timeout_seconds: float) -> CaseRun:
    """Run ``g regenie`` with the golden folder as the working directory; nothing is written there.

    Args:
        case: The case.
        golden_folder: Folder of cases.json.
        output_folder: Where the case's results go; made here.
        timeout_seconds: A run that takes longer is ended and counts as failed.
    """
    output_folder.mkdir(parents=True)
    prefix = output_folder / case.output_prefix.name
    environment = os.environ | {
        # The working directory is not the checkout, and the checkout may not be installed.
        "PYTHONPATH": os.pathsep.join(filter(None, (str(REPOSITORY_ROOT), os.environ.get("PYTHONPATH")))),
    }
    started = time.perf_counter()
    try:
        completed = subprocess.run(
            [sys.executable, "-m", "g_core", "regenie", *build_arguments(case=case, prefix=prefix)],
            cwd=golden_folder,
            env=environment,
            capture_output=True,
            check=False,
            text=True,
            errors="replace",
            timeout=timeout_seconds,
        )
    except subprocess.TimeoutExpired:
        return CaseRun(
            exit_code=TIMED_OUT_EXIT_CODE,
            standard_error=f"ended after {timeout_seconds:g} s",
            wall_seconds=time.perf_counter() - started,
            prefix=prefix,
        )
    return CaseRun(
        exit_code=completed.returncode,
        standard_error=completed.stderr,
        wall_seconds=time.perf_counter() - started,
        prefix=prefix,
    )
