"""What the cgroup around this process lets it use.

Belongs here: the smallest limit on the way from this process's cgroup to the root, in both versions of cgroups. Does
not belong here: the machine itself (environment.py).
"""

from collections.abc import Iterator
from pathlib import Path

from g_assets.artifacts.models import CgroupLimits

# Version 1 writes "no limit" as the largest number of pages.
NO_LIMIT_BYTES = 1 << 60


def cgroup_limits(membership: Path, root: Path) -> CgroupLimits | None:
    """The limits of a process; None where its cgroups cannot be read.

    Args:
        membership: ``/proc/PID/cgroup``.
        root: Where the cgroup file systems are mounted.
    """
    try:
        lines = membership.read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    memory: list[int] = []
    cpus: list[float] = []
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if not controllers:
            folders = list(way_up(root, path))
            memory += [value for folder in folders if (value := number(folder / "memory.max")) is not None]
            cpus += [value for folder in folders if (value := quota(folder / "cpu.max")) is not None]
        elif "memory" in controllers.split(","):
            folders = list(way_up(root / "memory", path))
            memory += [value for folder in folders if (value := number(folder / "memory.limit_in_bytes")) is not None]
    limits = [value for value in memory if value < NO_LIMIT_BYTES]
    return CgroupLimits(memory_bytes=min(limits, default=None), cpus=min(cpus, default=None))


def way_up(root: Path, path: str) -> Iterator[Path]:
    """The folder of a cgroup, its parent, and so on to the root."""
    folder = root / path.strip("/")
    yield folder
    while folder != root:
        folder = folder.parent
        yield folder


def number(path: Path) -> int | None:
    """A whole number that is all of a file; None for the word ``max`` and where there is no file."""
    try:
        return int(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def quota(path: Path) -> float | None:
    """CPUs of ``cpu.max``, a quota and a period; None without a limit."""
    try:
        allowed, period = path.read_text(encoding="utf-8").split()
        return int(allowed) / int(period)
    except (OSError, ValueError):
        return None
