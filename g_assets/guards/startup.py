"""``python -m g_assets.guards.startup``: how long the two things that people wait for take to start.

Measures and prints; judges nothing: a time depends on the machine, so no test asserts one. The budget of 3 s for the
code location is a rule of the house, and docs/benchmarks.md tells what was seen where.
"""

import os
import platform
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass

from g_assets.guards.__main__ import ROOT

TRIALS = 5


@dataclass(frozen=True, slots=True)
class StartUp:
    """One thing to start: what it is called in the table, and the command that starts and ends it."""

    name: str
    command: tuple[str, ...]


START_UPS = (
    StartUp("python itself", (sys.executable, "-c", "pass")),
    StartUp("code location", (sys.executable, "-c", "import g_assets.definitions as module; module.defs")),
    StartUp("g --help", (sys.executable, "-m", "g_core", "--help")),
    StartUp("import jax", (sys.executable, "-c", "import jax")),
)


def measure_seconds(start_up: StartUp, trials: int) -> list[float]:
    """Wall seconds of each trial, in a fresh process each, after one that fills the page and bytecode caches.

    Raises ``subprocess.CalledProcessError`` where the command fails.
    """
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    seconds: list[float] = []
    for _ in range(trials + 1):
        begin = time.perf_counter()
        subprocess.run(start_up.command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
        seconds.append(time.perf_counter() - begin)
    return seconds[1:]


def main() -> None:
    """Print one line a start-up: median, fastest and slowest."""
    sys.stdout.write(f"{TRIALS} fresh processes each, {os.cpu_count()} CPUs, Python {platform.python_version()}\n")
    sys.stdout.write(f"{'start-up':<16}{'median s':>10}{'fastest':>10}{'slowest':>10}\n")
    for start_up in START_UPS:
        seconds = measure_seconds(start_up, TRIALS)
        columns = (statistics.median(seconds), min(seconds), max(seconds))
        sys.stdout.write(f"{start_up.name:<16}" + "".join(f"{column:>10.2f}" for column in columns) + "\n")


if __name__ == "__main__":
    main()
