"""Public reader of BGEN files.

Belongs here: the small interface for people who want identifiers, dosages or probabilities in Python. Does not belong
here: the chunk stream of the scan, which takes ``g_core._native.BgenReader`` itself.

    with open_bgen("study.bgen") as bgen_file:
        table = bgen_file.variants()
        dosage = bgen_file.read_dosage(0, 100)
"""

import os
from types import TracebackType
from typing import Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from g_core._native import BgenReader
from g_core.errors import UsageError


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

    def read_dosage(self, start: int, stop: int) -> npt.NDArray[np.float64]:
        """Expected count of the first allele.

        Args:
            start: First variant, counted from 0.
            stop: One past the last variant.

        Returns:
            Shape (stop - start, n_samples); NaN where missing. Phased genotypes count both haplotypes, haploid ones
            count twice.

        Raises:
            InputError: A variant is damaged, or is not biallelic and at most diploid.
            ValueError: The range is outside the file.
        """
        return self.reader.read_dosage(start, stop)

    def read_probabilities(self, variant: int) -> npt.NDArray[np.float64]:
        """Genotype probabilities of one variant.

        Args:
            variant: Number of the variant, counted from 0.

        Returns:
            P(11), P(12), P(22), shape (n_samples, 3), where 1 is the first allele; NaN where missing. Haplotypes of
            phased genotypes are taken as independent, haploid samples as homozygous.

        Raises:
            InputError: The variant is damaged, or is not biallelic and at most diploid.
            ValueError: There is no such variant.
        """
        return self.reader.read_probabilities(variant)


def open_bgen(path: str | os.PathLike[str]) -> BgenFile:
    """Open and index a BGEN file (layout 1 or 2; no, zlib or zstd compression).

    A ``.bgi`` index is neither needed nor read.

    Args:
        path: The ``.bgen`` file.

    Raises:
        InputError: The file is missing, is not BGEN, or is damaged; the message names the place.
    """
    return BgenFile(BgenReader(os.fspath(path)))
