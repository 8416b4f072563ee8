"""One trait's rows, or those of the one table of all traits, on their way to committed parts.

Belongs here: which batches make a part, its text segment, and its line of the journal. Does not belong here: what a row
holds (results/), how a file is written (rust/output), all traits together (result_sink.py).
"""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa

from g_core import _native
from g_core.config.choices import Compression, OutputFormat
from g_core.engine.chunks import ChunkSpan
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
    chunks_per_part: int
    compression: Compression
    test: GeneticModel
    plan_fingerprint: str


@dataclass(slots=True)
class PendingPart:
    """Batches that wait for their part to be full."""

    first_variant: int
    stop_variant: int
    chromosome_code: int
    n_chunks: int = 0
    batches: list[pa.RecordBatch] = field(default_factory=list[pa.RecordBatch])
    texts: list[pa.RecordBatch] = field(default_factory=list[pa.RecordBatch])
    rows: int = 0
    rows_failed: int = 0
    rows_corrected: int = 0
    below_minimum_mac: int = 0
    below_minimum_info: int = 0
    below_minimum_homozygotes: int = 0
    lost_null_model: bool = False

    def count(self, rows: TraitRows) -> None:
        """Count one chunk."""
        reasons = rows.reason_codes[rows.kept]
        corrections = rows.correction_codes[rows.kept]
        self.rows += int(reasons.size)
        self.rows_failed += int(np.count_nonzero(reasons != NO_REASON))
        self.rows_corrected += int(np.count_nonzero(corrections != CORRECTION_CODES[Correction.NONE]))
        self.lost_null_model |= bool(np.any(reasons == REASON_CODES[Reason.NULL_MODEL_FAILED]))
        self.below_minimum_mac += rows.below_minimum_mac
        self.below_minimum_info += rows.below_minimum_info
        self.below_minimum_homozygotes += rows.below_minimum_homozygotes

    def counts(self) -> PartCounts:
        """What the journal says of them."""
        return PartCounts(
            rows=self.rows,
            rows_failed=self.rows_failed,
            rows_corrected=self.rows_corrected,
            below_minimum_mac=self.below_minimum_mac,
            below_minimum_info=self.below_minimum_info,
            below_minimum_homozygotes=self.below_minimum_homozygotes,
            lost_null_model=self.lost_null_model,
        )


class PartSink:
    """Collects batches of one trait, or of the table (``trait`` None), into parts and commits them.

    Attributes:
        lines: Journal lines of committed parts, those of an earlier run of the same directory first.
        waiting: Lines whose Parquet file is being written, by its final path.
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
        self.pending: PendingPart | None = None

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

    def open_part(self, span: ChunkSpan) -> PendingPart:
        """The part that takes a chunk's rows; one part stays on one chromosome."""
        if self.pending is None:
            self.pending = PendingPart(span.start, span.start, span.chromosome_code)
        self.pending.stop_variant = span.stop
        self.pending.n_chunks += 1
        return self.pending

    def is_full(self, next_span: ChunkSpan | None) -> bool:
        """Whether the pending part ends before the next chunk."""
        if self.pending is None:
            return False
        ends_chromosome = next_span is not None and next_span.chromosome_code != self.pending.chromosome_code
        return ends_chromosome or self.pending.n_chunks >= self.options.chunks_per_part

    def submit(self, parts: _native.PartWriter) -> None:
        """Write the pending part's text, and hand its rows to the Parquet writer."""
        pending, self.pending = self.pending, None
        if pending is None:
            return
        number = self.next_part
        has_parquet = self.writes_parquet() and bool(pending.batches)
        line = PartLine(
            kind="part",
            trait=self.trait,
            part=number,
            first_variant=pending.first_variant,
            stop_variant=pending.stop_variant,
            chromosome_code=pending.chromosome_code,
            counts=pending.counts(),
            parquet=None,
            text=self.write_segment(number, pending.texts) if self.writes_text() else None,
        )
        final_path = f"no file {number}"
        if has_parquet and self.trait is not None:
            final_path = str(self.directory.part_path(self.trait, number))
            parts.submit(
                temporary_path=str(self.directory.staged_part_path(self.trait, number)),
                final_path=final_path,
                batches=pending.batches,
                metadata={
                    "g.schema_version": str(SCHEMA_VERSION),
                    "g.plan_fingerprint": self.options.plan_fingerprint,
                    "g.trait": self.trait,
                },
            )
        self.waiting[final_path] = line

    def write_segment(self, number: int, batches: list[pa.RecordBatch]) -> CommittedFile:
        """Write the text of a part."""
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
            counts=PendingPart(0, 0, 0).counts(),
            parquet=None,
            text=self.write_segment(0, []),
        )


def file_sha256(path: Path) -> str:
    """Digest of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as handle:
        while block := handle.read(READ_BLOCK_BYTES):
            digest.update(block)
    return digest.hexdigest()
