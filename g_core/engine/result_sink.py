"""Takes all traits' rows in scan order, and has their parts committed and journalled.

Belongs here: the order in which files and journal lines appear. Does not belong here: the parts of one trait
(trait_sink.py), what a row holds (results/), how a file is written (rust/output).
"""

import contextlib
from collections.abc import Mapping, Sequence

from g_core import _native
from g_core.config.choices import OutputFormat
from g_core.engine.chunks import ChunkSpan
from g_core.engine.journal import Journal, PartLine
from g_core.engine.run_directory import RunDirectory
from g_core.engine.trait_sink import PartSink, SinkOptions
from g_core.errors import OutputError
from g_core.results.batch import JointRows, TraitRows, VariantColumns, result_batch, text_batch
from g_core.results.table import table_batch


class ResultSink:
    """All files of one run.

    Args:
        directory: Where they go.
        traits: In the order of one table.
        variants: Identifying columns of the selected variants.
        options: How they are written.
        committed: Parts of an earlier run of the same directory, which this one goes on after.
    """

    def __init__(
        self,
        directory: RunDirectory,
        traits: tuple[str, ...],
        variants: VariantColumns,
        options: SinkOptions,
        committed: Sequence[PartLine],
    ) -> None:
        self.directory = directory
        self.variants = variants
        self.options = options
        self.journal = Journal(directory.path)
        self.part_writer = _native.PartWriter(
            threads=options.writer_threads,
            queue_depth=options.writer_queue_depth,
            compression=str(options.compression),
        )

        def part_sink(trait: str | None) -> PartSink:
            own = [line for line in committed if line.trait == trait]
            return PartSink(trait, directory, options, n_traits=len(traits), committed=own)

        self.traits = {trait: part_sink(trait) for trait in traits}
        self.table = part_sink(None) if options.one_table else None

    @property
    def sinks(self) -> list[PartSink]:
        """Every sink of parts: the table comes last."""
        return [*self.traits.values(), *([] if self.table is None else [self.table])]

    def add(
        self,
        span: ChunkSpan,
        rows_by_trait: Mapping[str, TraitRows],
        joint_rows: JointRows | None,
    ) -> None:
        """Take the rows of the next chunk.

        Args:
            span: The chunk.
            rows_by_trait: Rows of the traits of one group.
            joint_rows: What one table says of the variants, in a run that writes one; the traits are all traits then.

        Raises:
            ValueError: One table was asked for and these are not its rows, or the other way round.
        """
        if (joint_rows is None) != (self.table is None):
            raise ValueError("rows of one table belong to a run that writes one, and to no other")
        for trait, rows in rows_by_trait.items():
            sink = self.traits[trait]
            part = sink.open_part(span)
            part.count(rows)
            batch = result_batch(self.variants, span.start, span.stop, rows, self.options.test)
            if batch.num_rows and OutputFormat.PARQUET in self.options.formats:
                part.batches.append(batch)
            if sink.writes_text():
                part.texts.append(text_batch(batch, rows))
        if self.table is not None and joint_rows is not None:
            rows = [rows_by_trait[trait] for trait in self.traits]
            part = self.table.open_part(span)
            part.texts.append(table_batch(self.variants, span.start, span.stop, joint_rows, rows, self.options.test))

    def end_chunk(self, next_span: ChunkSpan | None) -> None:
        """Hand over the parts that are full, and journal those that were committed meanwhile.

        Args:
            next_span: The chunk that comes next; None after the last.

        Raises:
            OutputError: A part could not be written.
        """
        for sink in self.sinks:
            if sink.is_full(next_span):
                sink.submit(self.part_writer)
        self.settle(self.part_writer.committed())

    def close(self) -> None:
        """Write what is pending, wait until it is on disk, and journal it.

        Raises:
            OutputError: A part could not be written; those before it are journalled.
        """
        for sink in self.sinks:
            sink.submit(self.part_writer)
        try:
            self.settle(self.part_writer.close())
        except OutputError:
            # Parts that were committed before the one that failed still count.
            with contextlib.suppress(OutputError):
                self.settle(self.part_writer.committed())
            raise

    def settle(self, committed: Sequence[_native.CommittedPart]) -> None:
        """Journal the parts of every sink whose files are there."""
        by_path = {str(part.path): part for part in committed}
        for sink in self.sinks:
            for line in sink.settle(by_path):
                self.journal.append(line)

    def finish_texts(self) -> dict[str, str | None]:
        """Put the REGENIE texts together, last of all files but the manifest; one table is every trait's text."""
        if self.table is not None:
            names = "".join(f"Y{number} {trait}\n" for number, trait in enumerate(self.traits, start=1))
            self.directory.write_beside(".regenie.Ydict", names)
            return dict.fromkeys(self.traits, self.table.finish_text())
        return {trait: sink.finish_text() for trait, sink in self.traits.items()}
