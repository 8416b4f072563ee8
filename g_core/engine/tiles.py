"""Hands decoded values to the device, one fixed-shape tile at a time.

On the CPU a tile is the decoder's own buffer (64-byte aligned, so JAX aliases it); the buffer goes back to the decoder
when the last array over it is gone, and XLA holds one while a kernel that reads it runs. On a GPU a tile is copied.
"""

from dataclasses import dataclass

import jax
import numpy as np
import numpy.typing as npt

from g_core import _native
from g_core.engine.device import JaxDevice


@dataclass(frozen=True, slots=True)
class Tile:
    """Up to ``tile_rows`` variants on the device; rows past ``n_variants`` are padding.

    Attributes:
        n_variants: Real rows.
        values: float32 [tile_rows, columns], centred minor-allele dosage in units.
        unit: float64 [tile_rows], dosage of one unit.
        centre: float64 [tile_rows], dosage where a value is 0.
        centred_square_sum: float64 [tile_rows], exact sum of (unit * value) squared.
    """

    n_variants: int
    values: jax.Array
    unit: jax.Array
    centre: jax.Array
    centred_square_sum: jax.Array


def device_tiles(
    values: npt.NDArray[np.float32], moments: _native.VariantMoments, tile_rows: int, device: JaxDevice
) -> list[Tile]:
    """Cut one chunk's values of one sample set into tiles on the device.

    Args:
        values: float32 [rows, columns], rows a multiple of ``tile_rows``.
        moments: The same chunk's moments; their length is the number of real variants.
        tile_rows: Rows of a tile.
        device: Where the tiles go.
    """
    unit, centre, square_sum = moments.unit, moments.centre, moments.centred_square_sum
    n_variants = unit.shape[0]
    tiles: list[Tile] = []
    for start in range(0, n_variants, tile_rows):
        stop = min(start + tile_rows, n_variants)
        tiles.append(
            Tile(
                n_variants=stop - start,
                values=on_device(values[start : start + tile_rows], device),
                unit=jax.device_put(padded_to(unit[start:stop], tile_rows), device),
                centre=jax.device_put(padded_to(centre[start:stop], tile_rows), device),
                centred_square_sum=jax.device_put(padded_to(square_sum[start:stop], tile_rows), device),
            )
        )
    return tiles


def on_device(values: npt.NDArray[np.float32], device: JaxDevice) -> jax.Array:
    """The array on the device; without a copy where the device is the CPU."""
    if device.platform == "cpu":
        return jax.dlpack.from_dlpack(values)
    return jax.device_put(values, device)


def padded_to(values: npt.NDArray[np.float64], length: int) -> npt.NDArray[np.float64]:
    """The values with zeros after them."""
    whole = np.zeros(length)
    whole[: values.shape[0]] = values
    return whole
