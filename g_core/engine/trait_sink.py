"""One trait's rows, or those of the one table of all traits, on their way to committed parts.

Belongs here: which blocks make a part, its files, and its line of the journal. Does not belong here: what a row
holds (results/), how a file is written (rust/output), all traits together (result_sink.py).
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from g_core import _native
from g_core.config.choices import Compression, OutputFormat
from g_core.engine.chunks import ChunkBlock
from g_core.engine.journal import CommittedFile, PartCounts, PartLine
from g_core.engine.run_directory import RunDirectory
from g_core.engine.text_segments import join_segments
from g_core.results.batch import CORRECTION_CODES, NO_REASON, REASON_CODES, TraitRows
from g_core.results.schema import SCHEMA_VERSION, Correction, GeneticModel, Reason

READ_BLOCK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class SinkOptions:
    """How results are written. ``one_table`` is on only where the text is one of the formats."""

    formats: tuple[OutputFormat, ...]
    gzip: bool
    one_table: bool
    case_control_text: bool
    writer_threads: int
    writer_queue_depth: int
    compression: Compression
    test: GeneticModel
    plan_fingerprint: str


@dataclass(frozen=True, slots=True)
class BlockRows:
    """One block's share of a part.

    Attributes:
        counts: Of its rows.
        batch: Rows of the Parquet file; None where nothing is written.
        text: Rows of the text; None where nothing is written.
    """

    block: ChunkBlock
    counts: PartCounts
    batch: pa.RecordBatch | None
    text: pa.RecordBatch | None


NOTHING_COUNTED = PartCounts(
    rows=0,
    rows_failed=0,
    rows_corrected=0,
    below_minimum_mac=0,
    below_minimum_info=0,
    below_minimum_homozygotes=0,
    lost_null_model=False,
)


def add_counts(counts: Iterable[PartCounts]) -> PartCounts:
    """Counts of several blocks together."""
    each = tuple(counts)
    return PartCounts(
        rows=sum(one.rows for one in each),
        rows_failed=sum(one.rows_failed for one in each),
        rows_corrected=sum(one.rows_corrected for one in each),
        below_minimum_mac=sum(one.below_minimum_mac for one in each),
        below_minimum_info=sum(one.below_minimum_info for one in each),
        below_minimum_homozygotes=sum(one.below_minimum_homozygotes for one in each),
        lost_null_model=any(one.lost_null_model for one in each),
    )


def count_rows(rows: TraitRows) -> PartCounts:
    """What the journal says of a trait's rows of one block."""
    genotypes = rows.genotypes
    reasons = rows.reason_codes[genotypes.kept]
    corrections = rows.correction_codes[genotypes.kept]
    return PartCounts(
        rows=int(reasons.size),
        rows_failed=int(np.count_nonzero(reasons != NO_REASON)),
        rows_corrected=int(np.count_nonzero(corrections != CORRECTION_CODES[Correction.NONE])),
        below_minimum_mac=genotypes.below_minimum_mac,
        below_minimum_info=genotypes.below_minimum_info,
        below_minimum_homozygotes=genotypes.below_minimum_homozygotes,
        lost_null_model=bool(np.any(reasons == REASON_CODES[Reason.NULL_MODEL_FAILED])),
    )


