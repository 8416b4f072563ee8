"""Hands decoded values to the device, one fixed-shape tile at a time.

Belongs here: tiles, what a kernel is told of their rows, and bringing results back. Does not belong here: kernels,
values that are made on the device (packed_tiles.py).

On the CPU a tile is the decoder's own buffer (64-byte aligned, so JAX aliases it); the buffer goes back to the decoder
when the last array over it is gone, and XLA holds one while a kernel that reads it runs. On a GPU a tile is copied.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import jax
import numpy as np
import numpy.typing as npt

from g_core import _native
from g_core.engine.device import JaxDevice

FloatArray = npt.NDArray[np.float64]
Genotype = TypeVar("Genotype", np.float32, np.uint16)

SMALLEST_WHOLE_UNIT = 1.0 / 256.0
"""Below the step of 8-bit probabilities, 1/255, and above that of 9 bits."""

ROW_FACTS = 5
"""unit, centre, centred square sum, whole, sparse: they go to the device as one array, since each costs a call."""


@dataclass(frozen=True, slots=True)
class Tile:
    """Up to ``tile_rows`` variants on the device; rows past ``n_variants`` are padding.

    Attributes:
        n_variants: Real rows.
        values: float32 [tile_rows, columns], centred minor-allele dosage in units.
        row_facts: float64 [ROW_FACTS, tile_rows] on the host, see RowFacts.
    """

    n_variants: int
    values: jax.Array
    row_facts: FloatArray


class RowFacts(NamedTuple):
    """What a kernel reads of a tile's rows, [tile_rows] each.

    Attributes:
        unit: float64, dosage of one unit.
        centre: float64, dosage where a value is 0.
        centred_square_sum: float64, exact sum of (unit * value) squared.
        whole: bool, the values are whole numbers of at most 8 bits an allele: no imputed genotype, no finer
            probabilities.
        sparse: bool, REGENIE's rule.
    """

    unit: jax.Array
    centre: jax.Array
    centred_square_sum: jax.Array
    whole: jax.Array
    sparse: jax.Array


def unpack_row_facts(row_facts: jax.Array) -> RowFacts:
    """Take a tile's row facts apart again, inside a kernel."""
    unit, centre, square_sum, whole, sparse = row_facts
    return RowFacts(unit, centre, square_sum, whole > 0.0, sparse > 0.0)


def dosage_tile_values(
    values: npt.NDArray[np.float32], n_variants: int, tile_rows: int, device: JaxDevice
) -> Iterator[jax.Array]:
    """Yield the values of one tile after another, float32 [tile_rows, columns].

    Args:
        values: float32 [rows, columns], rows a multiple of ``tile_rows``.
        n_variants: Rows that are variants.
        tile_rows: Rows of a tile.
        device: Where the tiles go.
    """
    for start in range(0, n_variants, tile_rows):
        yield on_device(values[start : start + tile_rows], device)


def device_tiles(
    tile_values: Iterable[jax.Array], moments: _native.VariantMoments, sparse: npt.NDArray[np.bool_], tile_rows: int
) -> list[Tile]:
    """Make tiles of one chunk's values in one sample set.

    Args:
        tile_values: float32 [tile_rows, columns] on the device, one entry a tile.
        moments: The same chunk's moments; their length is the number of real variants.
        sparse: Which real variants are sparse.
        tile_rows: Rows of a tile.
    """
    n_variants = sparse.shape[0]
    row_facts = np.zeros((ROW_FACTS, -(-n_variants // tile_rows) * tile_rows))
    row_facts[0, :n_variants] = moments.unit
    row_facts[1, :n_variants] = moments.centre
    row_facts[2, :n_variants] = moments.centred_square_sum
    row_facts[3] = 1.0
    row_facts[3, :n_variants] = has_whole_values(moments)
    row_facts[4, :n_variants] = sparse
    return [
        Tile(
            n_variants=min(tile_rows, n_variants - start),
            values=values,
            row_facts=np.ascontiguousarray(row_facts[:, start : start + tile_rows]),
        )
        for start, values in zip(range(0, n_variants, tile_rows), tile_values, strict=True)
    ]


def on_device(values: npt.NDArray[Genotype], device: JaxDevice) -> jax.Array:
    """The array on the device; without a copy where the device is the CPU."""
    if device.platform == "cpu":
        return jax.dlpack.from_dlpack(values)
    return jax.device_put(values, device)


def has_whole_values(moments: _native.VariantMoments) -> npt.NDArray[np.bool_]:
    """Which variants have whole values of at most 8 bits an allele.

    The decoder's unit is one step of the stored probabilities, and 1 where values are plain dosages.
    """
    unit = moments.unit
    in_steps = (unit < 1.0) & (unit >= SMALLEST_WHOLE_UNIT)
    return in_steps & (np.diff(moments.missing_offsets) == 0)


def joined(n_variants: Sequence[int], arrays: Sequence[jax.Array]) -> FloatArray:
    """Kernel results of tiles as one host array, without the padded rows.

    Args:
        n_variants: Real rows of each tile.
        arrays: Of each tile, rows first.
    """
    return np.concatenate([np.asarray(array)[:count] for count, array in zip(n_variants, arrays, strict=True)])
