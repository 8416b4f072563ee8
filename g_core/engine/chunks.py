"""How a scan is cut: the fixed kernel tile, chunks of variants that never cross a chromosome, and blocks of chunks.

XLA's CPU product gives other bits for other shapes, so every kernel call of a run has one shape, chosen from the
number of kept samples, the trait type and the device alone. Chunks group reading and progress, blocks group rows and
parts; they change no byte of a result.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from g_core.config.choices import Device, TraitType

COLUMN_MULTIPLE = 16
"""Samples are padded to whole vector registers, which also keeps every tile row 64-byte aligned."""

CPU_TILE_BYTES = {TraitType.QUANTITATIVE: 24 * 1024 * 1024, TraitType.BINARY: 10 * 1024 * 1024}
"""Most float32 bytes of a tile. Larger ones cost fewer calls, until they leave the last-level cache (tiles of 160 MB
ran five times slower); the kernel of binary traits squares the tile too."""

CPU_TILE_ROWS = (16, 2048)
GPU_TILE_ROWS = 16384
GPU_TILE_BYTES = 4 * 1024 * 1024 * 1024

MOST_BLOCK_CHUNKS = 16
"""Values of candidates for a correction are kept for a block, so it must not have too many."""

SMALLEST_PART_CHUNKS = 8
SMALLEST_PART_VARIANTS = 8192
"""A part that is worth its file: of very many samples a chunk has only 16 variants."""


def padded(count: int, multiple: int) -> int:
    """The smallest multiple of ``multiple`` that is at least ``count``, and at least one of it."""
    return max(1, -(-count // multiple)) * multiple


def tile_rows(n_kept: int, device: Device, trait_type: TraitType) -> int:
    """Variants in one kernel call, a multiple of 16.

    Args:
        n_kept: Samples of the genotype file after keep and remove lists: not of a trait, so that no trait's result
            hangs on which traits run with it.
        device: Where the kernels run.
        trait_type: Of the run.
    """
    row_bytes = padded(n_kept, COLUMN_MULTIPLE) * 4
    if device is Device.GPU:
        rows = min(GPU_TILE_ROWS, GPU_TILE_BYTES // row_bytes)
    else:
        rows = min(CPU_TILE_ROWS[1], CPU_TILE_BYTES[trait_type] // row_bytes)
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
    """Consecutive chunks of one part, whose rows are built together.

    Attributes:
        ends_part: The block after it begins another part.
    """

    chunks: tuple[ChunkSpan, ...]
    ends_part: bool

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
        """What is tested of the block when a scan stops after ``count`` of its chunks, at least one."""
        return self if count == len(self.chunks) else ChunkBlock(self.chunks[:count], ends_part=True)


def auto_chunks_per_part(chunk_variants: int) -> int:
    """Chunks in a part where nothing else is asked for; ``chunk_variants`` is the most variants in a chunk."""
    return max(SMALLEST_PART_CHUNKS, -(-SMALLEST_PART_VARIANTS // chunk_variants))


def plan_blocks(spans: Sequence[ChunkSpan], chunks_per_part: int) -> tuple[ChunkBlock, ...]:
    """Group chunks into parts of ``chunks_per_part``, fewer where a chromosome ends, and parts into blocks."""
    blocks: list[ChunkBlock] = []
    for _, chromosome in itertools.groupby(spans, key=lambda span: span.chromosome_code):
        for part in batched(tuple(chromosome), chunks_per_part):
            cut = batched(part, MOST_BLOCK_CHUNKS)
            blocks += [ChunkBlock(chunks, ends_part=chunks[-1] is part[-1]) for chunks in cut]
    return tuple(blocks)


def batched(chunks: tuple[ChunkSpan, ...], size: int) -> list[tuple[ChunkSpan, ...]]:
    """Cut chunks into pieces of ``size``; the last may be smaller."""
    return [chunks[first : first + size] for first in range(0, len(chunks), size)]
