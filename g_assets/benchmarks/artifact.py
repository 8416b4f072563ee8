"""The Tooling Artifact of a benchmark run.

Belongs here: opening its directory, and closing it with record, metrics, report and summary. Does not belong here: the
format (artifacts/), or what is measured.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from g_assets.artifacts import paths
from g_assets.artifacts.models import (
    Aggregation,
    ArtifactKind,
    ArtifactManifest,
    CaseSummary,
    Context,
    Failure,
    Metric,
    Producer,
    Report,
    Source,
    Status,
    Unit,
)
from g_assets.artifacts.read import read_record
from g_assets.artifacts.write import ArtifactWriter
from g_assets.benchmarks.record import RECORD_NAME, BenchmarkRecord, Measured
from g_assets.benchmarks.table import figures_table, place_lines, scaling_table, stage_table
from g_assets.reports.format import plural
from g_assets.reports.text_table import markdown_table

TOOL = "benchmarks"
TOOL_VERSION = 1
LOGS = "logs"


def open_artifact(root: Path, context: Context, started_at: datetime) -> ArtifactWriter:
    """Begin the directory of a run, ``ROOT/benchmarks/RUN``; until it is closed it says that it was interrupted."""
    run_id = started_at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    build = context.build
    opening = ArtifactManifest(
        producer=Producer(tool=TOOL, tool_version=TOOL_VERSION, commit=build.commit, dirty=build.dirty),
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
    writer = ArtifactWriter(root / TOOL / run_id, opening)
    writer.path(f"{LOGS}/")
    writer.event("started", f"benchmarks of run {run_id}")
    return writer


def close_artifact(writer: ArtifactWriter, record: BenchmarkRecord) -> ArtifactManifest:
    """Write everything that was found; the manifest last."""
    status = Status.PARTIAL if record.failures else Status.SUCCESS
    reason = f"{plural(len(record.failures), 'row')} not measured" if record.failures else None
    writer.add_model(RECORD_NAME, record, ArtifactKind.RESULT)
    metrics = tuple(record_metrics(record))
    for metric in metrics:
        writer.append(paths.METRICS_NAME, metric, ArtifactKind.METRICS)
    writer.add_model(paths.REPORT_NAME, make_report(record, status, metrics), ArtifactKind.REPORT)
    writer.add_text(paths.SUMMARY_NAME, summary_text(record), ArtifactKind.SUMMARY)
    writer.event("finished", f"{status.value}: {reason or 'complete'}")
    writer.add_existing(LOGS, ArtifactKind.LOG)
    return writer.finish(
        writer.opening.model_copy(update={"status": status, "reason": reason, "finished_at": datetime.now(UTC)})
    )


def read_benchmarks(directory: Path) -> BenchmarkRecord:
    """The record of a benchmark's artifact directory. Raises ArtifactError where there is none."""
    return read_record(directory / RECORD_NAME, BenchmarkRecord)


def record_metrics(record: BenchmarkRecord) -> Iterable[Metric]:
    """Median, least and largest of each row, and its floors."""
    for place, measured in enumerate(record.measured):
        for aggregation, value in (
            (Aggregation.MEDIAN, measured.median),
            (Aggregation.MINIMUM, min(measured.values)),
            (Aggregation.MAXIMUM, max(measured.values)),
        ):
            yield row_metric(record, measured, place, measured.row.unit.value, value, measured.row.unit, aggregation)
        floors = record.floors(measured)
        if floors is not None:
            yield row_metric(record, measured, place, "floors", floors, Unit.RATIO, Aggregation.MEDIAN)


def row_metric(
    record: BenchmarkRecord,
    measured: Measured,
    place: int,
    name: str,
    value: float,
    unit: Unit,
    aggregation: Aggregation,
) -> Metric:
    """One number of a row; less is better for all of them."""
    return Metric(
        run_id=record.run_id,
        name=name,
        value=value,
        unit=unit,
        aggregation=aggregation,
        higher_is_better=False,
        case_id=measured.row.row_id,
        source=Source(path=RECORD_NAME, pointer=f"/measured/{place}/values"),
    )


def make_report(record: BenchmarkRecord, status: Status, metrics: tuple[Metric, ...]) -> Report:
    """``report.json``: each row a case. A row whose task failed has failed; one whose peer is absent was skipped."""
    done = [
        CaseSummary(case_id=measured.row.row_id, status=Status.SUCCESS, reason=None, trials=len(measured.values))
        for measured in record.measured
    ]
    absent = [
        CaseSummary(
            case_id=row.row.row_id,
            status=row.status,
            reason=row.reason,
            trials=0,
        )
        for row in record.unmeasured
    ]
    return Report(
        run_id=record.run_id,
        tool=TOOL,
        status=status,
        cases=(*done, *absent),
        metrics=metrics,
        failures=tuple(
            Failure(
                case_id=row.row.row_id, trial=None, status=row.status, reason=row.reason, log_tail="", log_path=None
            )
            for row in record.failures
        ),
    )


def summary_text(record: BenchmarkRecord) -> str:
    """``summary.md``: place, table, stages, scaling."""
    parts = ["# Benchmarks", "\n".join(f"- {line}" for line in place_lines(record))]
    parts += [f"## Figures\n\n{markdown_table(figures_table(record))}"]
    if record.profiles:
        parts.append(f"## Stages\n\n{markdown_table(stage_table(record.profiles))}")
    parts.append(f"## Scaling\n\n{markdown_table(scaling_table(record))}")
    return "\n\n".join(parts)
