"""Types of the native module (rust/native). Every array is C-contiguous; every call releases the interpreter lock."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

class ArrowArrayExportable(Protocol):
    """What pyarrow, polars and the native module hand each other: the Arrow PyCapsule interface."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

def build_info() -> dict[str, str]:
    """Crate version, cargo profile, target triple and compiler of this binary."""

class BgenReader:
    """An open and indexed BGEN file. Immutable, and safe to share between threads."""

    def __new__(cls, path: str) -> BgenReader:
        """Open and index. Raises InputError naming the file, and the variant and byte where it is damaged."""
    @property
    def path(self) -> str: ...
    @property
    def file_bytes(self) -> int: ...
    @property
    def n_samples(self) -> int: ...
    @property
    def n_variants(self) -> int: ...
    @property
    def layout(self) -> int: ...
    @property
    def compression(self) -> str:
        """``none``, ``zlib`` or ``zstd``."""
    @property
    def trailing_bytes(self) -> int:
        """Bytes after the last variant; a sound file has none."""
    @property
    def sample_ids(self) -> list[str] | None:
        """Identifiers stored in the file, or None where it stores none."""
    def variants(self) -> ArrowArrayExportable:
        """A record batch in file order.

        variant_id, rsid, chromosome, allele1, allele2 (utf8), position (uint32), n_alleles (uint16).
        A variant of one allele has an empty allele2; of several, allele2 is the second.
        """
    def identity(self, variant: int) -> tuple[str, str, str, int, list[str]]:
        """Variant id, rsid, chromosome, position and every allele of one variant."""
    def read_dosage(
        self,
        start: int,
        stop: int,
        *,
        samples: npt.NDArray[np.uint32] | None,
        threads: int,
        tile_variants: int,
        trusted_no_missing_diploid: bool,
        out: npt.NDArray[np.float32],
    ) -> None:
        """Fill ``out``, shape (stop - start, samples): dosage of the first allele, NaN where missing.

        ``samples`` are positions in the file in any order, None for all. Phased genotypes count both haplotypes,
        haploid ones count twice.
        """
    def read_packed8(
        self,
        start: int,
        stop: int,
        *,
        samples: npt.NDArray[np.uint32] | None,
        threads: int,
        tile_variants: int,
        trusted_no_missing_diploid: bool,
        out: npt.NDArray[np.uint8],
    ) -> None:
        """Fill ``out``, shape (stop - start, 2 * samples): 255 P(11) and 255 P(12) of each sample.

        Raises InputError for a variant that is not of 8 bits, unphased, diploid and without missing genotypes.
        """
    def read_genotypes(self, variant: int) -> VariantGenotypes:
        """One variant of any kind: any ploidy, any number of alleles, phased or not."""
    def check(self, *, threads: int) -> int:
        """Read and check everything; returns the uncompressed bytes.

        Raises InputError with the first fault: a bad variant, bytes after the last one, or a file that changed.
        """
    def run_path(
        self,
        path: str,
        *,
        samples: npt.NDArray[np.uint32] | None,
        threads: int,
        tile_variants: int,
        trusted_no_missing_diploid: bool,
    ) -> int:
        """Take one of the measured ways through all variants and drop the result; returns the bytes it made.

        ``inflate_only``, ``variant_major_buffered`` (float32 dosage) or ``variant_major_packed8_buffered``.
        """
    def stream(
        self,
        *,
        variant_indices: npt.NDArray[np.uint32],
        chunk_offsets: npt.NDArray[np.uint64],
        chunk_counts_males: npt.NDArray[np.bool_],
        sample_sets: Sequence[npt.NDArray[np.uint32]],
        males: Sequence[npt.NDArray[np.bool_]],
        moment_sets: Sequence[npt.NDArray[np.uint32]],
        moment_males: Sequence[npt.NDArray[np.bool_]],
        effect_is_first_allele: bool,
        coding: str,
        genotype_format: str,
        flip_to_minor_allele: bool,
        halve_males: bool,
        count_genotypes: bool,
        tile_rows: int,
        column_multiple: int,
        threads: int,
        staging_depth: int,
        decode_tile_variants: int,
        trusted_no_missing_diploid: bool,
    ) -> DosageStream:
        """Decode chunks ahead in native threads.

        Chunk ``c`` holds ``variant_indices[chunk_offsets[c]:chunk_offsets[c + 1]]``. Each entry of ``sample_sets``
        (ascending positions in the file) gets its own values and moments; ``males[s]`` runs along ``sample_sets[s]``.
        Each entry of ``moment_sets`` gets sums only. At most ``staging_depth`` finished chunks wait; memory is bounded
        by staging_depth + 2 chunks.

        ``coding`` says what values hold: ``additive`` the dosage, ``dominant`` P(one effect allele) + P(two),
        ``recessive`` P(two). Only additive values are flipped, and only with ``flip_to_minor_allele``. With
        ``halve_males`` a male's dosage is halved in chunks that count males: in every sum of dosages and in additive
        values, but not in INFO terms nor in dominant and recessive values (REGENIE --skip-dosage-comp).

        ``genotype_format`` says in which form a chunk has its rows: ``dosage`` as ``values``, ``packed8`` as
        ``packed`` with ``side_rows``. Moments are the same.
        """

