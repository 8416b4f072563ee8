"""How a scan is cut: the fixed kernel tile, chunks of variants that never cross a chromosome, and blocks of chunks.

XLA's CPU product gives other bits for other shapes, so every kernel call of a run has one shape, chosen from the
number of kept samples and the device alone. Chunks group reading and progress, blocks group rows and parts; they change
no byte of a result.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from g_core.config.choices import Device

COLUMN_MULTIPLE = 16
"""Samples are padded to whole vector registers, which also keeps every tile row 64-byte aligned."""

CPU_TILE_BYTES = 8 * 1024 * 1024
"""A float32 tile of this size stays near the last-level cache; tiles of 160 MB ran five times slower."""

CPU_TILE_ROWS = (16, 2048)
GPU_TILE_ROWS = 16384
GPU_TILE_BYTES = 4 * 1024 * 1024 * 1024


def padded(count: int, multiple: int) -> int:
    """The smallest multiple of ``multiple`` that is at least ``count``, and at least one of it."""
    return max(1, -(-count // multiple)) * multiple


def tile_rows(n_kept: int, device: Device) -> int:
    """Variants in one kernel call, a multiple of 16.

    Args:
        n_kept: Samples of the genotype file after keep and remove lists: not of a trait, so that no trait's result
            hangs on which traits run with it.
        device: Where the kernels run.
    """
    row_bytes = padded(n_kept, COLUMN_MULTIPLE) * 4
    if device is Device.GPU:
        rows = min(GPU_TILE_ROWS, GPU_TILE_BYTES // row_bytes)
    else:
        rows = min(CPU_TILE_ROWS[1], CPU_TILE_BYTES // row_bytes)
    return max(CPU_TILE_ROWS[0], rows - rows % 16)


@dataclass(frozen=True, slots=True)
class ChunkSpan:
    """One chunk: a range of the selected variants, all on one chromosome."""

    index: int
    start: int
    stop: int
    chromosome_code: int

    @property
    def n_variants(self) -> int:
        """Variants in the chunk."""
        return self.stop - self.start


def plan_chunks(
    chromosome_codes: npt.NDArray[np.int8],
    haploid_males: npt.NDArray[np.bool_],
    chunk_variants: int,
    *,
    first_variant: int,
) -> tuple[ChunkSpan, ...]:
    """Cut the selected variants into chunks, which are on one chromosome and count males in one way.

    Args:
        chromosome_codes: Code of each selected variant, in the order in which they are scanned.
        haploid_males: Males have one copy of the variant.
        chunk_variants: Most variants in a chunk.
        first_variant: Those before it were scanned by an earlier process.
    """
    n_variants = int(chromosome_codes.shape[0])
    if first_variant >= n_variants:
        return ()
    changes = (np.diff(chromosome_codes) != 0) | (np.diff(haploid_males.astype(np.int8)) != 0)
    breaks = (np.flatnonzero(changes) + 1).tolist()
    edges = [first_variant, *(edge for edge in breaks if edge > first_variant), n_variants]
    spans: list[ChunkSpan] = []
    for run_start, run_stop in itertools.pairwise(edges):
        for start in range(run_start, run_stop, chunk_variants):
            stop = min(start + chunk_variants, run_stop)
            spans.append(ChunkSpan(len(spans), start, stop, int(chromosome_codes[run_start])))
    return tuple(spans)


@dataclass(frozen=True, slots=True)
class ChunkBlock:
    """Consecutive chunks of one chromosome whose rows are built together and make one part of each trait."""

    chunks: tuple[ChunkSpan, ...]

    @property
    def start(self) -> int:
        """First selected variant."""
        return self.chunks[0].start

    @property
    def stop(self) -> int:
        """One past the last selected variant."""
        return self.chunks[-1].stop

    @property
    def chromosome_code(self) -> int:
        """Of all its variants."""
        return self.chunks[0].chromosome_code

    def first_chunks(self, count: int) -> "ChunkBlock":
        """What is left of the block when a scan stops after ``count`` of its chunks, at least one."""
        return ChunkBlock(self.chunks[:count])


def plan_blocks(spans: Sequence[ChunkSpan], chunks_per_block: int) -> tuple[ChunkBlock, ...]:
    """Group chunks into blocks of ``chunks_per_block``, fewer where a chromosome ends."""
    blocks: list[ChunkBlock] = []
    for _, chromosome in itertools.groupby(spans, key=lambda span: span.chromosome_code):
        chunks = tuple(chromosome)
        blocks += [
            ChunkBlock(chunks[first : first + chunks_per_block]) for first in range(0, len(chunks), chunks_per_block)
        ]
    return tuple(blocks)
