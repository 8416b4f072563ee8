"""Takes the figures of a run with ``--telemetry profile``.

Belongs here: what is measured beside the stages, and JAX's own profiles. Does not belong here: the stages (stages.py),
the file's shape (telemetry/profile_summary.py).
"""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

from g_core import _native
from g_core.config.run_plan import DiagnosticsPlan
from g_core.engine.manifest import RunManifest
from g_core.engine.stages import Stage
from g_core.errors import OutputError
from g_core.telemetry.profile_summary import ProfileSummary, StageShare
from g_core.telemetry.stage_timings import StageTimings


class DecodeTally:
    """A stream of chunks that sums what its threads spent."""

    def __init__(self, stream: Iterator[_native.DosageChunk]) -> None:
        self.stream = stream
        self.n_chunks = 0
        self.thread_seconds = 0.0

    def __iter__(self) -> Iterator[_native.DosageChunk]:
        """Itself."""
        return self

    def __next__(self) -> _native.DosageChunk:
        """The next chunk."""
        chunk = next(self.stream)
        self.n_chunks += 1
        self.thread_seconds += chunk.decode_seconds
        return chunk


@contextmanager
def jax_profiles(diagnostics: DiagnosticsPlan) -> Generator[None]:
    """JAX's trace of the block and its device memory after it, where they were asked for; a failed block has no memory.

    Raises:
        OutputError: JAX could not write them.
    """
    if diagnostics.jax_trace_dir is None and diagnostics.jax_memory_profile is None:
        yield
        return
    import jax  # a run without these profiles decides itself when JAX is imported

    if diagnostics.jax_trace_dir is not None:
        jax.profiler.start_trace(str(diagnostics.jax_trace_dir))
    try:
        yield
        if diagnostics.jax_memory_profile is not None:
            save_memory_profile(diagnostics.jax_memory_profile)
    finally:
        if diagnostics.jax_trace_dir is not None:
            jax.profiler.stop_trace()


def save_memory_profile(path: Path) -> None:
    """Write what the device holds now, as pprof reads it.

    Raises:
        OutputError: The file cannot be written.
    """
    import jax

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(jax.profiler.device_memory_profile())
    except OSError as error:
        raise OutputError(f"--jax-memory-profile {path}: cannot write: {error.strerror}") from None


def summarise_profile(
    diagnostics: DiagnosticsPlan, manifest: RunManifest, timings: StageTimings, decoded: DecodeTally
) -> ProfileSummary:
    """Everything on one page."""
    startup = sum(stage.seconds for stage in timings.stages if stage.stage == Stage.STARTUP.value)
    timed = sum(stage.seconds for stage in timings.stages) - startup
    whole = timings.wall_seconds + startup
    return ProfileSummary(
        schema_name="g_profile_summary",
        schema_version=1,
        wall_seconds=timings.wall_seconds,
        scan_seconds=manifest.scan_seconds,
        n_variants=manifest.n_variants_selected - (manifest.resumed_from_variant or 0),
        variants_per_second=manifest.variants_per_second,
        stages=tuple(
            StageShare(stage=stage.stage, seconds=stage.seconds, share=stage.seconds / whole)
            for stage in timings.stages
        ),
        unattributed_seconds=timings.wall_seconds - timed,
        n_chunks=decoded.n_chunks,
        decode_thread_seconds=decoded.thread_seconds,
        decode_threads=manifest.threads,
        n_compiled=manifest.compile.n_compiled,
        n_cache_hits=manifest.compile.n_cache_hits,
        n_cache_misses=manifest.compile.n_cache_misses,
        compile_seconds=manifest.compile.compile_seconds,
        peak_memory_bytes=manifest.peak_memory_bytes,
        jax_trace_dir=None if diagnostics.jax_trace_dir is None else str(diagnostics.jax_trace_dir),
        jax_memory_profile=None if diagnostics.jax_memory_profile is None else str(diagnostics.jax_memory_profile),
    )
