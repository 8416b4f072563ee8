"""The most memory that this process ever held."""

import resource
from pathlib import Path

KIBIBYTE = 1024
HIGH_WATER_FIELD = "VmHWM:"


def peak_memory_bytes() -> int:
    """Peak resident memory of this program in bytes.

    Linux's own high-water mark is read where there is one: getrusage also counts what the parent held when it
    started this process, which is more than a small run ever takes.
    """
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        lines = []
    for line in lines:
        if line.startswith(HIGH_WATER_FIELD):
            return int(line.split()[1]) * KIBIBYTE
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * KIBIBYTE
