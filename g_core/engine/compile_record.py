"""Counts what JAX compiles and what its persistent cache gives back, so that "cached" is measured and not claimed."""

import jax.monitoring

COMPILE_DURATION_EVENT = "/jax/core/compile/backend_compile_duration"
CACHE_HIT_EVENT = "/jax/compilation_cache/cache_hits"
CACHE_MISS_EVENT = "/jax/compilation_cache/cache_misses"


class CompileCounter:
    """Running totals of one process; take a snapshot before and after the work in question."""

    def __init__(self) -> None:
        self.n_compiled = 0
        self.n_cache_hits = 0
        self.n_cache_misses = 0
        self.compile_seconds = 0.0

    def snapshot(self) -> "CompileCounter":
        """A copy of the totals so far."""
        copy = CompileCounter()
        copy.n_compiled, copy.n_cache_hits = self.n_compiled, self.n_cache_hits
        copy.n_cache_misses, copy.compile_seconds = self.n_cache_misses, self.compile_seconds
        return copy

    def since(self, earlier: "CompileCounter") -> "CompileCounter":
        """What was added after an earlier snapshot."""
        difference = CompileCounter()
        difference.n_compiled = self.n_compiled - earlier.n_compiled
        difference.n_cache_hits = self.n_cache_hits - earlier.n_cache_hits
        difference.n_cache_misses = self.n_cache_misses - earlier.n_cache_misses
        difference.compile_seconds = self.compile_seconds - earlier.compile_seconds
        return difference

    def on_event(self, event: str, **_details: str | int) -> None:
        """Listener for JAX's counted events."""
        if event == CACHE_HIT_EVENT:
            self.n_cache_hits += 1
        elif event == CACHE_MISS_EVENT:
            self.n_cache_misses += 1

    def on_duration(self, event: str, duration_secs: float, **_details: str | int) -> None:
        """Listener for JAX's timed events; a cache hit is timed as a compilation too."""
        if event == COMPILE_DURATION_EVENT:
            self.n_compiled += 1
            self.compile_seconds += duration_secs


# One listener a process: JAX offers no way to take a single listener away again.
PROCESS_COUNTER = CompileCounter()
jax.monitoring.register_event_listener(PROCESS_COUNTER.on_event)
jax.monitoring.register_event_duration_secs_listener(PROCESS_COUNTER.on_duration)
