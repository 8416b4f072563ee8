"""The metrics of two cells side by side, and when a change of time is no change of work.

Belongs here: which metrics are compared, and the doubt that a busy machine casts on wall times. Does not belong here:
the rule for one number (verdict.py).
"""

from collections.abc import Sequence

from g_assets.artifacts.cell import CellManifest, median_or_none
from g_assets.artifacts.models import Judgement, Unit
from g_assets.compare.models import MetricComparison
from g_assets.compare.verdict import judge_metric

WALL_METRICS = ("wall_seconds", "variants_per_second")
CHANGES = (Judgement.IMPROVEMENT, Judgement.REGRESSION)


def metric_pairs(
    current: CellManifest, baseline: CellManifest, neutral_band_percent: float
) -> tuple[MetricComparison, ...]:
    """The metrics of two cells side by side; the wall time first."""

    def pair(
        name: str, unit: Unit, values: Sequence[float], earlier: Sequence[float], *, higher_is_better: bool
    ) -> MetricComparison:
        verdict = judge_metric(values, earlier, higher_is_better=higher_is_better, band_percent=neutral_band_percent)
        return MetricComparison(
            name=name,
            unit=unit,
            higher_is_better=higher_is_better,
            current=median_or_none(values),
            baseline=median_or_none(earlier),
            current_trials=len(values),
            baseline_trials=len(earlier),
            ratio=verdict.ratio,
            judgement=verdict.judgement,
            reason=verdict.reason,
        )

    now, then = current.measured, baseline.measured
    pairs = (
        pair(
            "wall_seconds",
            Unit.SECONDS,
            [trial.wall_seconds for trial in now],
            [trial.wall_seconds for trial in then],
            higher_is_better=False,
        ),
        pair(
            "cpu_seconds",
            Unit.SECONDS,
            [trial.cpu_seconds for trial in now],
            [trial.cpu_seconds for trial in then],
            higher_is_better=False,
        ),
        pair(
            "variants_per_second",
            Unit.VARIANTS_PER_SECOND,
            [figures.variants_per_second for figures in current.figures],
            [figures.variants_per_second for figures in baseline.figures],
            higher_is_better=True,
        ),
        pair(
            "peak_memory_bytes",
            Unit.BYTES,
            [trial.peak_memory_bytes for trial in now],
            [trial.peak_memory_bytes for trial in then],
            higher_is_better=False,
        ),
    )
    return tuple(doubted(metric, pairs, busy_text(current, baseline)) for metric in pairs)


def doubted(metric: MetricComparison, pairs: Sequence[MetricComparison], busy: str | None) -> MetricComparison:
    """A change of wall time on a busy machine says nothing unless the CPU time changed with it."""
    cpu = next(other for other in pairs if other.name == "cpu_seconds")
    if busy is None or metric.name not in WALL_METRICS or metric.judgement not in CHANGES or cpu.judgement in CHANGES:
        return metric
    trials = f"n={metric.current_trials} against n={metric.baseline_trials}"
    reason = f"{trials}; {busy}, and the CPU time shows no clear change"
    return metric.model_copy(update={"judgement": Judgement.INCONCLUSIVE, "reason": reason})


def busy_text(current: CellManifest, baseline: CellManifest) -> str | None:
    """Whether other work than its own kept a machine busy when a side began: more load than it has CPUs."""
    for name, cell in (("this run", current), ("the baseline", baseline)):
        host = cell.context.host
        load = host.load_average_at_start
        if load is not None and load > host.cpu_affinity_count:
            return f"the machine of {name} was busy (load {load:.1f} on {host.cpu_affinity_count} CPUs)"
    return None
