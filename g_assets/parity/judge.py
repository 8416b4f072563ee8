"""Whether a run of a golden case is right.

Belongs here: what must hold for a case to pass, by kind of expectation and kind of output file, never by case id.
"""

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import numpy as np
import numpy.typing as npt
import polars as pl

from g_assets.parity.cases import Expectation, GoldenCase
from g_assets.parity.compare import FileComparison, compare_tables
from g_assets.parity.regenie_table import TableError, read_table
from g_assets.parity.run import CaseRun, run_case
from g_assets.parity.tolerances import Tolerances

FINISHED_EXIT_CODES = (0, 3)
"""With 3 a trait failed; that is right where every file that REGENIE wrote is there and agrees."""
REFUSED_EXIT_CODES = (2, 3)
TAIL_CHARACTERS = 400


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One case: passed where neither it nor one of its files has a problem."""

    id: str
    wall_seconds: float
    files: tuple[FileComparison, ...]
    problems: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """True where everything agreed."""
        return not self.problems and not any(file.problems for file in self.files)


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
        output_folder: Each case gets a folder of its own in it.
        tolerances: How far a number may be off.
        jobs: Runs at a time.
        timeout_seconds: Longest time of one run.
        on_result: Called with each result as soon as it and those before it are known.
    """

    def check(case: GoldenCase) -> CaseResult:
        run = run_case(
            case=case,
            golden_folder=golden_folder,
            output_folder=output_folder / case.id,
            timeout_seconds=timeout_seconds,
        )
        return judge_case(case=case, run=run, golden_folder=golden_folder, tolerances=tolerances)

    results: list[CaseResult] = []
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        for result in pool.map(check, cases):
            on_result(result)
            results.append(result)
    return tuple(results)


def judge_case(*, case: GoldenCase, run: CaseRun, golden_folder: Path, tolerances: Tolerances) -> CaseResult:
    """Compare what a run left with what REGENIE left."""
    if case.expect is Expectation.ERROR or case.genotype_format != "bgen":
        must_name = () if case.genotype_format == "bgen" else (f"--{case.genotype_format}",)
        problems = find_refusal_problems(run=run, must_name=must_name)
        return CaseResult(id=case.id, wall_seconds=run.wall_seconds, files=(), problems=tuple(problems))
    if run.exit_code not in FINISHED_EXIT_CODES:
        problem = f"the run ended with exit code {run.exit_code}: {tail(run.standard_error)}"
        return CaseResult(id=case.id, wall_seconds=run.wall_seconds, files=(), problems=(problem,))
    files = tuple(
        compare_output(run=run, output=output, golden_folder=golden_folder, tolerances=tolerances)
        for output in case.outputs
    )
    return CaseResult(id=case.id, wall_seconds=run.wall_seconds, files=files, problems=())


def find_refusal_problems(*, run: CaseRun, must_name: Sequence[str]) -> list[str]:
    """Return what is wrong with a refusal: its exit code, its message, or that its message leaves out the cause."""
    if run.exit_code not in REFUSED_EXIT_CODES:
        ended = f"ended with exit code {run.exit_code}: {tail(run.standard_error)}"
        return [f"the run must be refused with exit code 2 (or 3) and {ended}"]
    problems: list[str] = []
    if not run.standard_error.strip():
        problems.append("the run was refused without a message")
    if "Traceback (most recent call last)" in run.standard_error:
        problems.append(f"the message is a traceback: {tail(run.standard_error)}")
    problems.extend(
        f"the message does not name {word}: {tail(run.standard_error)}"
        for word in must_name
        if word not in run.standard_error
    )
    return problems


def compare_output(*, run: CaseRun, output: str, golden_folder: Path, tolerances: Tolerances) -> FileComparison:
    """Compare one file that REGENIE wrote with ours of the same name."""
    name = PurePosixPath(output).name
    expected_path, actual_path = golden_folder / output, run.prefix.parent / name
    if not actual_path.is_file():
        return file_with_problem(name=name, problem="the file was not written")
    if name.endswith((".regenie", ".regenie.gz")):
        try:
            expected, actual = read_table(expected_path), read_table(actual_path)
            is_firth = read_firth_rows(prefix=run.prefix, text_name=name, n_rows=actual.frame.height)
            return compare_tables(name=name, expected=expected, actual=actual, is_firth=is_firth, tolerances=tolerances)
        except TableError as error:
            return file_with_problem(name=name, problem=str(error))
    if name.endswith((".ids", ".Ydict")) and expected_path.read_bytes() != actual_path.read_bytes():
        return file_with_problem(name=name, problem="the bytes differ from REGENIE's")
    # What is left (.firth, .list) holds starting values in another basis and paths: that it is there is enough.
    return FileComparison(name=name, n_rows=0, n_firth_rows=0, columns=(), problems=())


def read_firth_rows(*, prefix: Path, text_name: str, n_rows: int) -> npt.NDArray[np.bool_]:
    """Return which rows of a text file a Firth fit gave, from the CORRECTION column of the same run's Parquet parts.

    REGENIE's text does not say it. Rows of a failed fit carry the score test's numbers and are not Firth rows. Parquet
    has rows besides that the text leaves out, as REGENIE does: those without a test that was tried.

    Raises:
        TableError: The parts are absent or have another number of rows than the text.
    """
    trait = text_name.removeprefix(f"{prefix.name}_").removesuffix(".gz").removesuffix(".regenie")
    folder = prefix.with_name(f"{prefix.name}.g") / trait
    if not any(folder.glob("part-*.parquet")):
        raise TableError(f"{folder} holds no Parquet parts, so it cannot be told which rows were corrected")
    try:
        parts = pl.read_parquet(folder / "part-*.parquet", columns=["CORRECTION", "STATUS"])
    except (OSError, pl.exceptions.PolarsError) as error:
        raise TableError(f"{folder}: {str(error).splitlines()[0]}") from error
    rows = parts.select(pl.all().cast(pl.String)).filter((pl.col("STATUS") == "ok") | (pl.col("CORRECTION") != "none"))
    if rows.height != n_rows:
        raise TableError(f"{folder} has {rows.height} rows with a test and {text_name} has {n_rows}")
    is_firth = rows.select(pl.col("CORRECTION").str.starts_with("firth") & (pl.col("STATUS") == "ok")).to_series()
    return is_firth.to_numpy().astype(np.bool_)


def file_with_problem(*, name: str, problem: str) -> FileComparison:
    """Return the comparison of a file that could not be compared."""
    return FileComparison(name=name, n_rows=0, n_firth_rows=0, columns=(), problems=(problem,))


def largest_errors(results: Sequence[CaseResult], column: str) -> tuple[float, float]:
    """Return the largest share of the bound and relative error of a column over results; NaN where it is in none."""
    errors = [error for result in results for file in result.files for error in file.columns if error.column == column]
    return (
        max((error.largest_share_of_bound for error in errors), default=math.nan),
        max((error.largest_relative_error for error in errors), default=math.nan),
    )


def tail(text: str) -> str:
    """Return the end of a program's message on one line."""
    return " | ".join(line.strip() for line in text.strip().splitlines() if line.strip())[-TAIL_CHARACTERS:]
