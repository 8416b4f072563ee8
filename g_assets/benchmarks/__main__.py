"""``python -m g_assets.benchmarks``: measure everything in interleaved rounds, print one table, keep an artifact.

Belongs here: the command line and the order of the steps. Exit code 0 when every row was measured or its peer is not
installed, 1 when one failed, 2 for wrong usage. No time is judged: a demand that is missed is told in the table.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from g_assets.artifacts.models import Context
from g_assets.artifacts.paths import artifact_root
from g_assets.artifacts.write import ArtifactWriter
from g_assets.benchmarks.artifact import LOGS, close_artifact, open_artifact
from g_assets.benchmarks.profiles import run_profiles
from g_assets.benchmarks.programme import Programme, make_programme
from g_assets.benchmarks.record import BenchmarkRecord, Section
from g_assets.benchmarks.rounds import run_rounds
from g_assets.benchmarks.row_ids import THREADS
from g_assets.benchmarks.shapes import SHAPES, Extent
from g_assets.benchmarks.table import figures_table, place_lines
from g_assets.benchmarks.tasks import Workbench
from g_assets.benchmarks.versions import versions
from g_assets.benchmarks.warm_process import warm_process
from g_assets.payloads.environment import capture_context
from g_assets.profiles.dataset_files import data_directory
from g_assets.reports.text_table import text_table

COMPUTE_MODE = "process"
CHOSEN = tuple(section for section in Section if section is not Section.FLOOR)


def main(words: Sequence[str] | None = None) -> int:
    """Run the benchmarks and return the exit code."""
    given = parse_arguments(words)
    extent: Extent = given.extent
    started_at = datetime.now(UTC)
    context = capture_context(COMPUTE_MODE, Path.cwd())
    tell("making or finding the datasets")
    programme = make_programme(SHAPES[extent], data_directory(), given.sections)
    writer = open_artifact(artifact_root(), context, started_at)
    rounds = given.rounds or SHAPES[extent].rounds
    record = measure(writer, context, programme, extent, rounds=rounds)
    close_artifact(writer, record)
    sys.stdout.write("\n".join([*place_lines(record), "", text_table(figures_table(record))]))
    sys.stdout.write(f"artifact: {writer.directory}\n")
    for failure in record.failures:
        sys.stderr.write(f"error: {failure.row.title}: {failure.reason}\n")
    return 1 if record.failures else 0


def parse_arguments(words: Sequence[str] | None) -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(
        prog="python -m g_assets.benchmarks", description="Measure scans, floors, start-up, memory, scaling and peers."
    )
    extent = parser.add_mutually_exclusive_group()
    extent.add_argument(
        "--small", dest="extent", action="store_const", const=Extent.SMALL, help="tiny data: does everything still run?"
    )
    extent.add_argument(
        "--full", dest="extent", action="store_const", const=Extent.FULL, help="also 2,504 samples x 10^6 variants"
    )
    parser.add_argument("--rounds", type=int, metavar="N", help="observations a row (default 5, with --small 1)")
    parser.add_argument(
        "--only",
        dest="sections",
        nargs="+",
        type=Section,
        choices=CHOSEN,
        default=CHOSEN,
        help="sections to measure: %(choices)s",
    )
    parser.set_defaults(extent=Extent.STANDARD)
    given = parser.parse_args(words)
    if given.rounds is not None and given.rounds < 1:
        parser.error("--rounds: at least 1")
    return given


def measure(
    writer: ArtifactWriter, context: Context, programme: Programme, extent: Extent, *, rounds: int
) -> BenchmarkRecord:
    """All rounds, and the profiles after them."""
    with (
        tempfile.TemporaryDirectory(prefix="g-bench-") as scratch,
        warm_process(writer.path(f"{LOGS}/warm_process.txt"), Path.cwd()) as warm,
    ):
        bench = Workbench(warm=warm, scratch=Path(scratch), working_directory=Path.cwd())
        observed = run_rounds(programme.tasks, bench, rounds=rounds, tell=tell)
        profiles, unprofiled = run_profiles(programme.profiled, bench, threads=THREADS, tell=tell)
    return BenchmarkRecord(
        run_id=writer.opening.run_id,
        extent=extent,
        rounds=rounds,
        started_at=writer.opening.started_at,
        context=context,
        versions=versions(programme.peers),
        measured=observed.measured,
        unmeasured=(*observed.unmeasured, *unprofiled, *programme.unmeasured),
        profiles=profiles,
    )


def tell(line: str) -> None:
    """A line about what goes on, beside the table."""
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main())