class DosageStream:
    """Iterator over decoded chunks in order. Dropping it stops its threads."""

    def __iter__(self) -> DosageStream: ...
    def __next__(self) -> DosageChunk:
        """Raises InputError naming the variant that cannot be decoded; the stream ends there."""
    @property
    def buffers_allocated(self) -> int:
        """Value buffers allocated so far; a buffer in reuse counts once."""

class DosageChunk:
    """One chunk. Its buffers go back to the pool when neither it nor any array made from it is alive."""

    @property
    def index(self) -> int: ...
    @property
    def n_variants(self) -> int: ...
    @property
    def decode_seconds(self) -> float:
        """Wall time that native threads spent on this chunk, summed over threads."""
    def values(self, sample_set: int) -> npt.NDArray[np.float32]:
        """Centred tested dosage in units, shape (rows, columns), 64-byte aligned, no copy.

        rows = n_variants rounded up to tile_rows; columns = set size rounded up to column_multiple. What is tested of
        variant v in sample i, the coded dosage of the (flipped) effect allele, is ``centre[v] + unit[v] * values[v,
        i]``. A missing genotype holds the mean of those present; padding is 0. Only in the format ``dosage``.
        """
    def packed(self, sample_set: int) -> npt.NDArray[np.uint16]:
        """The two stored bytes of every sample, shape as ``values``, 64-byte aligned, no copy: P(11) in the low byte.

        A row that is one of ``side_rows``, and padding, is all zeros. Only in the format ``packed8``.
        """
    def side_rows(self, sample_set: int) -> npt.NDArray[np.uint32]:
        """Variants of ``packed`` without stored bytes, ascending.

        What has them: 8 bits, unphased, all diploid, nobody of the set missing, no halved males.
        """
    def copy_values(self, sample_set: int, rows: npt.NDArray[np.uint32], out: npt.NDArray[np.float32]) -> None:
        """Write the ``values`` of these variants into the first rows of ``out``, [k, columns], in either format.

        Raises ValueError where ``out`` does not fit or a variant is not in the chunk.
        """
    def moments(self, sample_set: int) -> VariantMoments: ...
    def sums(self, moment_set: int) -> GenotypeSums: ...

class GenotypeSums:
    """Exact sums of one chunk in one moment set; each array has n_variants entries, as in VariantMoments."""

    @property
    def n_present(self) -> npt.NDArray[np.int64]: ...
    @property
    def dosage_sum(self) -> npt.NDArray[np.float64]: ...
    @property
    def info_sum(self) -> npt.NDArray[np.float64]: ...
    @property
    def square_sum(self) -> npt.NDArray[np.float64]:
        """Sum of squared dosages of those present."""
    @property
    def male_present(self) -> npt.NDArray[np.int64]: ...
    @property
    def male_dosage_sum(self) -> npt.NDArray[np.float64]: ...

