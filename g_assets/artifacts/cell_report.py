"""The report of one cell: its metrics, its failures, a few lines for people.

Belongs here: from a measured cell to the records of the artifact format. Does not belong here: reports that join cells
or compare runs (reports/).
"""

from g_assets.artifacts.cell import CellManifest, Trial
from g_assets.artifacts.models import (
    Aggregation,
    CaseSummary,
    Dimension,
    Failure,
    Metric,
    Report,
    Source,
    Status,
    Unit,
)
from g_assets.artifacts.paths import CELL_NAME


def cell_metrics(cell: CellManifest) -> tuple[Metric, ...]:
    """Every number of every trial, each with its place in ``cell.json``."""
    return tuple(metric for index, trial in enumerate(cell.trials) for metric in trial_metrics(cell, index, trial))


def trial_metrics(cell: CellManifest, index: int, trial: Trial) -> list[Metric]:
    """The numbers of one trial."""

    def metric(
        name: str, value: float, unit: Unit, pointer: str, *, higher_is_better: bool | None, stage: str | None = None
    ) -> Metric:
        return Metric(
            run_id=cell.run_id,
            name=name,
            value=float(value),
            unit=unit,
            aggregation=Aggregation.SINGLE,
            higher_is_better=higher_is_better,
            case_id=cell.case_id,
            trial=trial.number,
            dimensions=() if stage is None else (Dimension(name="stage", value=stage),),
            source=Source(path=CELL_NAME, pointer=f"/trials/{index}/{pointer}"),
        )

    metrics = [metric("wall_seconds", trial.wall_seconds, Unit.SECONDS, "wall_seconds", higher_is_better=False)]
    metrics.append(metric("cpu_seconds", trial.cpu_seconds, Unit.SECONDS, "cpu_seconds", higher_is_better=False))
    metrics.append(
        metric("peak_memory_bytes", trial.peak_memory_bytes, Unit.BYTES, "peak_memory_bytes", higher_is_better=False)
    )
    figures = trial.figures
    if figures is None:
        return metrics
    for name, value, unit, better in (
        ("rows", figures.rows, Unit.ROWS, None),
        ("rows_failed", figures.rows_failed, Unit.ROWS, False),
        ("parts", figures.parts, Unit.PARTS, None),
        ("result_bytes", figures.result_bytes, Unit.BYTES, None),
        ("variants", figures.variants, Unit.VARIANTS, None),
        ("scan_seconds", figures.scan_seconds, Unit.SECONDS, False),
        ("variants_per_second", figures.variants_per_second, Unit.VARIANTS_PER_SECOND, True),
        ("compile_seconds", figures.compile_seconds, Unit.SECONDS, False),
        ("n_compiled", figures.n_compiled, Unit.COUNT, None),
        ("n_cache_hits", figures.n_cache_hits, Unit.COUNT, None),
    ):
        metrics.append(metric(name, value, unit, f"figures/{name}", higher_is_better=better))
    for number, stage in enumerate(figures.stages):
        pointer = f"figures/stages/{number}/seconds"
        metrics.append(
            metric("stage_seconds", stage.seconds, Unit.SECONDS, pointer, higher_is_better=False, stage=stage.stage)
        )
    return metrics


def cell_report(cell: CellManifest) -> Report:
    """``report.json`` of a cell."""
    return Report(
        run_id=cell.run_id,
        tool=cell.campaign,
        status=cell.status,
        cases=(CaseSummary(case_id=cell.case_id, status=cell.status, reason=cell.reason, trials=len(cell.trials)),),
        metrics=cell_metrics(cell),
        failures=cell_failures(cell),
    )


def cell_failures(cell: CellManifest) -> tuple[Failure, ...]:
    """What went wrong: each bad trial, or the reason why a case that should have run did not."""
    failures = tuple(
        Failure(
            case_id=cell.case_id,
            trial=trial.number,
            status=trial.status,
            reason=trial.reason or trial.status.value,
            log_tail=trial.log_tail,
            log_path=trial.stderr,
        )
        for trial in cell.trials
        if trial.status is not Status.SUCCESS
    )
    if failures or cell.status is not Status.FAILED:
        return failures
    reason = cell.reason or cell.status.value
    return (Failure(case_id=cell.case_id, trial=None, status=cell.status, reason=reason, log_tail="", log_path=None),)


def cell_summary(cell: CellManifest) -> str:
    """``summary.md`` of a cell: how it ended, and each trial in a line."""
    lines = [f"# {cell.case_id}: {cell.status.value}", ""]
    if cell.reason is not None:
        lines += [f"Reason: {cell.reason}", ""]
    lines.append(f"Run {cell.run_id}, dataset {cell.dataset}, {cell.context.host.hostname}.")
    for trial in cell.trials:
        figures = trial.figures
        scan = "" if figures is None else f", {figures.rows} rows, {figures.variants_per_second:.0f} variants a second"
        lines.append(f"- trial {trial.number}: {trial.status.value}, {trial.wall_seconds:.2f} s{scan}")
    return "\n".join(lines) + "\n"
