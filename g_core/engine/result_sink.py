"""Takes each trait's rows in scan order, groups them into parts, and commits them.

Belongs here: which batches make a part, and the counts that the manifest reports. Does not belong here: what a row
holds (results/) or how a file is written (rust/output).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from g_core import _native
from g_core.config.choices import Compression, OutputFormat
from g_core.engine.chunks import ChunkSpan
from g_core.engine.manifest import PartRecord
from g_core.engine.run_directory import RunDirectory
from g_core.results.batch import (
    CORRECTION_CODES,
    NO_REASON,
    REASON_CODES,
    JointRows,
    TraitRows,
    VariantColumns,
    result_batch,
    text_batch,
)
from g_core.results.schema import SCHEMA_VERSION, Correction, GeneticModel, Reason
from g_core.results.table import table_batch


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
class TraitCounts:
    """What became of a trait's variants."""

    rows: int = 0
    rows_failed: int = 0
    rows_corrected: int = 0
    below_minimum_mac: int = 0
    below_minimum_info: int = 0
    below_minimum_homozygotes: int = 0
    chromosomes_without_model: set[int] = field(default_factory=set[int])

    def add(self, chromosome_code: int, rows: TraitRows) -> None:
        """Count one chunk."""
        reasons = rows.reason_codes[rows.kept]
        corrections = rows.correction_codes[rows.kept]
        self.rows += int(reasons.size)
        self.rows_failed += int(np.count_nonzero(reasons != NO_REASON))
        self.rows_corrected += int(np.count_nonzero(corrections != CORRECTION_CODES[Correction.NONE]))
        if np.any(reasons == REASON_CODES[Reason.NULL_MODEL_FAILED]):
            self.chromosomes_without_model.add(chromosome_code)
        self.below_minimum_mac += rows.below_minimum_mac
        self.below_minimum_info += rows.below_minimum_info
        self.below_minimum_homozygotes += rows.below_minimum_homozygotes


@dataclass(slots=True)
class PendingPart:
    """Batches that wait for their part to be full."""

    first_variant: int
    stop_variant: int = 0
    n_chunks: int = 0
    batches: list[pa.RecordBatch] = field(default_factory=list[pa.RecordBatch])


class TraitSink:
    """One trait's files."""

    def __init__(self, trait: str, directory: RunDirectory, options: SinkOptions, parts: _native.PartWriter) -> None:
        self.trait = trait
        self.directory = directory
        self.options = options
        self.part_writer = parts
        self.counts = TraitCounts()
        self.pending = PendingPart(first_variant=0)
        self.spans_by_path: dict[str, tuple[int, int]] = {}
        self.text_writer = (
            _native.RegenieTextWriter(
                temporary_path=str(directory.staged_text_path(trait)),
                final_path=str(directory.text_path(trait, gzip=options.gzip)),
                gzip=options.gzip,
                case_control_columns=options.case_control_text,
            )
            if OutputFormat.REGENIE in options.formats and not options.one_table
            else None
        )

    def add(self, span: ChunkSpan, batch: pa.RecordBatch, rows: TraitRows) -> None:
        """Take the next chunk's rows."""
        self.counts.add(span.chromosome_code, rows)
        if self.text_writer is not None:
            self.text_writer.append(text_batch(batch, rows))
        if OutputFormat.PARQUET not in self.options.formats:
            return
        self.pending.stop_variant = span.stop
        self.pending.n_chunks += 1
        if batch.num_rows:
            self.pending.batches.append(batch)
        if self.pending.n_chunks >= self.options.chunks_per_part:
            self.submit_pending()

    def submit_pending(self) -> None:
        """Hand the pending batches to the part writer; a part without rows makes no file."""
        pending = self.pending
        if pending.batches:
            part = len(self.spans_by_path)
            final_path = str(self.directory.part_path(self.trait, part))
            self.spans_by_path[final_path] = (pending.first_variant, pending.stop_variant)
            self.part_writer.submit(
                temporary_path=str(self.directory.staged_part_path(self.trait, part)),
                final_path=final_path,
                batches=pending.batches,
                metadata={
                    "g.schema_version": str(SCHEMA_VERSION),
                    "g.plan_fingerprint": self.options.plan_fingerprint,
                    "g.trait": self.trait,
                },
            )
        self.pending = PendingPart(first_variant=pending.stop_variant)

    def finish_text(self) -> str | None:
        """Give the REGENIE text its final name, and return that name."""
        if self.text_writer is None:
            return None
        self.text_writer.finish()
        return self.directory.text_path(self.trait, gzip=self.options.gzip).name