class VariantMoments:
    """Exact sums of one chunk in one sample set; each array has n_variants entries.

    For 8-bit data sums are integers until the last division, unless males are halved. "Dosage" is the additive
    dosage of the effect allele, halved for males where asked, and never flipped. "Tested" is what ``values`` hold, the
    coded dosage, before flipping.
    """

    @property
    def n_present(self) -> npt.NDArray[np.int64]: ...
    @property
    def dosage_sum(self) -> npt.NDArray[np.float64]: ...
    @property
    def info_sum(self) -> npt.NDArray[np.float64]:
        """Sum of 4 P(hom effect) + P(het) - dosage squared, of whole dosages even where males are halved."""
    @property
    def square_sum(self) -> npt.NDArray[np.float64]:
        """Sum of squared dosages of those present."""
    @property
    def tested_sum(self) -> npt.NDArray[np.float64]:
        """Sum of tested dosages of those present."""
    @property
    def n_hom_reference(self) -> npt.NDArray[np.int64]:
        """Samples present of dosage below 0.5, of males counted as such below 1; 0 unless genotypes are counted."""
    @property
    def n_hom_effect(self) -> npt.NDArray[np.int64]:
        """Samples present of dosage 1.5 or more, of males counted as such 1 or more; 0 unless genotypes are counted."""
    @property
    def flipped(self) -> npt.NDArray[np.bool_]:
        """True where the mean dosage is above 1 and values count the other allele."""
    @property
    def n_nonzero_present(self) -> npt.NDArray[np.int64]:
        """Samples present whose tested dosage, flipped where values are, is not exactly 0."""
    @property
    def unit(self) -> npt.NDArray[np.float64]: ...
    @property
    def centre(self) -> npt.NDArray[np.float64]: ...
    @property
    def centred_square_sum(self) -> npt.NDArray[np.float64]:
        """Sum over the whole set of (unit * value) squared, missing ones at the mean, without float32 rounding."""
    @property
    def male_present(self) -> npt.NDArray[np.int64]:
        """Males with a genotype; 0 in chunks that do not count males."""
    @property
    def male_dosage_sum(self) -> npt.NDArray[np.float64]: ...
    @property
    def missing_offsets(self) -> npt.NDArray[np.int64]:
        """n_variants + 1 offsets into missing_columns."""
    @property
    def missing_columns(self) -> npt.NDArray[np.uint32]:
        """Columns of ``values`` whose genotype is missing, variant by variant, ascending."""

class VariantGenotypes:
    """Ploidies and probabilities of one variant, sample by sample."""

    @property
    def bits(self) -> int:
        """Bits of a stored probability."""
    @property
    def phased(self) -> bool: ...
    @property
    def n_alleles(self) -> int: ...
    @property
    def ploidy(self) -> npt.NDArray[np.uint8]: ...
    @property
    def missing(self) -> npt.NDArray[np.bool_]: ...
    @property
    def offsets(self) -> npt.NDArray[np.uint64]:
        """n_samples + 1 offsets into probabilities."""
    @property
    def probabilities(self) -> npt.NDArray[np.float64]:
        """Probabilities of each sample in the specification's order; none of a missing one.

        Unphased: of the genotypes 11, 12, 22, 13, 23, 33 and so on. Phased: of every allele, haplotype by haplotype.
        """
    def allele_counts(self) -> npt.NDArray[np.float64]:
        """Expected number of each allele, shape (n_samples, n_alleles); NaN where missing."""

