"""Who is told while a scan goes on: the line on the terminal, and the events of the run.

Belongs here: telling both of them. Does not belong here: what they make of it (progress.py, g_core/telemetry).
"""

from dataclasses import dataclass

from g_core.engine.chunks import ChunkSpan
from g_core.engine.progress import ProgressLine
from g_core.telemetry.telemetry import Telemetry


@dataclass(frozen=True, slots=True)
class ScanWatch:
    """The two of them."""

    progress: ProgressLine
    telemetry: Telemetry

    def chunk_started(self, span: ChunkSpan) -> None:
        """A chunk is waited for."""
        self.telemetry.chunk_started(span.chromosome_code)

    def chunk_ended(self, span: ChunkSpan) -> None:
        """The kernels of a chunk are started; its rows come with its block."""
        self.progress.advance(span.n_variants)
        self.telemetry.chunk_ended(span.chromosome_code, span.start, span.stop)