class TableSink:
    """The one text of all traits."""

    def __init__(self, traits: tuple[str, ...], directory: RunDirectory, options: SinkOptions) -> None:
        self.traits = traits
        self.directory = directory
        self.options = options
        self.writer = _native.RegenieTableWriter(
            temporary_path=str(directory.staged_table_path),
            final_path=str(directory.table_path(gzip=options.gzip)),
            gzip=options.gzip,
            n_traits=len(traits),
        )

    def add(
        self, span: ChunkSpan, variants: VariantColumns, joint: JointRows, rows_by_trait: Mapping[str, TraitRows]
    ) -> None:
        """Take the next chunk's rows."""
        rows = [rows_by_trait[trait] for trait in self.traits]
        self.writer.append(table_batch(variants, span.start, span.stop, joint, rows, self.options.test))

    def finish(self) -> str:
        """Give the table its final name, and return that name; the traits behind its Y1, Y2 are in ``.Ydict``."""
        names = "".join(f"Y{number} {trait}\n" for number, trait in enumerate(self.traits, start=1))
        self.directory.write_beside(".regenie.Ydict", names)
        self.writer.finish()
        return self.directory.table_path(gzip=self.options.gzip).name


class ResultSink:
    """All traits' files of one run; ``traits`` is their order in one table."""

    def __init__(
        self, directory: RunDirectory, traits: tuple[str, ...], variants: VariantColumns, options: SinkOptions
    ) -> None:
        self.directory = directory
        self.variants = variants
        self.options = options
        self.part_writer = _native.PartWriter(
            threads=options.writer_threads,
            queue_depth=options.writer_queue_depth,
            compression=str(options.compression),
        )
        self.traits = {trait: TraitSink(trait, directory, options, self.part_writer) for trait in traits}
        self.table = TableSink(traits, directory, options) if options.one_table else None

    def add(self, span: ChunkSpan, trait: str, rows: TraitRows) -> None:
        """Take one trait's rows of the next chunk.

        Raises:
            ValueError: The run writes one table, so all traits' rows belong to ``add_table``.
        """
        if self.table is not None:
            raise ValueError("a run that writes one table hands over the rows of all traits together")
        self.add_trait(span, trait, rows)

    def add_table(self, span: ChunkSpan, joint_rows: JointRows, rows_by_trait: Mapping[str, TraitRows]) -> None:
        """Take the rows of all traits of the next chunk, in a run that writes one table.

        Args:
            span: The chunk.
            joint_rows: What the table says of its variants.
            rows_by_trait: Rows of every trait of the run; what a trait has no test for is null in its columns.

        Raises:
            ValueError: The run writes a text for each trait.
        """
        if self.table is None:
            raise ValueError("a run that writes a text for each trait hands over the rows of one trait at a time")
        self.table.add(span, self.variants, joint_rows, rows_by_trait)
        for trait, rows in rows_by_trait.items():
            self.add_trait(span, trait, rows)

    def add_trait(self, span: ChunkSpan, trait: str, rows: TraitRows) -> None:
        """Hand one trait's rows to its own files."""
        batch = result_batch(self.variants, span.start, span.stop, rows, self.options.test)
        self.traits[trait].add(span, batch, rows)

    def close(self) -> dict[str, tuple[PartRecord, ...]]:
        """Write what is pending, wait until it is on disk, and return the committed parts by trait."""
        for sink in self.traits.values():
            sink.submit_pending()
        committed = {str(part.path): part for part in self.part_writer.close()}
        return {
            trait: tuple(self.part_record(committed[path], span) for path, span in sink.spans_by_path.items())
            for trait, sink in self.traits.items()
        }

    def finish_texts(self) -> dict[str, str | None]:
        """Rename the REGENIE texts into place, last of all files but the manifest; one table is every trait's text."""
        if self.table is not None:
            return dict.fromkeys(self.traits, self.table.finish())
        return {trait: sink.finish_text() for trait, sink in self.traits.items()}

    def part_record(self, part: _native.CommittedPart, span: tuple[int, int]) -> PartRecord:
        """The manifest's line for a committed part."""
        relative = str(part.path)[len(str(self.directory.path)) + 1 :]
        return PartRecord(
            path=relative,
            rows=part.rows,
            bytes=part.bytes,
            sha256=part.sha256,
            first_variant=span[0],
            stop_variant=span[1],
        )
