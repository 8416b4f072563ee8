"""How long this process exists: what a run spent before it began.

Belongs here: reading the process's own start. Does not belong here: the stages (stages.py).
"""

import os
import time
from pathlib import Path

START_TIME_FIELD = 19
"""Of /proc/self/stat, counted after the command's closing bracket; in clock ticks since the machine's start."""


def process_age_seconds() -> float:
    """Seconds since the process started, to a hundredth; 0 where the system does not say."""
    try:
        fields = Path("/proc/self/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        started = int(fields[START_TIME_FIELD]) / os.sysconf("SC_CLK_TCK")
        return max(0.0, time.clock_gettime(time.CLOCK_BOOTTIME) - started)
    except (OSError, ValueError, IndexError, AttributeError):
        return 0.0
