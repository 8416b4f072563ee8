"""Writing the joined manifest, the comparison and the report of a run as artifact directories.

Belongs here: which files they hold. Does not belong here: what Dagster keeps of them (defs/), or their text (matrix.py,
comparison.py).
"""

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from g_assets.artifacts import paths
from g_assets.artifacts.cell_report import cell_failures, cell_metrics
from g_assets.artifacts.models import (
    ArtifactKind,
    ArtifactManifest,
    CaseSummary,
    Failure,
    Metric,
    Producer,
    Report,
    Status,
)
from g_assets.artifacts.write import ArtifactWriter
from g_assets.campaigns.matrix_manifest import MatrixManifest
from g_assets.compare.models import MatrixComparison
from g_assets.reports.comparison import comparison_markdown
from g_assets.reports.matrix import matrix_markdown


@dataclass(frozen=True, slots=True)
class Published:
    """Where a record was written, its digest, and the Markdown for people beside it."""

    directory: Path
    record_path: Path
    record_sha256: str
    markdown: str


def publish_matrix(root: Path, manifest: MatrixManifest) -> Published:
    """Write ``matrix.json`` and its report; ``record_path`` and its digest are what a later run finds it by."""
    directory = paths.matrix_directory(root, manifest.plan.campaign, manifest.dataset, manifest.run_id)
    markdown = matrix_markdown(manifest, None)
    writer = open_directory(directory, manifest)
    writer.add_model(paths.MATRIX_NAME, manifest, ArtifactKind.MATRIX)
    writer.add_model(paths.SPEC_NAME, manifest.plan, ArtifactKind.CONFIG)
    return finish(writer, paths.MATRIX_NAME, manifest, markdown)


def publish_comparison(root: Path, manifest: MatrixManifest, comparison: MatrixComparison) -> Published:
    """Write ``comparisons.json`` and its report."""
    directory = paths.comparison_directory(root, manifest.plan.campaign, manifest.dataset, manifest.run_id)
    writer = open_directory(directory, manifest)
    writer.add_model(paths.COMPARISON_NAME, comparison, ArtifactKind.COMPARISON)
    return finish(writer, paths.COMPARISON_NAME, manifest, comparison_markdown(comparison))


def publish_report(root: Path, manifest: MatrixManifest, comparison: MatrixComparison | None) -> Published:
    """Write the report of the whole run, with the comparison in it."""
    directory = paths.report_directory(root, manifest.plan.campaign, manifest.dataset, manifest.run_id)
    writer = open_directory(directory, manifest)
    return finish(writer, paths.SUMMARY_NAME, manifest, matrix_markdown(manifest, comparison))


def open_directory(directory: Path, manifest: MatrixManifest) -> ArtifactWriter:
    """Begin an artifact directory of this run."""
    opening = ArtifactManifest(
        producer=Producer(
            tool=manifest.plan.campaign,
            tool_version=manifest.plan.version,
            commit=manifest.commit,
            dirty=manifest.dirty,
        ),
        run_id=manifest.run_id,
        case_id=None,
        status=Status.INTERRUPTED,
        reason=None,
        started_at=datetime.now(UTC),
        finished_at=None,
        context=manifest.cells[0].context if manifest.cells else None,
        artifacts=(),
        input_files=(),
    )
    return ArtifactWriter(directory, opening)


def finish(writer: ArtifactWriter, record_name: str, manifest: MatrixManifest, markdown: str) -> Published:
    """Write report, summary and, last, the manifest of the directory."""
    writer.add_model(paths.REPORT_NAME, matrix_report(manifest), ArtifactKind.REPORT)
    writer.add_text(paths.SUMMARY_NAME, markdown, ArtifactKind.SUMMARY)
    writer.event("finished", f"{manifest.status.value}: {manifest.reason or 'complete'}")
    ending = {"status": manifest.status, "reason": manifest.reason, "finished_at": datetime.now(UTC)}
    writer.finish(writer.opening.model_copy(update=ending))
    record_path = writer.directory / record_name
    digest = hashlib.sha256(record_path.read_bytes()).hexdigest()
    return Published(writer.directory, record_path, digest, markdown)


def matrix_report(manifest: MatrixManifest) -> Report:
    """``report.json`` of a matrix: its cells' metrics and failures together."""
    metrics: list[Metric] = []
    failures: list[Failure] = []
    for cell in manifest.cells:
        metrics += [metric.model_copy(update={"source": None}) for metric in cell_metrics(cell)]
        failures += cell_failures(cell)
    return Report(
        run_id=manifest.run_id,
        tool=manifest.plan.campaign,
        status=manifest.status,
        cases=tuple(
            CaseSummary(case_id=cell.case_id, status=cell.status, reason=cell.reason, trials=len(cell.trials))
            for cell in manifest.cells
        ),
        metrics=tuple(metrics),
        failures=tuple(failures),
    )
