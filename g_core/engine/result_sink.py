"""Takes all traits' rows in scan order, and has their parts committed and journalled.

Belongs here: the order in which files and journal lines appear. Does not belong here: the parts of one trait
(trait_sink.py), what a row holds (results/), how a file is written (rust/output).
"""

import contextlib
from collections.abc import Mapping, Sequence

import pyarrow as pa

from g_core import _native
from g_core.engine.chunks import ChunkBlock
from g_core.engine.journal import Journal, PartLine
from g_core.engine.run_directory import RunDirectory
from g_core.engine.trait_sink import NOTHING_COUNTED, BlockRows, PartSink, SinkOptions, count_rows
from g_core.errors import OutputError
from g_core.results.batch import (
    JointRows,
    SharedColumns,
    TraitRows,
    VariantColumns,
    result_batch,
    shared_columns,
    text_batch,
)
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
        block: ChunkBlock,
        rows_by_trait: Mapping[str, TraitRows],
        joint_rows: JointRows | None,
    ) -> None:
        """Take the rows of the next block; parts that it ends are written.

        Args:
            block: What they are rows of.
            rows_by_trait: Rows of the traits of one group.
            joint_rows: What one table says of the variants, in a run that writes one; the traits are all traits then.

        Raises:
            ValueError: One table was asked for and these are not its rows, or the other way round.
            OutputError: A part could not be written.
        """
        if (joint_rows is None) != (self.table is None):
            raise ValueError("rows of one table belong to a run that writes one, and to no other")
        shared: SharedColumns | None = None
        for trait, rows in rows_by_trait.items():
            if shared is None or shared.genotypes is not rows.genotypes:
                shared = shared_columns(self.variants, block.start, block.stop, rows.genotypes, self.options.test)
            self.add_trait(trait, block, rows, result_batch(shared, rows))
        if self.table is not None and joint_rows is not None:
            rows = [rows_by_trait[trait] for trait in self.traits]
            text = table_batch(self.variants, block.start, block.stop, joint_rows, rows, self.options.test)
            self.table.add(BlockRows(block, NOTHING_COUNTED, None, text), self.part_writer)

    def add_trait(self, trait: str, block: ChunkBlock, rows: TraitRows, batch: pa.RecordBatch) -> None:
        """Take one trait's rows."""
        sink = self.traits[trait]
        own = BlockRows(
            block=block,
            counts=count_rows(rows),
            batch=batch if sink.writes_parquet() else None,
            text=text_batch(batch, rows) if sink.writes_text() else None,
        )
        sink.add(own, self.part_writer)

    def end_block(self) -> None:
        """Journal the parts that were committed meanwhile.

        Raises:
            OutputError: A part could not be written.
        """
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
        self.journal.append([line for sink in self.sinks for line in sink.settle(by_path)])

    def finish_texts(self) -> dict[str, str | None]:
        """Put the REGENIE texts together, last of all files but the manifest; one table is every trait's text."""
        if self.table is not None:
            names = "".join(f"Y{number} {trait}\n" for number, trait in enumerate(self.traits, start=1))
            self.directory.write_beside(".regenie.Ydict", names)
            return dict.fromkeys(self.traits, self.table.finish_text())
        return {trait: sink.finish_text() for trait, sink in self.traits.items()}
