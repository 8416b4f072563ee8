"""The rows of the tables, as text: one place for Markdown and for the terminal.

Belongs here: which columns a table has. Does not belong here: how a table is drawn (text_table.py, templates/).
"""

from dataclasses import dataclass

from g_assets.artifacts.cell import CellManifest
from g_assets.campaigns.matrix_manifest import MatrixManifest
from g_assets.compare.models import CellComparison, MatrixComparison, MetricComparison, ResultParity
from g_assets.reports.format import MISSING, change, count, seconds, size


@dataclass(frozen=True, slots=True)
class Table:
    """Header and rows, all text. Columns after the first ``left_columns`` are numbers, set to the right."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left_columns: int


def matrix_table(manifest: MatrixManifest, comparison: MatrixComparison | None) -> Table:
    """A line for each planned cell, also for one that left nothing."""
    compared = {} if comparison is None else {cell.case_id: cell for cell in comparison.cells}
    rows = (
        matrix_row(case.case_id, manifest.cell(case.case_id), compared.get(case.case_id))
        for case in manifest.plan.cases
    )
    header = ("cell", "status", "verdict", "wall", "change", "variants/s", "peak memory", "rows", "trials")
    return Table(header, tuple(rows), left_columns=3)


def matrix_row(case_id: str, cell: CellManifest | None, compared: CellComparison | None) -> tuple[str, ...]:
    """One cell in a line."""
    if cell is None:
        return (case_id, "missing", *[MISSING] * 7)
    return (
        case_id,
        cell.status.value,
        verdict_text(compared),
        seconds(cell.wall_seconds),
        change(compared.metrics[0].ratio) if compared is not None and compared.metrics else MISSING,
        count(cell.variants_per_second),
        size(cell.peak_memory_bytes),
        count(cell.rows),
        str(len(cell.measured)),
    )


def verdict_text(compared: CellComparison | None) -> str:
    """The judgement of a cell; where its numbers moved there is no other."""
    if compared is None:
        return MISSING
    if compared.results is ResultParity.MOVED:
        return "FAILED: numbers moved"
    return compared.judgement.value.replace("_", " ")


def stage_table(manifest: MatrixManifest) -> Table:
    """Seconds of each stage of each measured cell's first trial."""
    measured = [cell for cell in manifest.cells if cell.figures]
    names = sorted({stage.stage for cell in measured for stage in cell.figures[0].stages})
    rows: list[tuple[str, ...]] = []
    for cell in measured:
        stages = {stage.stage: stage.seconds for stage in cell.figures[0].stages}
        rows.append((cell.case_id, *(seconds(stages.get(name)) for name in names)))
    return Table(("cell", *names), tuple(rows), left_columns=1)


def comparison_table(comparison: MatrixComparison) -> Table:
    """A line for each metric of each cell; one for a cell that cannot be compared."""
    rows: list[tuple[str, ...]] = []
    for cell in comparison.cells:
        if cell.metrics and cell.metrics[0].ratio is not None:
            rows += [metric_row(cell, metric) for metric in cell.metrics]
        else:
            rows.append((cell.case_id, MISSING, "not comparable", cell.reason, MISSING, MISSING, MISSING))
    header = ("cell", "metric", "verdict", "why", "baseline", "this run", "change")
    return Table(header, tuple(rows), left_columns=4)


def metric_row(cell: CellComparison, metric: MetricComparison) -> tuple[str, ...]:
    """One metric of one cell in a line."""
    words = metric.judgement.value.replace("_", " ")
    values = (metric_value(metric, metric.baseline), metric_value(metric, metric.current))
    return (cell.case_id, metric.name, words, metric.reason, *values, change(metric.ratio))


def metric_value(metric: MetricComparison, value: float | None) -> str:
    """A metric's value in its unit."""
    match metric.unit.value:
        case "seconds":
            return seconds(value)
        case "bytes":
            return size(None if value is None else round(value))
        case _:
            return count(value)
