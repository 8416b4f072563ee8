"""``python -m g_assets.parity.bgen_speed FOLDER``: how fast BGEN files are read, beside the PyPI package ``bgen``.

Belongs here: the measurement that docs/benchmarks.md quotes. Does not belong here: any judgement; no test asserts a
time. The dataset is simulated into FOLDER where it is not there yet.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from g_core._native import BgenReader
from g_core.processors import available_threads
from g_core.simulate.dataset import ensure_dataset
from g_core.simulate.spec import build_spec

REPEATS = 7
PATHS = ("inflate_only", "variant_major_buffered", "variant_major_packed8_buffered")
TILE_VARIANTS = 16
# Its rate is the same over all variants; fewer keep the measurement short.
PEER_VARIANTS = 3000


@dataclass(frozen=True, slots=True)
class Row:
    """One measured way: the median of its times, and variants in each."""

    name: str
    threads: int
    seconds: float
    n_variants: int

    @property
    def variants_per_second(self) -> float:
        """The rate."""
        return self.n_variants / self.seconds


def measure(rounds: Sequence[Callable[[], object]]) -> list[float]:
    """Median seconds of each piece of work; they take turns, so that a busy machine is busy for all."""
    times: list[list[float]] = [[] for _ in rounds]
    for _ in range(REPEATS):
        for place, work in enumerate(rounds):
            start = time.perf_counter()
            work()
            times[place].append(time.perf_counter() - start)
    return [statistics.median(seconds) for seconds in times]


def reader_rows(path: Path, threads: int) -> list[Row]:
    """The named paths of our reader."""
    reader = BgenReader(str(path))

    def work(name: str) -> Callable[[], object]:
        return lambda: reader.run_path(
            name, samples=None, threads=threads, tile_variants=TILE_VARIANTS, trusted_no_missing_diploid=False
        )

    seconds = measure([work(name) for name in PATHS])
    return [Row(name, threads, taken, reader.n_variants) for name, taken in zip(PATHS, seconds, strict=True)]


def index_row(path: Path) -> Row:
    """Opening and indexing."""
    (seconds,) = measure([lambda: BgenReader(str(path))])
    return Row("open and index", 1, seconds, BgenReader(str(path)).n_variants)


def peer_row(path: Path) -> Row:
    """Dosages of the first variants through the PyPI package, one thread as it has no other."""
    import bgen  # a package of the test group only

    def work() -> None:
        for count, variant in enumerate(bgen.BgenReader(str(path), delay_parsing=True), start=1):
            _ = variant.alt_dosage
            if count == PEER_VARIANTS:
                return

    (seconds,) = measure([work])
    return Row("PyPI bgen, alt_dosage", 1, seconds, PEER_VARIANTS)


def describe(rows: Sequence[Row]) -> list[str]:
    """A Markdown table; ratios are to ``inflate_only`` of as many threads."""
    floors = {row.threads: row.variants_per_second for row in rows if row.name == PATHS[0]}
    lines = ["| way | threads | variants/s | ratio to inflate_only |", "|---|---|---|---|"]
    for row in rows:
        ratio = f"{floors[row.threads] / row.variants_per_second:.2f}" if row.name in PATHS else ""
        lines.append(f"| {row.name} | {row.threads} | {row.variants_per_second:,.0f} | {ratio} |")
    return lines


def main(words: Sequence[str] | None = None) -> int:
    """Make the dataset where needed, measure, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m g_assets.parity.bgen_speed", description="Measure BGEN reading.")
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="folder of the simulated dataset")
    parser.add_argument("--samples", type=int, default=10_000, metavar="N", help="people (default 10000)")
    parser.add_argument("--variants", type=int, default=20_000, metavar="N", help="variants (default 20000)")
    given = parser.parse_args(words)
    threads = available_threads()
    spec = build_spec({"n_samples": given.samples, "n_variants": given.variants})
    path = ensure_dataset(spec=spec, folder=given.folder, threads=threads).bgen
    rows = [index_row(path)]
    for count in sorted({1, threads}):
        rows += reader_rows(path, count)
    rows.append(peer_row(path))
    size = f"{given.samples} samples x {given.variants} variants, {path.stat().st_size} bytes"
    sys.stdout.write("\n".join([f"BGEN reading, {size}; median of {REPEATS}:", *describe(rows)]) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
