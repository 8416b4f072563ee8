"""The progress line on a terminal: done of total, rate, time left.

Belongs here: what a person sees while a scan runs. It writes to standard error, and only where that is a terminal.
"""

import sys
import time


class ProgressLine:
    """One line that is written over, at most five times a second."""

    INTERVAL_SECONDS = 0.2

    def __init__(self, total_variants: int) -> None:
        self.total_variants = total_variants
        self.done_variants = 0
        self.started = time.perf_counter()
        self.last_shown = 0.0
        self.visible = sys.stderr.isatty()

    def advance(self, variants: int) -> None:
        """Count finished variants and show the line when it is due."""
        self.done_variants += variants
        now = time.perf_counter()
        if self.visible and now - self.last_shown >= self.INTERVAL_SECONDS:
            self.last_shown = now
            sys.stderr.write("\r\x1b[K" + self.text(now - self.started))
            sys.stderr.flush()

    def text(self, elapsed_seconds: float) -> str:
        """What the line says after ``elapsed_seconds``."""
        rate = self.done_variants / elapsed_seconds if elapsed_seconds > 0 else 0.0
        left_seconds = (self.total_variants - self.done_variants) / rate if rate > 0 else 0.0
        share = 100.0 * self.done_variants / self.total_variants if self.total_variants else 100.0
        return (
            f"{self.done_variants:,} / {self.total_variants:,} variants ({share:.0f} %), "
            f"{rate:,.0f} variants/s, {clock_text(left_seconds)} left"
        )

    def close(self) -> None:
        """Take the line away."""
        if self.visible:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def clock_text(seconds: float) -> str:
    """Minutes and seconds, with hours when there are any."""
    whole = round(seconds)
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02d}:{whole % 60:02d}" if hours else f"{minutes}:{whole % 60:02d}"
