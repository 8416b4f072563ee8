"""Running and judging cases, a few at a time.

Belongs here: which modes a case runs in, and in which order results come. Does not belong here: what makes a run right
(judge.py).
"""

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from g_assets.parity.cases import Expectation, GoldenCase
from g_assets.parity.judge import CaseResult, judge_finished, judge_other_format, judge_refusal
from g_assets.parity.refusals import tail
from g_assets.parity.run import CaseRun, RunMode
from g_assets.parity.sameness import find_differences
from g_assets.parity.tolerances import Tolerances
from g_assets.parity.warm_process import WarmRunner, warm_runner

READ_FORMAT = "bgen"


def check_cases(
    *,
    cases: Sequence[GoldenCase],
    golden_folder: Path,
    output_folder: Path,
    tolerances: Tolerances,
    jobs: int,
    timeout_seconds: float,
    on_result: Callable[[CaseResult], None],
) -> tuple[CaseResult, ...]:
    """Run and judge every case, ``jobs`` at a time; results come in the order of the cases.

    Args:
        cases: What to run.
        golden_folder: Folder of cases.json; only read.
        output_folder: Each case gets a folder of its own in it, with one of each mode.
        tolerances: How far a number may be off.
        jobs: Runs at a time.
        timeout_seconds: Longest time of one run.
        on_result: Called with each result as soon as it and those before it are known.
    """
    results: list[CaseResult] = []
    with (
        warm_runner(golden_folder=golden_folder, jobs=jobs, timeout_seconds=timeout_seconds) as runner,
        ThreadPoolExecutor(max_workers=jobs) as pool,
    ):
        for result in pool.map(
            lambda case: check_case(
                case=case,
                runner=runner,
                golden_folder=golden_folder,
                output_folder=output_folder / case.id,
                tolerances=tolerances,
            ),
            cases,
        ):
            on_result(result)
            results.append(result)
    return tuple(results)


def check_case(
    *, case: GoldenCase, runner: WarmRunner, golden_folder: Path, output_folder: Path, tolerances: Tolerances
) -> CaseResult:
    """Run a case in the mode ``regenie`` and judge it; again in the default mode where both must be the same."""
    runs = [run_mode(case, runner, output_folder, RunMode.REGENIE)]
    if case.genotype_format != READ_FORMAT:
        verdict = judge_other_format(case=case, run=runs[0])
    elif case.expect is Expectation.ERROR:
        verdict = judge_refusal(case=case, run=runs[0], golden_folder=golden_folder)
    else:
        verdict = judge_finished(case=case, run=runs[0], golden_folder=golden_folder, tolerances=tolerances)
    sameness: list[str] = []
    if has_one_sample_set(runs[0]):
        runs.append(run_mode(case, runner, output_folder, RunMode.DEFAULT))
        sameness = compare_modes(*runs)
    return CaseResult(
        id=case.id,
        trait_type=case.trait_type,
        wall_seconds=sum(run.wall_seconds for run in runs),
        modes=(RunMode.REGENIE, RunMode.DEFAULT)[: len(runs)],
        difference=verdict.difference,
        files=verdict.files,
        problems=(*verdict.problems, *sameness),
    )


def run_mode(case: GoldenCase, runner: WarmRunner, output_folder: Path, mode: RunMode) -> CaseRun:
    """Run a case in one mode, in that mode's own folder."""
    return runner.run(case=case, mode=mode, output_folder=output_folder / mode.value)


def has_one_sample_set(run: CaseRun) -> bool:
    """Whether a run's join report says that all its traits have the same samples; False where it left none."""
    try:
        report: object = json.loads((run.run_directory / "join_report.json").read_text(encoding="utf-8"))
    except OSError:
        return False
    return isinstance(report, dict) and report.get("n_sample_sets") == 1


def compare_modes(regenie: CaseRun, default: CaseRun) -> list[str]:
    """Return what differs between the modes of a case whose traits all have the same samples."""
    if regenie.exit_code != default.exit_code:
        codes = f"exit code {default.exit_code} in the default mode, {regenie.exit_code} with --sample-mode regenie"
        return [f"{codes}: {tail(default.standard_error)}"]
    return [f"in the default mode {problem}" for problem in find_differences(first=regenie, second=default)]
