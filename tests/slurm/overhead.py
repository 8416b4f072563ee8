"""How much longer a measurement takes than its payload: ``python -m tests.slurm.overhead`` prints a table.

Belongs here: one trivial measurement, several times, in the two modes that a user has. Does not belong here: a limit; a
busy machine would miss it (docs/benchmarks.md records what a quiet one shows).

Run as root; a cluster of its own is started, or the one that ``G_SLURM_DIR`` names.
"""

import os
import statistics
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from tests.slurm.cluster import start, stop
from tests.slurm.laboratory import Laboratory

REPETITIONS = 5
HEADER = "| mode | median s | smallest s | largest s |\n| --- | --- | --- | --- |"
KEPT_DIRECTORY_VARIABLE = "G_SLURM_DIR"


def overheads(laboratory: Laboratory, mode: str) -> list[float]:
    """Seconds from the step's call until it has its cell, less the payload's own and less the wait in the queue."""
    found: list[float] = []
    for _ in range(REPETITIONS):
        measured = laboratory.measure(laboratory.success, mode=mode)
        payload = (measured.cell.finished_at - measured.cell.started_at).total_seconds()
        times = (measured.record or {}).get("times") or {"queue_wait_seconds": 0.0}
        found.append(measured.step_seconds - payload - times["queue_wait_seconds"])
    return found


def main() -> None:
    """Print one row a mode."""
    with tempfile.TemporaryDirectory(prefix="slurm-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        kept = os.environ.get(KEPT_DIRECTORY_VARIABLE)
        cluster = start(Path(kept or f"{folder}/cluster"), "--install")
        laboratory = Laboratory(cluster, Path(folder) / "laboratory")
        laboratory.set_up()
        os.environ.update(laboratory.environment)
        lines = [f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f}", "", HEADER]
        for mode in ("process", "slurm"):
            seconds = overheads(laboratory, mode)
            lines.append(f"| {mode} | {statistics.median(seconds):.2f} | {min(seconds):.2f} | {max(seconds):.2f} |")
        if kept is None:
            stop(cluster)
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
