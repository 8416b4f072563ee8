"""Whether a golden case is right.

Belongs here: what must hold for a case to pass, by kind of expectation and kind of output file, never by case id. Does
not belong here: running (warm_process.py), the comparison of numbers (compare.py), refusals (refusals.py).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from g_assets.parity.cases import GoldenCase
from g_assets.parity.causes import Cause, derive_causes
from g_assets.parity.compare import FileComparison, TablePair, compare_tables
from g_assets.parity.differences import Difference, find_difference
from g_assets.parity.firth_rows import find_firth_rows
from g_assets.parity.input_tables import read_inputs
from g_assets.parity.refusals import find_refusal_problems, names, tail
from g_assets.parity.regenie_table import TableError, read_table
from g_assets.parity.row_order import has_index, in_order_of
from g_assets.parity.run import CaseRun, RunMode
from g_assets.parity.run_manifest import read_finished_run
from g_assets.parity.tolerances import Tolerances

COMPLETE_EXIT_CODE = 0
PARTIAL_EXIT_CODE = 3
TABLE_SUFFIXES = (".regenie", ".regenie.gz")
EXACT_SUFFIXES = (".ids", ".Ydict")


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One case: passed where neither it nor one of its files has a problem."""

    id: str
    trait_type: str
    wall_seconds: float
    """Of all runs of the case."""
    modes: tuple[RunMode, ...]
    """The sample modes that it ran in; those after the first left equal bytes or there is a problem."""
    difference: Difference | None
    """The numbered difference that made a success of REGENIE's refusal."""
    files: tuple[FileComparison, ...]
    problems: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """True where everything agreed."""
        return not self.problems and not any(file.problems for file in self.files)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is wrong with one run of a case."""

    files: tuple[FileComparison, ...] = ()
    problems: tuple[str, ...] = ()
    difference: Difference | None = None


def judge_finished(*, case: GoldenCase, run: CaseRun, golden_folder: Path, tolerances: Tolerances) -> Verdict:
    """Compare what a run left with what REGENIE left."""
    if run.exit_code not in (COMPLETE_EXIT_CODE, PARTIAL_EXIT_CODE):
        return Verdict(problems=(f"the run ended with exit code {run.exit_code}: {tail(run.standard_error)}",))
    try:
        failed = read_finished_run(run).incomplete_traits
    except TableError as error:
        return Verdict(problems=(str(error),))
    problems = [
        f"trait {name} failed and the message does not name it: {tail(run.standard_error)}"
        for name in failed
        if not names(run.standard_error, name)
    ]
    if run.exit_code == PARTIAL_EXIT_CODE and not failed:
        problems.append("the run ended with exit code 3 and no trait failed")
    problems.extend(f"{name} was written and REGENIE has no such file" for name in superfluous_files(case, run))
    files = tuple(
        compare_output(case=case, run=run, output=output, golden_folder=golden_folder, tolerances=tolerances)
        for output in case.outputs
    )
    return Verdict(files=files, problems=tuple(problems))


def superfluous_files(case: GoldenCase, run: CaseRun) -> tuple[str, ...]:
    """Result files of ours that REGENIE did not write."""
    theirs = {PurePosixPath(output).name for output in case.outputs}
    ours = (path.name for path in run.prefix.parent.glob(f"{run.prefix.name}[_.]*") if path.is_file())
    return tuple(sorted(name for name in ours if name not in theirs))


def judge_refusal(*, case: GoldenCase, run: CaseRun, golden_folder: Path) -> Verdict:
    """Judge a run that REGENIE refused: refused with its cause, or a success that a numbered difference allows."""
    inputs = read_inputs(case, golden_folder)
    if run.exit_code == COMPLETE_EXIT_CODE:
        difference = find_difference(case, inputs, golden_folder)
        if difference is not None:
            return Verdict(difference=difference)
    return Verdict(problems=tuple(find_refusal_problems(run=run, causes=derive_causes(case, inputs))))


def judge_other_format(*, case: GoldenCase, run: CaseRun) -> Verdict:
    """Judge a run of another genotype format: it must be refused by the name of its option."""
    cause = Cause((f"--{case.genotype_format}",))
    return Verdict(problems=tuple(find_refusal_problems(run=run, causes=(cause,))))


def compare_output(
    *, case: GoldenCase, run: CaseRun, output: str, golden_folder: Path, tolerances: Tolerances
) -> FileComparison:
    """Compare one file that REGENIE wrote with ours of the same name, by the rule of its kind."""
    name = PurePosixPath(output).name
    expected_path, actual_path = golden_folder / output, run.prefix.parent / name
    if not actual_path.is_file():
        return without_numbers(name, "the file was not written")
    if name.endswith(TABLE_SUFFIXES):
        return compare_table_files(
            name=name,
            expected_path=expected_path,
            actual_path=actual_path,
            run=run,
            standard_error_from_statistic=case.has("--firth-se"),
            any_order=has_index(case, golden_folder),
            tolerances=tolerances,
        )
    expected, actual = expected_path.read_bytes(), actual_path.read_bytes()
    if name.endswith(EXACT_SUFFIXES):
        return without_numbers(name, *(("the bytes differ from REGENIE's",) if expected != actual else ()))
    return without_numbers(name, *shape_problems(name, expected.decode(), actual.decode()))


def compare_table_files(
    *,
    name: str,
    expected_path: Path,
    actual_path: Path,
    run: CaseRun,
    standard_error_from_statistic: bool,
    any_order: bool,
    tolerances: Tolerances,
) -> FileComparison:
    """Compare two result files number by number; ``any_order`` where the order of rows is no matter."""
    try:
        expected, actual = read_table(expected_path), read_table(actual_path)
        firth_rows = find_firth_rows(run=run, text_name=name, table=actual)
        if any_order:
            actual, firth_rows = in_order_of(expected, actual, firth_rows)
        pair = TablePair(
            expected=expected,
            actual=actual,
            firth_rows=firth_rows,
            standard_error_from_statistic=standard_error_from_statistic,
            tolerances=tolerances,
        )
        return compare_tables(name=name, pair=pair)
    except TableError as error:
        return without_numbers(name, str(error))


def shape_problems(name: str, expected: str, actual: str) -> tuple[str, ...]:
    """Compare two files by shape: as many lines, as many fields in each, the same first field.

    ``.firth`` holds starting values in another basis than REGENIE's, and ``.list`` holds paths.
    """
    theirs, ours = ([line.split() for line in text.splitlines()] for text in (expected, actual))
    if [(len(line), line[:1]) for line in theirs] == [(len(line), line[:1]) for line in ours]:
        return ()
    return (f"{name} has other lines, fields or first fields than REGENIE's",)


def without_numbers(name: str, *problems: str) -> FileComparison:
    """The comparison of a file that holds no numbers to compare, or could not be compared."""
    return FileComparison(name=name, n_rows=0, n_firth_rows=0, columns=(), problems=problems)


def largest_errors(results: Sequence[CaseResult], column: str) -> tuple[float, float]:
    """Return the largest share of the bound and relative error of a column over results; NaN where it is in none.

    ``BETA`` is every trait's BETA of a file of several traits.
    """
    errors = [
        error
        for result in results
        for file in result.files
        for error in file.columns
        if error.column.partition(".")[0] == column
    ]
    return (
        max((error.largest_share_of_bound for error in errors), default=math.nan),
        max((error.largest_relative_error for error in errors), default=math.nan),
    )
