"""One parity run over a folder of golden data, from cases to record.

Belongs here: what the tool and the lab's assets have in common. Does not belong here: the command line (__main__.py).
"""

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from g_assets.parity.cases import GoldenCase, read_cases
from g_assets.parity.check import check_cases
from g_assets.parity.judge import CaseResult
from g_assets.parity.make_record import make_record
from g_assets.parity.record import ParityRecord
from g_assets.parity.tolerances import Tolerances


@dataclass(frozen=True, slots=True)
class ParityRun:
    """The results of a run, and their record."""

    results: tuple[CaseResult, ...]
    record: ParityRecord


def run_folder(
    *,
    golden_folder: Path,
    choose: Callable[[tuple[GoldenCase, ...]], tuple[GoldenCase, ...]],
    output_folder: Path | None,
    tolerances: Tolerances,
    jobs: int,
    timeout_seconds: float,
    on_result: Callable[[CaseResult], None],
) -> ParityRun:
    """Run the chosen cases of a folder.

    Args:
        golden_folder: Folder of cases.json; only read.
        choose: Which of its cases.
        output_folder: Keeps what the runs write; None: a folder that is removed.
        tolerances: How far a number may be off.
        jobs: Runs at a time.
        timeout_seconds: Longest time of one run.
        on_result: Called with each result as soon as it and those before it are known.

    Raises:
        ParityUsageError: The folder or the choice cannot be used.
    """
    started = time.perf_counter()
    golden = read_cases(golden_folder)
    cases = choose(golden.cases)
    with tempfile.TemporaryDirectory(prefix="g-parity-") as temporary:
        results = check_cases(
            cases=cases,
            golden_folder=golden_folder,
            output_folder=output_folder or Path(temporary),
            tolerances=tolerances,
            jobs=jobs,
            timeout_seconds=timeout_seconds,
            on_result=on_result,
        )
    record = make_record(
        golden_folder=golden_folder,
        reference=f"{golden.program} {golden.version}",
        wall_seconds=time.perf_counter() - started,
        results=results,
    )
    return ParityRun(results=results, record=record)
