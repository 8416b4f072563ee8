"""Moments of groups that lack a few of the kept samples: those of all kept samples less those of the lacking ones.

Belongs here: the subtraction, exact for stored probabilities because it is done in their steps. Does not belong here:
what the moments mean (kernels/), which groups are treated so (sample_sets.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from g_core import _native
from g_core.engine.block_moments import BlockSums

FloatArray = npt.NDArray[np.float64]
IntegerArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class MaskMoments:
    """Of one chunk in G groups, [G, V] each; see VariantMoments.

    Attributes:
        mean_shift: The group's mean dosage less that of all kept samples, counted as the values count, in units; 0
            where no genotype is missing.
    """

    n_present: IntegerArray
    dosage_sum: FloatArray
    info_sum: FloatArray
    male_present: IntegerArray
    male_dosage_sum: FloatArray
    centred_square_sum: FloatArray
    mean_shift: FloatArray


def mask_moments(
    kept: _native.VariantMoments, lacking: Sequence[_native.GenotypeSums], n_samples: IntegerArray
) -> MaskMoments:
    """Subtract.

    Args:
        kept: A chunk's moments over all kept samples.
        lacking: Sums over the kept samples that each group lacks.
        n_samples: [G] samples of each group.
    """
    unit = kept.unit
    # Whole steps of stored probabilities, where dosages have them; one step is the dosage itself elsewhere.
    steps = np.where(unit < 1.0, np.rint(1.0 / unit), 1.0)
    exact = unit < 1.0
    n_present = kept.n_present - np.stack([sums.n_present for sums in lacking])

    def left(whole: FloatArray, parts: list[FloatArray], scale: FloatArray) -> FloatArray:
        lost = np.stack(parts)
        return np.where(exact, np.rint(whole * scale) - np.rint(lost * scale), whole - lost)

    dosage = left(kept.dosage_sum, [sums.dosage_sum for sums in lacking], steps)
    squares = left(kept.square_sum, [sums.square_sum for sums in lacking], steps * steps)
    information = left(kept.info_sum, [sums.info_sum for sums in lacking], steps * steps)
    male_dosage = left(kept.male_dosage_sum, [sums.male_dosage_sum for sums in lacking], steps)
    two = 2.0 * steps
    flipped = kept.flipped
    counted = np.where(flipped, two * n_present - dosage, dosage)
    counted_squares = np.where(flipped, two * two * n_present - 2.0 * two * dosage + squares, squares)
    centre = np.where(exact, np.rint(kept.centre * steps), kept.centre)
    centred = counted_squares - 2.0 * centre * counted + n_present * centre * centre
    with np.errstate(divide="ignore", invalid="ignore"):
        above_centre = np.where(n_present > 0, (counted - centre * n_present) / n_present, 0.0) / steps
    n_missing = n_samples[:, None] - n_present
    return MaskMoments(
        n_present=n_present,
        dosage_sum=dosage / steps,
        info_sum=information / (steps * steps),
        male_present=kept.male_present - np.stack([sums.male_present for sums in lacking]),
        male_dosage_sum=male_dosage / steps,
        centred_square_sum=centred / (steps * steps) + n_missing * above_centre * above_centre,
        mean_shift=mean_shift(kept, above_centre),
    )


def mean_shift(kept: _native.VariantMoments, above_centre: FloatArray) -> FloatArray:
    """See MaskMoments; ``above_centre`` [G, V] is each group's mean less the centre, in dosage."""
    has_missing = np.diff(kept.missing_offsets) > 0
    if not has_missing.any():
        return np.zeros_like(above_centre)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.where(kept.n_present > 0, kept.dosage_sum / kept.n_present, 0.0)
    kept_above = np.where(kept.flipped, 2.0 - mean, mean) - kept.centre
    return np.where(has_missing, (above_centre - kept_above) / kept.unit, 0.0)


def missing_products(kept: _native.VariantMoments, columns: FloatArray, n_rows: int) -> FloatArray:
    """Sum of ``columns`` [C, W] over the samples whose genotype is missing, [n_rows, W]; 0 in padded rows."""
    sums = np.zeros((n_rows, columns.shape[1]))
    offsets, missing = kept.missing_offsets, kept.missing_columns
    rows = np.flatnonzero(np.diff(offsets) > 0)
    if rows.size:
        sums[rows] = np.add.reduceat(columns[missing], offsets[rows], axis=0)
    return sums


def join_mask_sums(chunks: Sequence[MaskMoments], group: int) -> BlockSums:
    """One group's sums over a block's chunks in order."""
    return BlockSums(
        n_present=np.concatenate([chunk.n_present[group] for chunk in chunks]),
        dosage_sum=np.concatenate([chunk.dosage_sum[group] for chunk in chunks]),
        info_sum=np.concatenate([chunk.info_sum[group] for chunk in chunks]),
        male_present=np.concatenate([chunk.male_present[group] for chunk in chunks]),
        male_dosage_sum=np.concatenate([chunk.male_dosage_sum[group] for chunk in chunks]),
    )
