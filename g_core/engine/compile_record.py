"""Counts what JAX compiles and what its persistent cache gives back, so that "cached" is measured and not claimed.

Belongs here: the counting. Does not belong here: the record of a run (manifest.py), where the cache lies (device.py).
"""

import threading
from collections import Counter
from pathlib import Path

import jax.monitoring

from g_core.engine.manifest import CompileRecord

COMPILE_DURATION_EVENT = "/jax/core/compile/backend_compile_duration"
CACHE_HIT_EVENT = "/jax/compilation_cache/cache_hits"
CACHE_MISS_EVENT = "/jax/compilation_cache/cache_misses"


class CompileCounter:
    """Running totals of one process; take a snapshot before the work in question.

    Attributes:
        programs: How often each function was made ready, by name; one that the cache gives back counts too.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.programs: Counter[str] = Counter()
        self.n_cache_hits = 0
        self.n_cache_misses = 0
        self.compile_seconds = 0.0

    def snapshot(self) -> "CompileCounter":
        """A copy of the totals so far."""
        copy = CompileCounter()
        with self.lock:
            copy.programs = self.programs.copy()
            copy.n_cache_hits, copy.n_cache_misses = self.n_cache_hits, self.n_cache_misses
            copy.compile_seconds = self.compile_seconds
        return copy

    def record_since(self, earlier: "CompileCounter", *, cache: Path | None, cache_was_filled: bool) -> CompileRecord:
        """What was added after an earlier snapshot.

        Args:
            earlier: The snapshot.
            cache: Where compiled kernels are kept, or None where they are not.
            cache_was_filled: Some were there before this process compiled any.
        """
        now = self.snapshot()
        programs = now.programs - earlier.programs
        return CompileRecord(
            cache_directory=None if cache is None else str(cache),
            cache_was_filled=cache_was_filled,
            n_compiled=programs.total(),
            n_cache_hits=now.n_cache_hits - earlier.n_cache_hits,
            n_cache_misses=now.n_cache_misses - earlier.n_cache_misses,
            compile_seconds=now.compile_seconds - earlier.compile_seconds,
            programs=dict(sorted(programs.items())),
        )

    def on_event(self, event: str, **_details: str | int) -> None:
        """Listener for JAX's counted events."""
        with self.lock:
            self.n_cache_hits += event == CACHE_HIT_EVENT
            self.n_cache_misses += event == CACHE_MISS_EVENT

    def on_duration(self, event: str, duration_secs: float, **details: str | int) -> None:
        """Listener for JAX's timed events; a cache hit is timed as a compilation too."""
        if event == COMPILE_DURATION_EVENT:
            name = str(details.get("fun_name", "unnamed"))
            with self.lock:
                self.programs[name.removeprefix("jit(").removesuffix(")")] += 1
                self.compile_seconds += duration_secs


# One listener a process: JAX offers no way to take a single listener away again.
PROCESS_COUNTER = CompileCounter()
jax.monitoring.register_event_listener(PROCESS_COUNTER.on_event)
jax.monitoring.register_event_duration_secs_listener(PROCESS_COUNTER.on_duration)
