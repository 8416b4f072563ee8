"""Which samples each trait is analysed on, in the three sample modes.

Belongs here: the order of the sets (spec section 2.7) and why a sample is left out. Does not belong here: reading
files (joined_inputs.py) and the arrays that kernels read (analysis_set.py). docs/samples.md shows the modes side by
side.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from g_core.config.choices import SampleMode
from g_core.inputs.join_report import DropCount, DropReason
from g_core.inputs.joined_inputs import JoinedInputs

SampleMask = npt.NDArray[np.bool_]
"""One entry a genotyped sample."""

PREDICTION_REASONS = frozenset({DropReason.NO_PREDICTION, DropReason.OTHER_PREDICTION_MISSING})


def availability(
    joined: JoinedInputs, names: Sequence[str], mode: SampleMode, *, impute_missing: bool
) -> dict[str, dict[DropReason, SampleMask]]:
    """For each trait and reason, which samples pass; a kept sample that passes all is analysed for the trait.

    Args:
        joined: The files along the genotyped samples.
        names: The traits of the run that have not failed; at least one.
        mode: Only complete_case asks for every trait; the union of ``regenie`` is taken later (group_traits).
        impute_missing: A sample with any trait of the run counts as having all of them (``--force-impute``; REGENIE
            pheno_read, spec section 2.4).
    """
    everyone = np.ones(len(joined.kept), dtype=np.bool_)
    observed = {name: ~np.isnan(joined.values[name]) for name in names}
    if impute_missing:
        observed = dict.fromkeys(names, of_any(observed.values()))
    predicted = {name: everyone if joined.predictions is None else joined.predictions[name].available for name in names}
    complete = mode is SampleMode.COMPLETE_CASE
    all_observed = of_all(observed.values()) if complete else everyone
    all_predicted = of_all(predicted.values()) if complete else everyone
    return {
        name: {
            DropReason.NO_PHENOTYPE_ROW: joined.phenotypes.has_row,
            DropReason.PHENOTYPE_MISSING: observed[name],
            DropReason.OTHER_PHENOTYPE_MISSING: all_observed,
            DropReason.NO_COVARIATE_ROW: joined.design.has_row,
            DropReason.COVARIATE_MISSING: joined.design.complete,
            DropReason.NO_PREDICTION: predicted[name],
            DropReason.OTHER_PREDICTION_MISSING: all_predicted,
        }
        for name in names
    }


def analysed_samples(kept: SampleMask, passes: Mapping[DropReason, SampleMask]) -> SampleMask:
    """Samples of one trait (the spec's M_p)."""
    return of_all([kept, *passes.values()])


def samples_before_predictions(kept: SampleMask, passes: Mapping[DropReason, SampleMask]) -> SampleMask:
    """Samples of one trait before predictions mask any: what values are transformed and averaged over."""
    return of_all([kept, *(passing for reason, passing in passes.items() if reason not in PREDICTION_REASONS)])


def count_drops(kept: SampleMask, passes: Mapping[DropReason, SampleMask]) -> tuple[DropCount, ...]:
    """How many kept samples each reason takes, the first reason that applies counting."""
    left = kept.copy()
    drops: list[DropCount] = []
    for reason, passing in passes.items():
        lost = int(np.count_nonzero(left & ~passing))
        if lost:
            drops.append(DropCount(reason=reason, n_samples=lost))
        left &= passing
    return tuple(drops)


def of_all(masks: Iterable[SampleMask]) -> SampleMask:
    """Samples of every mask; there is at least one."""
    first, *others = masks
    common = first.copy()
    for other in others:
        common &= other
    return common


def of_any(masks: Iterable[SampleMask]) -> SampleMask:
    """Samples of at least one mask; there is at least one."""
    first, *others = masks
    union = first.copy()
    for other in others:
        union |= other
    return union


def have_one_mask(masks: Iterable[SampleMask]) -> bool:
    """True where all traits are analysed on the same samples, and the three modes mean the same."""
    first, *others = masks
    return all(np.array_equal(first, other) for other in others)
