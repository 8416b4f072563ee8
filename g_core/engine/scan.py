"""The scan: decoded chunks in, result rows out.

Belongs here: the order of work. Does not belong here: statistics (kernels), what a test of one group needs
(quantitative_test.py, binary_test.py), decoding (rust/bgen), files (result_sink.py).

While the device works on one chunk, this thread turns the chunk before into rows, native threads decode the chunks
after it, and other native threads write the parts.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from g_core import _native
from g_core.engine.chunks import ChunkSpan
from g_core.engine.result_sink import ResultSink
from g_core.engine.scan_watch import ScanWatch
from g_core.engine.stages import Stage, StageClock
from g_core.results.batch import JointRows, TraitRows


@dataclass(frozen=True, slots=True)
class GroupRows:
    """A chunk's rows by trait, and what a table of all traits says of its variants where one is written."""

    by_trait: dict[str, TraitRows]
    joint: JointRows | None


FinishChunk = Callable[[], GroupRows]
"""Waits for the kernels of a begun chunk, corrects what must be corrected, and returns its rows."""


class GroupTest(Protocol):
    """Tests the traits of one mask group, in two halves so that the device can work in between.

    Attributes:
        notes: What the person who ran it should know of the models fitted so far.
    """

    notes: list[str]

    def fit(self, chromosome_code: int) -> None:
        """Fit the null models of a chromosome, unless they are."""
        ...

    def begin(self, span: ChunkSpan, chunk: _native.DosageChunk, sample_set: int) -> FinishChunk:
        """Fit the chromosome's null models if need be, and start the kernels of a chunk."""
        ...


@dataclass(frozen=True, slots=True)
class BegunChunk:
    """A chunk whose kernels run: one entry a mask group."""

    span: ChunkSpan
    groups: tuple[FinishChunk, ...]


def scan(
    *,
    spans: Sequence[ChunkSpan],
    stream: Iterator[_native.DosageChunk],
    tests: Sequence[GroupTest],
    sink: ResultSink,
    clock: StageClock,
    watch: ScanWatch,
    is_stopped: Callable[[], bool],
) -> int:
    """Test every chunk in order and hand the rows to the sink.

    Returns:
        Position after the last tested variant: the end, unless ``is_stopped`` said so before a chunk.
    """
    before: BegunChunk | None = None
    for span in spans:
        if is_stopped():
            break
        watch.chunk_started(span)
        with clock.stage(Stage.DECODE_WAIT):
            chunk = next(stream)
        begun = BegunChunk(span, tuple(test.begin(span, chunk, position) for position, test in enumerate(tests)))
        if before is not None:
            finish_chunk(before, span, sink, clock, watch)
        before = begun
    if before is None:
        return spans[0].start if spans else 0
    finish_chunk(before, None, sink, clock, watch)
    return before.span.stop


def finish_chunk(
    begun: BegunChunk, next_span: ChunkSpan | None, sink: ResultSink, clock: StageClock, watch: ScanWatch
) -> None:
    """Collect the rows of a begun chunk and write them; ``next_span`` is the chunk after it."""
    for finish in begun.groups:
        group = finish()
        with clock.stage(Stage.OUTPUT):
            sink.add(begun.span, group.by_trait, group.joint)
    with clock.stage(Stage.OUTPUT):
        sink.end_chunk(next_span)
    watch.chunk_ended(begun.span)
