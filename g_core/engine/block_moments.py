"""What the decoder says of a block's variants beside their values: the moments of its chunks, put together.

Belongs here: taking them from a chunk, and joining them. Does not belong here: what they mean (kernels/genotype.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from g_core import _native

FloatArray = npt.NDArray[np.float64]
IntegerArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class BlockSums:
    """As GenotypeSums, [V] over a block or a chunk of it."""

    n_present: IntegerArray
    dosage_sum: FloatArray
    info_sum: FloatArray
    male_present: IntegerArray
    male_dosage_sum: FloatArray


@dataclass(frozen=True, slots=True)
class BlockMoments:
    """As VariantMoments, [V] over a block or a chunk of it; missing_offsets is [V + 1]."""

    n_present: IntegerArray
    dosage_sum: FloatArray
    info_sum: FloatArray
    male_present: IntegerArray
    male_dosage_sum: FloatArray
    tested_sum: FloatArray
    n_hom_reference: IntegerArray
    n_hom_effect: IntegerArray
    n_nonzero_present: IntegerArray
    flipped: npt.NDArray[np.bool_]
    unit: FloatArray
    centre: FloatArray
    centred_square_sum: FloatArray
    missing_offsets: IntegerArray
    missing_columns: npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class ChunkMoments:
    """Of one chunk in one group; copies, since the decoder's own objects hold the buffer of the chunk's values.

    Attributes:
        moments: Over all samples of the group.
        sparse: [V] bool, REGENIE's rule over them.
        traits: Over each trait's own samples, T entries; empty where those are the group's.
        cases: Over each trait's cases, T entries; empty where the score kernel counts them.
    """

    moments: BlockMoments
    sparse: npt.NDArray[np.bool_]
    traits: tuple[BlockSums, ...]
    cases: tuple[BlockSums, ...]


def copy_sums(sums: _native.GenotypeSums) -> BlockSums:
    """A chunk's sums."""
    return BlockSums(
        n_present=sums.n_present,
        dosage_sum=sums.dosage_sum,
        info_sum=sums.info_sum,
        male_present=sums.male_present,
        male_dosage_sum=sums.male_dosage_sum,
    )


def copy_moments(moments: _native.VariantMoments) -> BlockMoments:
    """A chunk's moments."""
    return BlockMoments(
        n_present=moments.n_present,
        dosage_sum=moments.dosage_sum,
        info_sum=moments.info_sum,
        male_present=moments.male_present,
        male_dosage_sum=moments.male_dosage_sum,
        tested_sum=moments.tested_sum,
        n_hom_reference=moments.n_hom_reference,
        n_hom_effect=moments.n_hom_effect,
        n_nonzero_present=moments.n_nonzero_present,
        flipped=moments.flipped,
        unit=moments.unit,
        centre=moments.centre,
        centred_square_sum=moments.centred_square_sum,
        missing_offsets=moments.missing_offsets,
        missing_columns=moments.missing_columns,
    )


def join_sums(chunks: Sequence[BlockSums]) -> BlockSums:
    """The sums of a block's chunks in order."""
    return BlockSums(
        n_present=np.concatenate([chunk.n_present for chunk in chunks]),
        dosage_sum=np.concatenate([chunk.dosage_sum for chunk in chunks]),
        info_sum=np.concatenate([chunk.info_sum for chunk in chunks]),
        male_present=np.concatenate([chunk.male_present for chunk in chunks]),
        male_dosage_sum=np.concatenate([chunk.male_dosage_sum for chunk in chunks]),
    )


def join_moments(chunks: Sequence[BlockMoments]) -> BlockMoments:
    """The moments of a block's chunks in order."""
    n_missing = np.cumsum([0, *(int(chunk.missing_offsets[-1]) for chunk in chunks)])
    offsets = [chunk.missing_offsets[:-1] + before for chunk, before in zip(chunks, n_missing[:-1], strict=True)]
    return BlockMoments(
        n_present=np.concatenate([chunk.n_present for chunk in chunks]),
        dosage_sum=np.concatenate([chunk.dosage_sum for chunk in chunks]),
        info_sum=np.concatenate([chunk.info_sum for chunk in chunks]),
        male_present=np.concatenate([chunk.male_present for chunk in chunks]),
        male_dosage_sum=np.concatenate([chunk.male_dosage_sum for chunk in chunks]),
        tested_sum=np.concatenate([chunk.tested_sum for chunk in chunks]),
        n_hom_reference=np.concatenate([chunk.n_hom_reference for chunk in chunks]),
        n_hom_effect=np.concatenate([chunk.n_hom_effect for chunk in chunks]),
        n_nonzero_present=np.concatenate([chunk.n_nonzero_present for chunk in chunks]),
        flipped=np.concatenate([chunk.flipped for chunk in chunks]),
        unit=np.concatenate([chunk.unit for chunk in chunks]),
        centre=np.concatenate([chunk.centre for chunk in chunks]),
        centred_square_sum=np.concatenate([chunk.centred_square_sum for chunk in chunks]),
        missing_offsets=np.concatenate([*offsets, n_missing[-1:]]),
        missing_columns=np.concatenate([chunk.missing_columns for chunk in chunks]),
    )
