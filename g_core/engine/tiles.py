"""Hands decoded values to the device, one fixed-shape tile at a time.

On the CPU a tile is the decoder's own buffer (64-byte aligned, so JAX aliases it); the buffer goes back to the decoder
when the last array over it is gone, and XLA holds one while a kernel that reads it runs. On a GPU a tile is copied.
"""

from dataclasses import dataclass
from typing import TypeVar

import jax
import numpy as np
import numpy.typing as npt

from g_core import _native
from g_core.engine.device import JaxDevice

Scalar = TypeVar("Scalar", np.float64, np.bool_)

SMALLEST_WHOLE_UNIT = 1.0 / 256.0
"""Below the step of 8-bit probabilities, 1/255, and above that of 9 bits."""


@dataclass(frozen=True, slots=True)
class Tile:
    """Up to ``tile_rows`` variants on the device; rows past ``n_variants`` are padding.

    Attributes:
        n_variants: Real rows.
        values: float32 [tile_rows, columns], centred minor-allele dosage in units.
        unit: float64 [tile_rows], dosage of one unit.
        centre: float64 [tile_rows], dosage where a value is 0.
        centred_square_sum: float64 [tile_rows], exact sum of (unit * value) squared.
        whole: bool [tile_rows], the values are whole numbers of at most 8 bits an allele: no imputed genotype, no
            finer probabilities.
        sparse: bool [tile_rows], REGENIE's rule.
    """

    n_variants: int
    values: jax.Array
    unit: jax.Array
    centre: jax.Array
    centred_square_sum: jax.Array
    whole: jax.Array
    sparse: jax.Array


def device_tiles(
    values: npt.NDArray[np.float32],
    moments: _native.VariantMoments,
    sparse: npt.NDArray[np.bool_],
    tile_rows: int,
    device: JaxDevice,
) -> list[Tile]:
    """Cut one chunk's values of one sample set into tiles on the device.

    Args:
        values: float32 [rows, columns], rows a multiple of ``tile_rows``.
        moments: The same chunk's moments; their length is the number of real variants.
        sparse: Which real variants are sparse.
        tile_rows: Rows of a tile.
        device: Where the tiles go.
    """
    unit, centre, square_sum = moments.unit, moments.centre, moments.centred_square_sum
    n_variants = unit.shape[0]
    whole = has_whole_values(moments)
    tiles: list[Tile] = []
    for start in range(0, n_variants, tile_rows):
        stop = min(start + tile_rows, n_variants)
        tiles.append(
            Tile(
                n_variants=stop - start,
                values=on_device(values[start : start + tile_rows], device),
                unit=jax.device_put(padded_to(unit[start:stop], tile_rows, padding=False), device),
                centre=jax.device_put(padded_to(centre[start:stop], tile_rows, padding=False), device),
                centred_square_sum=jax.device_put(padded_to(square_sum[start:stop], tile_rows, padding=False), device),
                whole=jax.device_put(padded_to(whole[start:stop], tile_rows, padding=True), device),
                sparse=jax.device_put(padded_to(sparse[start:stop], tile_rows, padding=False), device),
            )
        )
    return tiles


def on_device(values: npt.NDArray[np.float32], device: JaxDevice) -> jax.Array:
    """The array on the device; without a copy where the device is the CPU."""
    if device.platform == "cpu":
        return jax.dlpack.from_dlpack(values)
    return jax.device_put(values, device)


def has_whole_values(moments: _native.VariantMoments) -> npt.NDArray[np.bool_]:
    """Which variants have whole values of at most 8 bits an allele.

    The decoder's unit is one step of the stored probabilities, and 1 where values are plain dosages.
    """
    in_steps = (moments.unit < 1.0) & (moments.unit >= SMALLEST_WHOLE_UNIT)
    return in_steps & (np.diff(moments.missing_offsets) == 0)


def padded_to(values: npt.NDArray[Scalar], length: int, *, padding: bool) -> npt.NDArray[Scalar]:
    """The values with ``padding`` after them."""
    whole = np.full(length, padding, dtype=values.dtype)
    whole[: values.shape[0]] = values
    return whole
