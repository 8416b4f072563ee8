"""The report of a matrix, in Markdown.

Belongs here: what it says and in which order. Does not belong here: its layout (templates/), or any judgement.
"""

from dataclasses import dataclass

from g_assets.artifacts.cell import CellManifest
from g_assets.artifacts.models import Status
from g_assets.campaigns.matrix_manifest import MatrixManifest
from g_assets.compare.models import ComparisonStatus, MatrixComparison
from g_assets.reports.format import commit, moment, short_run
from g_assets.reports.headline import BAD, baseline_sentence, comparison_headline, matrix_headline
from g_assets.reports.rows import comparison_table, matrix_table, stage_table
from g_assets.reports.templates_environment import render
from g_assets.reports.text_table import markdown_table

NOT_MEASURED = (Status.UNSUPPORTED, Status.SKIPPED, Status.DRY_RUN)
ONE_TRIAL = "Every number is of one trial (n=1): it says what happened, not how much it varies."
MORE_TRIALS = "Times and rates are medians over the trials; memory is the largest."


@dataclass(frozen=True, slots=True)
class FailureLine:
    """One failed cell: why, and the end of its log."""

    case_id: str
    status: str
    reason: str
    log_tail: str
    log_path: str


def matrix_markdown(manifest: MatrixManifest, comparison: MatrixComparison | None) -> str:
    """The report. Without a comparison it says that none was made."""
    stages = stage_table(manifest)
    compared = comparison is not None and comparison.status is ComparisonStatus.COMPARED
    return render(
        "matrix.md.j2",
        headline=matrix_headline(manifest),
        run=short_run(manifest.run_id),
        commit=commit(manifest.commit, dirty=manifest.dirty),
        finished=moment(manifest.finished_at),
        place=place_sentence(manifest),
        baseline="Not compared with any run." if comparison is None else baseline_sentence(comparison),
        comparison_headline=comparison_headline(comparison) if comparison is not None and compared else None,
        cells=markdown_table(matrix_table(manifest, comparison)),
        reasons=not_measured(manifest),
        failures=failure_lines(manifest),
        stages=markdown_table(stages) if stages.rows else None,
        differences=markdown_table(comparison_table(comparison)) if comparison is not None and compared else None,
        note=MORE_TRIALS if manifest.plan.trials > 1 else ONE_TRIAL,
    )


def place_sentence(manifest: MatrixManifest) -> str | None:
    """Where it ran: host, processor, GPUs, mode."""
    if not manifest.cells or manifest.place is None:
        return None
    hosts = ", ".join(sorted({cell.context.host.hostname for cell in manifest.cells}))
    counts = ", ".join(map(str, manifest.place.cpu_counts))
    gpus = ", ".join(manifest.place.gpu_models) or "no GPU"
    models = ", ".join(manifest.place.cpu_models)
    return f"Ran on {hosts}: {models}, {counts} CPUs, {gpus}; {manifest.place.compute_mode} mode."


def not_measured(manifest: MatrixManifest) -> tuple[str, ...]:
    """The cells that did not run, one line for each reason; and those that left nothing at all."""
    cells_of: dict[str, list[str]] = {}
    for cell in manifest.cells:
        if cell.status in NOT_MEASURED:
            cells_of.setdefault(f"{cell.status.value}: {cell.reason or 'no reason given'}", []).append(cell.case_id)
    for case in manifest.plan.cases:
        if manifest.cell(case.case_id) is None:
            cells_of.setdefault("left no manifest", []).append(case.case_id)
    return tuple(f"{', '.join(case_ids)}: {reason}" for reason, case_ids in cells_of.items())


def failure_lines(manifest: MatrixManifest) -> tuple[FailureLine, ...]:
    """Each failed cell with the end of its log."""
    return tuple(failure_line(cell) for cell in manifest.cells if cell.status in BAD)


def failure_line(cell: CellManifest) -> FailureLine:
    """One failed cell: the log of its last trial is the one that says why."""
    last = cell.trials[-1] if cell.trials else None
    return FailureLine(
        case_id=cell.case_id,
        status=cell.status.value,
        reason=cell.reason or "no reason given",
        log_tail="" if last is None else last.log_tail,
        log_path="" if last is None else f"{cell.directory}/{last.stderr}",
    )
