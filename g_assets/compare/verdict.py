"""The judgement of one metric from a few trials on each side.

Belongs here: the rule. It claims no more than the trials can carry: with one trial a side the noise is unknown, so a
change has to be twice the neutral band to be called one. Does not belong here: which metrics are compared (matrix.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from g_assets.artifacts.models import Judgement

CLEAR_CHANGE_BANDS = 2.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found: ratio of the medians (current over baseline), judgement, and why in a few words."""

    ratio: float | None
    judgement: Judgement
    reason: str


def judge_metric(
    current: Sequence[float], baseline: Sequence[float], *, higher_is_better: bool, band_percent: float
) -> Verdict:
    """Judge one metric.

    Args:
        current: One value a trial, in the metric's unit.
        baseline: The same of the earlier run.
        higher_is_better: Direction of the metric.
        band_percent: Change within which it counts as the same.

    Returns:
        Within the band: neutral, unless the trials of one side lie further apart than the band. Beyond it: with one
        trial a side inconclusive up to twice the band; with more, inconclusive while the two sides' ranges overlap.
        Else improvement or regression. Nothing to divide by: not comparable.
    """
    if not current or not baseline:
        return Verdict(None, Judgement.NOT_COMPARABLE, "not measured on both sides")
    base = median(baseline)
    if base <= 0:
        return Verdict(None, Judgement.NOT_COMPARABLE, "the baseline is zero")
    ratio = median(current) / base
    counts = f"n={len(current)} against n={len(baseline)}"
    doubt = doubt_of(ratio, current, baseline, band_percent / 100)
    if doubt is not None:
        return Verdict(ratio, Judgement.INCONCLUSIVE, f"{counts}; {doubt}")
    if inside_band(ratio, band_percent / 100):
        return Verdict(ratio, Judgement.NEUTRAL, f"{counts}; within {band_percent:g} %")
    better = (ratio > 1) == higher_is_better
    judgement = Judgement.IMPROVEMENT if better else Judgement.REGRESSION
    single = len(current) == 1 or len(baseline) == 1
    return Verdict(
        ratio, judgement, f"{counts}; beyond {CLEAR_CHANGE_BANDS * band_percent if single else band_percent:g} %"
    )


def doubt_of(ratio: float, current: Sequence[float], baseline: Sequence[float], band: float) -> str | None:
    """Why these trials cannot tell, or None."""
    if inside_band(ratio, band):
        spread = max(relative_spread(current), relative_spread(baseline))
        return f"the trials spread over {spread:.0%}" if spread > band else None
    if len(current) == 1 or len(baseline) == 1:
        return "too little for a single trial" if inside_band(ratio, CLEAR_CHANGE_BANDS * band) else None
    return "the ranges of the trials overlap" if ranges_overlap(current, baseline) else None


def inside_band(ratio: float, band: float) -> bool:
    """Whether a ratio is within a band; symmetric, so that A against B and B against A agree."""
    return 1 / (1 + band) <= ratio <= 1 + band


def relative_spread(values: Sequence[float]) -> float:
    """Distance of the largest from the smallest value, over the median."""
    middle = median(values)
    return (max(values) - min(values)) / middle if middle > 0 else 0.0


def ranges_overlap(first: Sequence[float], second: Sequence[float]) -> bool:
    """Whether two sets of trials have a value range in common."""
    return max(first) >= min(second) and max(second) >= min(first)