class PartSink:
    """Commits the parts of one trait, or of the table (``trait`` None).

    Attributes:
        lines: Journal lines of committed parts, those of an earlier run of the same directory first.
        waiting: Lines whose Parquet file is being written, by its final path.
        pending: Blocks of the part that is not full yet.
    """

    def __init__(
        self,
        trait: str | None,
        directory: RunDirectory,
        options: SinkOptions,
        *,
        n_traits: int,
        committed: list[PartLine],
    ) -> None:
        self.trait = trait
        self.directory = directory
        self.options = options
        self.n_traits = n_traits
        self.lines = committed
        self.waiting: dict[str, PartLine] = {}
        self.pending: list[BlockRows] = []

    @property
    def next_part(self) -> int:
        """Number of the part that comes next."""
        return len(self.lines) + len(self.waiting)

    def writes_text(self) -> bool:
        """Whether this sink writes text: each trait its own, or the table alone."""
        return OutputFormat.REGENIE in self.options.formats and (self.trait is None) == self.options.one_table

    def writes_parquet(self) -> bool:
        """Whether this sink writes Parquet; the table does not."""
        return OutputFormat.PARQUET in self.options.formats and self.trait is not None

    def add(self, rows: BlockRows, parts: _native.PartWriter) -> None:
        """Take a block's rows; its part is written when the block ends it."""
        self.pending.append(rows)
        if rows.block.ends_part:
            self.submit(parts)

    def submit(self, parts: _native.PartWriter) -> None:
        """Write the pending part's text, and hand its rows to the Parquet writer."""
        pending, self.pending = self.pending, []
        if not pending:
            return
        number = self.next_part
        batches = [rows.batch for rows in pending if rows.batch is not None and rows.batch.num_rows > 0]
        texts = [rows.text for rows in pending if rows.text is not None]
        line = PartLine(
            kind="part",
            trait=self.trait,
            part=number,
            first_variant=pending[0].block.start,
            stop_variant=pending[-1].block.stop,
            chromosome_code=pending[0].block.chromosome_code,
            counts=add_counts(rows.counts for rows in pending),
            parquet=None,
            text=self.write_segment(number, texts) if self.writes_text() else None,
        )
        final_path = f"no file {number}"
        if batches and self.trait is not None:
            final_path = str(self.directory.part_path(self.trait, number))
            parts.submit(
                temporary_path=str(self.directory.staged_part_path(self.trait, number)),
                final_path=final_path,
                batches=batches,
                metadata={
                    "g.schema_version": str(SCHEMA_VERSION),
                    "g.plan_fingerprint": self.options.plan_fingerprint,
                    "g.trait": self.trait,
                },
            )
        self.waiting[final_path] = line

    def write_segment(self, number: int, batches: Sequence[pa.RecordBatch]) -> CommittedFile:
        """Write the text of a part; without batches it is a header alone."""
        staged = self.directory.staged_segment_path(self.trait, number)
        final = self.directory.segment_path(self.trait, number)
        writer = self.text_writer(staged, final)
        for batch in batches:
            writer.append(batch)
        writer.finish()
        relative = str(final.relative_to(self.directory.path))
        return CommittedFile(path=relative, bytes=final.stat().st_size, sha256=file_sha256(final))

    def text_writer(self, staged: Path, final: Path) -> _native.RegenieTextWriter | _native.RegenieTableWriter:
        """A writer of one segment, never compressed: the whole text is."""
        paths = {"temporary_path": str(staged), "final_path": str(final)}
        if self.trait is None:
            return _native.RegenieTableWriter(**paths, gzip=False, n_traits=self.n_traits)
        return _native.RegenieTextWriter(**paths, gzip=False, case_control_columns=self.options.case_control_text)

    def settle(self, committed: dict[str, _native.CommittedPart]) -> list[PartLine]:
        """Take over parts whose files are all there, in order; returns their journal lines."""
        settled: list[PartLine] = []
        for final_path, line in list(self.waiting.items()):
            if final_path.startswith("no file "):
                settled.append(line)
            elif final_path in committed:
                part = committed[final_path]
                relative = str(Path(final_path).relative_to(self.directory.path))
                parquet = CommittedFile(path=relative, bytes=part.bytes, sha256=part.sha256)
                settled.append(line.model_copy(update={"parquet": parquet}))
            else:
                break
            del self.waiting[final_path]
        self.lines.extend(settled)
        return settled

    def finish_text(self) -> str | None:
        """Put the segments together under the final name, and return that name."""
        if not self.writes_text():
            return None
        if not self.lines:
            self.lines.append(self.empty_line())
        segments = [self.directory.path / line.text.path for line in self.lines if line.text is not None]
        compress = self.options.gzip
        final = self.directory.table_path(gzip=compress)
        if self.trait is not None:
            final = self.directory.text_path(self.trait, gzip=compress)
        join_segments(segments, self.directory.staged_text_path(self.trait), final, compress=compress)
        return final.name

    def empty_line(self) -> PartLine:
        """The line of a run without variants: a text of the header alone."""
        return PartLine(
            kind="part",
            trait=self.trait,
            part=0,
            first_variant=0,
            stop_variant=0,
            chromosome_code=0,
            counts=NOTHING_COUNTED,
            parquet=None,
            text=self.write_segment(0, ()),
        )


def file_sha256(path: Path) -> str:
    """Digest of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as handle:
        while block := handle.read(READ_BLOCK_BYTES):
            digest.update(block)
    return digest.hexdigest()
