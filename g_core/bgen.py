"""Public reader of BGEN files.

Belongs here: the small interface for people who want identifiers, dosages or probabilities in Python. Does not belong
here: the chunk stream of the scan, which takes ``g_core._native.BgenReader`` itself.

    with open_bgen("study.bgen") as bgen_file:
        table = bgen_file.variants()
        dosage = bgen_file.read_dosage(0, 100)
"""

import math
import os
from types import TracebackType
from typing import Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from g_core._native import BgenReader, VariantGenotypes
from g_core.errors import UsageError
from g_core.processors import available_threads

# A cache line, and what JAX needs to take memory without a copy.
ALIGNMENT_BYTES = 64
# Variants that a thread decodes at a time; it changes no value.
TILE_VARIANTS = 16


class BgenFile:
    """An open, indexed BGEN file. Use it as a context manager, or call ``close``.

    Reading releases the interpreter lock, and one object may be used by several threads.
    """

    __slots__ = ("_path", "_reader")

    def __init__(self, reader: BgenReader) -> None:
        """Take over an open native reader."""
        self._path = reader.path
        self._reader: BgenReader | None = reader

    def __enter__(self) -> Self:
        """Return the file itself."""
        return self

    def __exit__(
        self, exception_type: type[BaseException] | None, exception: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file."""
        self.close()

    def __repr__(self) -> str:
        """Say which file it is."""
        state = "closed" if self._reader is None else f"{self.n_samples} samples, {self.n_variants} variants"
        return f"BgenFile({self._path!r}, {state})"

    def close(self) -> None:
        """Let go of the file. Any later use raises UsageError."""
        self._reader = None

    @property
    def reader(self) -> BgenReader:
        """The native reader.

        Raises:
            UsageError: The file is closed.
        """
        if self._reader is None:
            message = f"{self._path}: this BGEN file is closed. Read inside the with block"
            raise UsageError(message)
        return self._reader

    @property
    def path(self) -> str:
        """The path as it was given."""
        return self._path

    @property
    def n_samples(self) -> int:
        """Number of samples."""
        return self.reader.n_samples

    @property
    def n_variants(self) -> int:
        """Number of variants."""
        return self.reader.n_variants

    @property
    def sample_ids(self) -> list[str] | None:
        """Sample identifiers stored in the file, or None where it stores none."""
        return self.reader.sample_ids

    def variants(self) -> pa.RecordBatch:
        """Identifying data in file order.

        Returns:
            Columns variant_id, rsid, chromosome, allele1, allele2 (utf8), position (uint32) and n_alleles (uint16);
            allele1 and allele2 are the first and second allele of the file.
        """
        return pa.record_batch(self.reader.variants())

    def read_dosage(
        self,
        start: int,
        stop: int,
        samples: npt.ArrayLike | None = None,
        out: npt.NDArray[np.float32] | None = None,
    ) -> npt.NDArray[np.float32]:
        """Expected count of the first allele.

        Args:
            start: First variant, counted from 0.
            stop: One past the last variant.
            samples: Positions of samples in the file, in any order; all where None.
            out: Where to write; a new array where None.

        Returns:
            Shape (stop - start, samples), one row a variant, the first value at a multiple of 64 bytes unless ``out``
            is given; NaN where missing. Phased genotypes count both haplotypes, haploid ones count twice.

        Raises:
            InputError: A variant is damaged, or is not biallelic and at most diploid.
            ValueError: The range or a sample is outside the file, or ``out`` has another shape.
        """
        chosen = None if samples is None else np.asarray(samples, dtype=np.uint32)
        n_samples = self.n_samples if chosen is None else chosen.size
        if out is None:
            check_range(start, stop, self.n_variants)
            out = aligned_rows(stop - start, n_samples)
        self.reader.read_dosage(
            start,
            stop,
            samples=chosen,
            threads=available_threads(),
            tile_variants=TILE_VARIANTS,
            trusted_no_missing_diploid=False,
            out=out,
        )
        return out

    def read_genotypes(self, variant: int) -> VariantGenotypes:
        """One variant of any kind: any ploidy, any number of alleles, phased or not.

        Args:
            variant: Number of the variant, counted from 0.

        Raises:
            InputError: The variant is damaged.
            ValueError: There is no such variant.
        """
        return self.reader.read_genotypes(variant)

    def read_probabilities(self, variant: int) -> npt.NDArray[np.float64]:
        """Genotype probabilities of one variant of any kind, in the specification's order.

        Args:
            variant: Number of the variant, counted from 0.

        Returns:
            One row a sample, as wide as the widest: P(11), P(12), P(22) of diploid unphased samples with two alleles,
            P(1), P(2) of the one haplotype and then of the other of phased ones. A missing sample is NaN; a sample of
            fewer probabilities ends in NaN.

        Raises:
            InputError: The variant is damaged.
            ValueError: There is no such variant.
        """
        genotypes = self.reader.read_genotypes(variant)
        counts = np.diff(genotypes.offsets.astype(np.int64))
        most = int(genotypes.ploidy.max(initial=0))
        alleles = genotypes.n_alleles
        width = most * alleles if genotypes.phased else math.comb(most + alleles - 1, most)
        probabilities = np.full((counts.size, width), np.nan)
        probabilities[np.arange(width) < counts[:, None]] = genotypes.probabilities
        return probabilities

    def check(self) -> None:
        """Read and check everything in the file.

        Raises:
            InputError: The first fault: a bad variant, bytes after the last one, or a file that changed meanwhile.
        """
        self.reader.check(threads=available_threads())


def check_range(start: int, stop: int, n_variants: int) -> None:
    """Refuse a range of variants that a file does not have.

    Raises:
        ValueError: It has not.
    """
    if not 0 <= start <= stop <= n_variants:
        message = f"variants {start} to {stop} are outside the file's {n_variants}"
        raise ValueError(message)


def aligned_rows(rows: int, columns: int) -> npt.NDArray[np.float32]:
    """An uninitialised float32 matrix whose first value lies at a multiple of 64 bytes."""
    n_bytes = rows * columns * np.dtype(np.float32).itemsize
    memory = np.empty(n_bytes + ALIGNMENT_BYTES, dtype=np.uint8)
    first = -memory.ctypes.data % ALIGNMENT_BYTES
    return memory[first : first + n_bytes].view(np.float32).reshape(rows, columns)


def open_bgen(path: str | os.PathLike[str]) -> BgenFile:
    """Open and index a BGEN file (layout 1 or 2; no, zlib or zstd compression).

    A ``.bgi`` index is neither needed nor read.

    Args:
        path: The ``.bgen`` file.

    Raises:
        InputError: The file is missing, is not BGEN, or is damaged; the message names the place.
    """
    return BgenFile(BgenReader(os.fspath(path)))
