"""Tiles of values made on the device from packed rows.

Belongs here: what goes over the bus where the decoder hands out stored bytes, two a sample instead of the four of a
float32 value; and the rows that have none, which take the dosage path beside them. Does not belong here: the arithmetic
(kernels/packed_genotypes.py).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import jax
import numpy as np
import numpy.typing as npt

from g_core import _native
from g_core.config.choices import Coding
from g_core.engine.device import JaxDevice
from g_core.engine.tiles import on_device
from g_core.kernels.packed_genotypes import LARGEST_STORED, GenotypeWeights, replace_rows, unpack_genotypes

WEIGHTS_OF_CODING = {
    Coding.ADDITIVE: GenotypeWeights(homozygous=2, heterozygous=1),
    Coding.DOMINANT: GenotypeWeights(homozygous=1, heterozygous=1),
    Coding.RECESSIVE: GenotypeWeights(homozygous=1, heterozygous=0),
}

SIDE_PARTS = 8
"""Rows without stored bytes go in one after another of this many equal shares of a tile: one shape, whatever their
number."""


@dataclass(frozen=True, slots=True)
class PackedRows:
    """One chunk's packed rows in one sample set.

    Attributes:
        n_samples: Columns that are samples.
        effect_is_first_allele: Which allele a dosage counts.
        coding: What a dosage is.
    """

    chunk: _native.DosageChunk
    sample_set: int
    n_samples: int
    effect_is_first_allele: bool
    coding: Coding

    def tile_values(self, tile_rows: int, device: JaxDevice) -> Iterator[jax.Array]:
        """Yield the values of one tile after another, float32 [tile_rows, columns], as the dosage format has them.

        Args:
            tile_rows: Rows of a tile.
            device: Where the tiles go.
        """
        moments = self.chunk.moments(self.sample_set)
        words, side_rows = self.chunk.packed(self.sample_set), self.chunk.side_rows(self.sample_set)
        steps = np.zeros(words.shape[0], np.int32)
        flipped = np.zeros(words.shape[0], np.bool_)
        n_variants = self.chunk.n_variants
        steps[:n_variants] = np.rint(moments.centre * LARGEST_STORED)
        flipped[:n_variants] = moments.flipped
        # A row that is not packed is all zeros, and its centre need not be a number of steps.
        steps[side_rows] = 0
        for start in range(0, n_variants, tile_rows):
            stop = min(start + tile_rows, n_variants)
            side = side_rows[(side_rows >= start) & (side_rows < stop)]
            if 2 * len(side) > stop - start:
                everything = np.arange(start, stop, dtype=np.uint32)
                yield jax.device_put(self.dosage_rows(everything, tile_rows, words.shape[1]), device)
                continue
            rows = slice(start, start + tile_rows)
            values = unpack_genotypes(
                on_device(words[rows], device),
                steps[rows],
                flipped[rows],
                np.array([stop - start, self.n_samples], np.int32),
                effect_is_first_allele=self.effect_is_first_allele,
                weights=WEIGHTS_OF_CODING[self.coding],
            )
            yield self.with_side_rows(values, side, start)

    def with_side_rows(self, values: jax.Array, side: npt.NDArray[np.uint32], start: int) -> jax.Array:
        """Put the rows that were not packed in their places; ``start`` is the chunk's row that a tile begins with."""
        tile_rows, columns = values.shape
        share = max(1, tile_rows // SIDE_PARTS)
        for first in range(0, len(side), share):
            rows = side[first : first + share]
            # Past the tile, and all different: they replace nothing.
            places = np.arange(tile_rows, tile_rows + share, dtype=np.int32)
            places[: len(rows)] = rows.astype(np.int64) - start
            values = replace_rows(values, places, self.dosage_rows(rows, share, columns))
        return values

    def dosage_rows(self, rows: npt.NDArray[np.uint32], count: int, columns: int) -> npt.NDArray[np.float32]:
        """Values of these rows of the chunk, made on the host, with zeros after them: [count, columns]."""
        values = np.zeros((count, columns), np.float32)
        self.chunk.copy_values(self.sample_set, rows, values)
        return values
