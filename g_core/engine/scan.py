"""The scan: decoded chunks in, result rows out.

Belongs here: the order of work. Does not belong here: statistics (kernels), what a test of one group needs
(quantitative_test.py, binary_test.py), decoding (rust/bgen), files (result_sink.py).

While the device works on one chunk, native threads decode the chunks after it, and other native threads write the
parts. This thread starts the kernels of a chunk and turns to the next; only once a block does it make rows.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from g_core import _native
from g_core.engine.chunks import ChunkBlock, ChunkSpan
from g_core.engine.result_sink import ResultSink
from g_core.engine.scan_watch import ScanWatch
from g_core.engine.stages import Stage, StageClock
from g_core.results.batch import JointRows, TraitRows


@dataclass(frozen=True, slots=True)
class GroupRows:
    """A block's rows by trait, and what a table of all traits says of its variants where one is written."""

    by_trait: dict[str, TraitRows]
    joint: JointRows | None


class BlockTest(Protocol):
    """The test of one block for the traits of one mask group."""

    def add(self, span: ChunkSpan, chunk: _native.DosageChunk) -> None:
        """Start the kernels of the block's next chunk, and take what is needed of the chunk before it."""
        ...

    def finish(self) -> GroupRows:
        """Wait for the kernels, correct what must be corrected, and return the rows of all chunks added."""
        ...


class GroupTest(Protocol):
    """Tests the traits of one mask group.

    Attributes:
        notes: What the person who ran it should know of the models fitted so far.
    """

    notes: list[str]

    def fit(self, chromosome_code: int) -> None:
        """Fit the null models of a chromosome, unless they are."""
        ...

    def begin(self, chromosome_code: int) -> BlockTest:
        """Begin a block; fits the chromosome's null models if need be."""
        ...


def scan(
    *,
    blocks: Sequence[ChunkBlock],
    stream: Iterator[_native.DosageChunk],
    tests: Sequence[GroupTest],
    sink: ResultSink,
    clock: StageClock,
    watch: ScanWatch,
    is_stopped: Callable[[], bool],
) -> int:
    """Test every block in order and hand its rows to the sink.

    Returns:
        Position after the last tested variant: the end, unless ``is_stopped`` said so before a chunk.
    """
    stopped_at = blocks[0].start if blocks else 0
    for block in blocks:
        begun = [test.begin(block.chromosome_code) for test in tests]
        n_added = add_chunks(block, stream, begun, clock, watch, is_stopped)
        if n_added > 0:
            tested = block.first_chunks(n_added)
            finish_block(tested, begun, sink, clock)
            stopped_at = tested.stop
        if n_added < len(block.chunks):
            break
    return stopped_at


def add_chunks(
    block: ChunkBlock,
    stream: Iterator[_native.DosageChunk],
    begun: Sequence[BlockTest],
    clock: StageClock,
    watch: ScanWatch,
    is_stopped: Callable[[], bool],
) -> int:
    """Start the kernels of a block's chunks; returns of how many, all unless ``is_stopped`` said so."""
    for number, span in enumerate(block.chunks):
        if is_stopped():
            return number
        watch.chunk_started(span)
        with clock.stage(Stage.DECODE_WAIT):
            chunk = next(stream)
        for test in begun:
            test.add(span, chunk)
        # Else its buffer would be away from the decoder while the next chunk is waited for.
        del chunk
        watch.chunk_ended(span)
    return len(block.chunks)


def finish_block(block: ChunkBlock, begun: Sequence[BlockTest], sink: ResultSink, clock: StageClock) -> None:
    """Collect the rows of a block and write them."""
    for test in begun:
        rows = test.finish()
        with clock.stage(Stage.OUTPUT):
            sink.add(block, rows.by_trait, rows.joint)
    with clock.stage(Stage.OUTPUT):
        sink.end_block()
