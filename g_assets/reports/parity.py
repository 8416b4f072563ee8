"""The report of a parity run, in Markdown, and its artifact directory.

Belongs here: what it says, and which files are kept. Does not belong here: running or judging cases (parity/).
"""

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from g_assets.artifacts import paths
from g_assets.artifacts.models import (
    Aggregation,
    ArtifactKind,
    ArtifactManifest,
    CaseSummary,
    Context,
    Dimension,
    Failure,
    Metric,
    Producer,
    Report,
    Status,
    Unit,
)
from g_assets.artifacts.write import ArtifactWriter
from g_assets.parity.record import COMPARED_COLUMNS, CaseRecord, ParityRecord
from g_assets.reports.format import MISSING, plural, seconds
from g_assets.reports.publish import Published
from g_assets.reports.rows import Table
from g_assets.reports.templates_environment import render
from g_assets.reports.text_table import markdown_table

TOOL = "parity"
TOOL_VERSION = 1
RECORD_NAME = "parity.json"
SHOWN_PROBLEMS = 5
"""Of one case; the record has all."""


@dataclass(frozen=True, slots=True)
class FailedCase:
    """A case that failed, and its first problems."""

    id: str
    problems: tuple[str, ...]


def parity_markdown(record: ParityRecord, name: str) -> str:
    """The report: the verdict first, then what failed, then the largest errors."""
    n_failed = len(record.cases) - record.n_passed
    return render(
        "parity.md.j2",
        headline=f"parity/{name}: {plural(record.n_passed, 'case')} passed, {n_failed} failed",
        reference=record.reference,
        golden_folder=record.golden_folder,
        wall=seconds(record.wall_seconds),
        failures=tuple(failed_case(case) for case in record.cases if not case.passed),
        columns=markdown_table(column_table(record)),
        cases=markdown_table(case_table(record)),
    )


def failed_case(case: CaseRecord) -> FailedCase:
    """The first problems of a case that failed."""
    problems = problems_of(case)
    left_out = len(problems) - SHOWN_PROBLEMS
    more = (f"and {left_out} more",) if left_out > 0 else ()
    return FailedCase(case.id, (*problems[:SHOWN_PROBLEMS], *more))


def problems_of(case: CaseRecord) -> tuple[str, ...]:
    """Every problem of a case."""
    return (*case.problems, *(f"{file.name}: {problem}" for file in case.files for problem in file.problems))


def column_table(record: ParityRecord) -> Table:
    """A line for each compared column: the largest errors over all cases."""
    rows = tuple(
        (column, error(record.largest_relative_error(column)), share(record.largest_share_of_tolerance(column)))
        for column in COMPARED_COLUMNS
    )
    return Table(("column", "largest relative error", "largest share of the tolerance"), rows, left_columns=1)


def case_table(record: ParityRecord) -> Table:
    """A line for each case: verdict, modes, time, and the largest relative error of each column."""
    rows = tuple(
        (
            case.id,
            "passed" if case.passed else "FAILED",
            ", ".join(case.modes),
            seconds(case.wall_seconds),
            *(error(largest_of(case, column)) for column in COMPARED_COLUMNS),
        )
        for case in record.cases
    )
    return Table(("case", "verdict", "modes", "wall", *COMPARED_COLUMNS), rows, left_columns=3)


def largest_of(case: CaseRecord, column: str) -> float | None:
    """The largest relative error of a column of one case."""
    errors = [
        found.largest_relative_error
        for file in case.files
        for found in file.columns
        if found.column.partition(".")[0] == column
    ]
    return max(errors, default=None)


def error(value: float | None) -> str:
    """A relative error in two digits."""
    return MISSING if value is None else f"{value:.1e}"


def share(value: float | None) -> str:
    """A share of a tolerance in per cent."""
    return MISSING if value is None else f"{value:.1%}"


def publish_parity(
    root: Path, *, name: str, run_id: str, record: ParityRecord, context: Context, started_at: datetime
) -> Published:
    """Write ``parity.json`` and the report as an artifact directory, in a folder named after the run.

    Args:
        root: Artifact root.
        name: Which parity asset.
        run_id: Run of the asset.
        record: What was found.
        context: The machine and the build.
        started_at: When the run began.
    """
    markdown = parity_markdown(record, name)
    status = Status.SUCCESS if record.passed else Status.FAILED
    reason = None if record.passed else f"{len(record.cases) - record.n_passed} of {len(record.cases)} cases failed"
    opening = ArtifactManifest(
        producer=Producer(tool=TOOL, tool_version=TOOL_VERSION, commit=context.build.commit, dirty=context.build.dirty),
        run_id=run_id,
        case_id=None,
        status=Status.INTERRUPTED,
        reason=None,
        started_at=started_at,
        finished_at=None,
        context=context,
        artifacts=(),
        input_files=(),
    )
    writer = ArtifactWriter(paths.run_directory(root, TOOL, name, run_id), opening)
    writer.add_model(RECORD_NAME, record, ArtifactKind.RESULT)
    writer.add_model(paths.REPORT_NAME, parity_report(record, run_id, status), ArtifactKind.REPORT)
    writer.add_text(paths.SUMMARY_NAME, markdown, ArtifactKind.SUMMARY)
    writer.event("finished", f"{status.value}: {reason or 'complete'}")
    ending = {"status": status, "reason": reason, "finished_at": datetime.now(UTC)}
    writer.finish(writer.opening.model_copy(update=ending))
    record_path = writer.directory / RECORD_NAME
    digest = hashlib.sha256(record_path.read_bytes()).hexdigest()
    return Published(writer.directory, record_path, digest, markdown)


def parity_report(record: ParityRecord, run_id: str, status: Status) -> Report:
    """``report.json`` of a parity run: each case, the largest relative errors, and the cases that failed."""
    failed = [case for case in record.cases if not case.passed]
    return Report(
        run_id=run_id,
        tool=TOOL,
        status=status,
        cases=tuple(case_summary(case) for case in record.cases),
        metrics=tuple(column_metric(record, run_id, column) for column in COMPARED_COLUMNS),
        failures=tuple(
            Failure(
                case_id=case.id,
                trial=None,
                status=Status.FAILED,
                reason="\n".join(failed_case(case).problems),
                log_tail="",
                log_path=None,
            )
            for case in failed
        ),
    )


def case_summary(case: CaseRecord) -> CaseSummary:
    """How one case ended."""
    problems = problems_of(case)
    return CaseSummary(
        case_id=case.id,
        status=Status.SUCCESS if case.passed else Status.FAILED,
        reason=problems[0] if problems else None,
        trials=len(case.modes),
    )


def column_metric(record: ParityRecord, run_id: str, column: str) -> Metric:
    """The largest relative error of one column over all cases."""
    value = record.largest_relative_error(column)
    return Metric(
        run_id=run_id,
        name="largest_relative_error",
        value=value,
        reason="no case has the column" if value is None else None,
        unit=Unit.RATIO,
        aggregation=Aggregation.MAXIMUM,
        higher_is_better=False,
        dimensions=(Dimension(name="column", value=column),),
    )