class BgenWriter:
    """Writes BGEN: batches in layout 2, 8 bits, diploid. The file gets its final name in ``finish`` only."""

    def __new__(
        cls, path: str, *, sample_ids: Sequence[str] | None, n_samples: int, compression: str, level: int, threads: int
    ) -> BgenWriter: ...
    def write(
        self,
        *,
        chromosome: str,
        rsids: Sequence[str],
        positions: npt.NDArray[np.uint32],
        first_alleles: Sequence[str],
        second_alleles: Sequence[str],
        probabilities: npt.NDArray[np.uint8],
        missing: npt.NDArray[np.bool_] | None,
    ) -> None:
        """Append variants; probabilities has shape (variants, samples, 2): 255 * P(11) and 255 * P(12)."""
    def write_phased(
        self,
        *,
        chromosome: str,
        rsids: Sequence[str],
        positions: npt.NDArray[np.uint32],
        first_alleles: Sequence[str],
        second_alleles: Sequence[str],
        probabilities: npt.NDArray[np.uint8],
        missing: npt.NDArray[np.bool_] | None,
    ) -> None:
        """As ``write``, phased: probabilities are 255 * P(first allele) on either haplotype."""
    @staticmethod
    def layout_one(
        path: str, *, sample_ids: Sequence[str] | None, n_samples: int, compression: str, level: int
    ) -> BgenWriter:
        """A writer of layout 1, for ``write_variant`` only."""
    def write_variant(
        self,
        *,
        variant_id: str,
        rsid: str,
        chromosome: str,
        position: int,
        alleles: Sequence[str],
        bits: int,
        phased: bool,
        ploidy: npt.NDArray[np.uint8],
        missing: npt.NDArray[np.bool_],
        offsets: npt.NDArray[np.uint64],
        probabilities: npt.NDArray[np.float64],
    ) -> None:
        """Append one variant of any legal kind; genotypes as in ``VariantGenotypes``."""
    def finish(self) -> int:
        """Patch the counts, fsync, rename; returns the number of variants."""

def write_first_variants(source: str, target: str, count: int) -> int:
    """Copy the header and the first ``count`` variants of a BGEN; returns how many there were. Atomic."""

class SampleTable:
    """A .sample file."""

    @property
    def family_ids(self) -> list[str]: ...
    @property
    def individual_ids(self) -> list[str]: ...
    @property
    def sex(self) -> npt.NDArray[np.int8]:
        """0 unknown, 1 male, 2 female: the fourth field, whatever the header calls it, as REGENIE reads it."""

class TraitTable:
    """Rows of a phenotype or covariate file, in file order."""

    @property
    def family_ids(self) -> list[str]: ...
    @property
    def individual_ids(self) -> list[str]: ...
    @property
    def line_numbers(self) -> npt.NDArray[np.int64]: ...
    @property
    def numeric_names(self) -> list[str]: ...
    @property
    def numeric(self) -> npt.NDArray[np.float64]:
        """Shape (rows, numeric columns); NaN where missing: NA, NaN, nan, inf, ``.`` or an empty cell between tabs.

        -9 and -999 stay numbers: what they mean depends on the trait type.
        """
    @property
    def categorical_names(self) -> list[str]: ...
    @property
    def categorical(self) -> list[list[str | None]]:
        """One list a column; None where missing, spelled as in ``numeric``."""

class LocoTable:
    """Leave-one-chromosome-out predictions of one trait."""

    @property
    def sample_keys(self) -> list[str]:
        """FID_IID as the header has them."""
    @property
    def chromosomes(self) -> list[int]:
        """Code of each row, in file order: 1 to 23; X, XY, PAR1 and PAR2 are 23."""
    @property
    def line_numbers(self) -> list[int]:
        """Line of each row, from 1."""
    @property
    def values(self) -> npt.NDArray[np.float64]:
        """Shape (chromosomes, samples); NaN where NA."""

def read_sample_file(path: str) -> SampleTable: ...
def read_table_header(path: str) -> list[str]:
    """Column names after FID and IID."""

