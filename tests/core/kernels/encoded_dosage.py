"""Dosage as the decoder hands it over, made from plain numbers."""

from dataclasses import dataclass

import numpy as np

UNITS_PER_ALLELE = 255


@dataclass(frozen=True)
class EncodedDosage:
    """A tile and its moments; ``flipped_dosage`` [R, n] is what it encodes, missing ones at the mean."""

    values: np.ndarray
    unit: np.ndarray
    centre: np.ndarray
    centred_square_sum: np.ndarray
    whole: np.ndarray
    flipped: np.ndarray
    flipped_dosage: np.ndarray


def encode_dosage(dosage, n_padded):
    """Encode effect-allele dosage [R, n] (multiples of 1/255, NaN where missing) as a tile [R, n_padded]."""
    mean = np.nanmean(dosage, axis=1)
    flipped = mean > 1
    minor = np.where(flipped[:, None], 2 - dosage, dosage)
    units = np.round(minor * UNITS_PER_ALLELE)
    mean_units = np.nanmean(units, axis=1)
    centre_units = np.round(mean_units)
    complete = np.where(np.isnan(units), mean_units[:, None], units)
    centred = complete - centre_units[:, None]
    values = np.zeros((dosage.shape[0], n_padded), dtype=np.float32)
    values[:, : dosage.shape[1]] = centred
    unit = np.full(dosage.shape[0], 1 / UNITS_PER_ALLELE)
    return EncodedDosage(
        values=values,
        unit=unit,
        centre=centre_units * unit,
        centred_square_sum=(centred**2).sum(axis=1) * unit**2,
        whole=~np.isnan(dosage).any(axis=1),
        flipped=flipped,
        flipped_dosage=complete * unit[:, None],
    )


def padded(n_samples):
    """n_samples rounded up to a multiple of 16."""
    return -(-n_samples // 16) * 16