def read_trait_table(path: str, *, numeric: Sequence[str], categorical: Sequence[str]) -> TraitTable:
    """Read the named columns. All bad cells of a file are told together (the first ten, then a count)."""

def read_prediction_list(path: str) -> list[tuple[str, str, int]]:
    """(trait, path as written, line number) a line; the path is the rest of the line and may hold blanks."""

def read_loco_file(path: str) -> LocoTable: ...
def read_id_list(path: str) -> list[str]:
    """First field of each line: variant lists."""

def read_sample_list(path: str) -> list[tuple[str, str]]:
    """(FID, IID) of each line: keep and remove lists, with or without a header FID IID."""

class CommittedPart:
    @property
    def path(self) -> str: ...
    @property
    def rows(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def sha256(self) -> str: ...

class PartWriter:
    """Writes Parquet parts in native threads: temporary name, fsync, rename.

    Parts get their final names in the order they were submitted. After an error no later part appears, and every call
    raises that error. Dropping the writer without ``close`` discards what is still queued.
    """

    def __new__(cls, *, threads: int, queue_depth: int, compression: str) -> PartWriter: ...
    def submit(
        self,
        *,
        temporary_path: str,
        final_path: str,
        batches: Sequence[ArrowArrayExportable],
        metadata: dict[str, str],
    ) -> None:
        """Queue one part; waits while the queue is full. Raises OutputError if an earlier part failed."""
    def committed(self) -> list[CommittedPart]:
        """Parts committed since the last call, in the order they were submitted.

        After an error those committed before it are returned first, and the next call raises it.
        """
    def close(self) -> list[CommittedPart]:
        """Wait for the queue to drain and return what was committed since the last call.

        Raises OutputError if a part failed; ``committed`` then still returns the parts before it.
        """

def merge_parts(
    *,
    parts: Sequence[str],
    temporary_path: str,
    final_path: str,
    empty_batch: ArrowArrayExportable,
    metadata: dict[str, str],
    compression: str,
    row_group_rows: int,
    threads: int,
) -> CommittedPart:
    """Put parts together in one Parquet file, sorted by ``CHROM_CODE`` and ``GENPOS``; rows of one place stay in order.

    ``empty_batch`` has the columns that every part must have. Every row group has at least ``row_group_rows`` rows, or
    there is one. The same rows give the same bytes, however they were cut. One row group is in memory at a time.

    Raises InputError naming a part that cannot be read, OutputError where the file cannot be written.
    """

class RegenieTextWriter:
    """REGENIE's text: one line a row, columns separated by one space, numbers with six significant digits."""

    def __new__(
        cls, *, temporary_path: str, final_path: str, gzip: bool, case_control_columns: bool
    ) -> RegenieTextWriter: ...
    def append(self, batch: ArrowArrayExportable) -> None:
        """Rows of a result batch (results/schema.py) in order.

        ``TEXT_BETA`` and ``TEXT_SE``, where present and not null, are printed in place of ``BETA`` and ``SE``.
        """
    def finish(self) -> int:
        """fsync and rename; returns rows written. Without it the final name never appears."""

class RegenieTableWriter:
    """REGENIE's one table for all traits (``--no-split``), in the form of its text; the traits are Y1, Y2 and so on."""

    def __new__(cls, *, temporary_path: str, final_path: str, gzip: bool, n_traits: int) -> RegenieTableWriter: ...
    def append(self, batch: ArrowArrayExportable) -> None:
        """Rows in order, with ``CHROM_CODE`` and otherwise the columns of the header but ``EXTRA``.

        ``BETA.Y1``, ``SE.Y1``, ``CHISQ.Y1`` and ``LOG10P.Y1`` are those of the first trait: null where it has no test.
        """
    def finish(self) -> int:
        """fsync and rename; returns rows written. Without it the final name never appears."""

def format_g6(value: float) -> str:
    """A double as C's %g prints it; NaN as NA."""
