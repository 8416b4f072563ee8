"""Scans in the warm process: results are written, telemetry is off.

Belongs here: rows and tasks of scans. Does not belong here: fresh processes
(process_tasks.py).

A scan lasts from its first chunk until every row is written; the call also opens, joins, fits null models and commits.
"""

from collections.abc import Mapping
from pathlib import Path

from g_assets.artifacts.models import Unit
from g_assets.benchmarks.cases import ScanCase, regenie_arguments
from g_assets.benchmarks.datasets import Dataset
from g_assets.benchmarks.record import Row, Section
from g_assets.benchmarks.requests import ScanRequest
from g_assets.benchmarks.row_ids import CALL, SCAN, floor_id
from g_assets.benchmarks.shapes import Shape
from g_assets.benchmarks.tasks import TAIL_BYTES, Task, Workbench
from g_assets.benchmarks.warm_process import BenchmarkError
from g_assets.parity.worker import Request as CommandRequest
from g_assets.payloads.log_tail import log_tail
from g_core.engine.manifest import RunManifest, read_manifest

QUIET = ("--telemetry", "off")
OUTPUT_NAME = "scan"


def scan_task(case: ScanCase, dataset: Dataset, *, section: Section, row_id: str, title: str, threads: int) -> Task:
    """One scan a round, with a row for the scan and one for the whole call."""
    row = scan_row(case, dataset.shape, section=section, row_id=row_id, title=title, threads=threads)
    call_row = row.model_copy(
        update={"row_id": f"{row_id}{CALL}", "title": f"{title}: whole call", "at_most": None, "aim": None}
    )

    def observe(bench: Workbench) -> Mapping[str, float]:
        manifest, seconds = run_scan(bench, case, dataset, threads=threads, options=QUIET)
        return {row.row_id: manifest.scan_seconds, call_row.row_id: seconds}

    return Task(title, (row, call_row), observe)


def scan_row(case: ScanCase, shape: Shape, *, section: Section, row_id: str, title: str, threads: int) -> Row:
    """The row of a scan, in floors of the same file and threads."""
    return Row(
        row_id=f"{row_id}{SCAN}",
        section=section,
        title=title,
        unit=Unit.SECONDS,
        n_samples=shape.n_samples,
        n_variants=shape.n_variants,
        threads=threads,
        floor_id=floor_id(shape, threads),
        at_most=case.at_most,
        aim=case.aim,
    )


def run_scan(
    bench: Workbench, case: ScanCase, dataset: Dataset, *, threads: int, options: tuple[str, ...]
) -> tuple[RunManifest, float]:
    """Run a case in the warm process; its manifest and the seconds of the whole call.

    Raises:
        BenchmarkError: The command failed, or the process died.
    """
    folder = bench.empty_folder("warm")
    words = ("regenie", *regenie_arguments(case, dataset, folder / OUTPUT_NAME, threads=threads), *options)
    command = CommandRequest(words=words, stdout=folder / "stdout.txt", stderr=folder / "stderr.txt")
    answer = bench.warm.ask(ScanRequest(command=command))
    if answer.exit_code != 0:
        told = log_tail(command.stderr, TAIL_BYTES)
        raise BenchmarkError(f"g {' '.join(words)}: exit code {answer.exit_code}: {told}")
    return manifest_of(folder), answer.seconds


def manifest_of(folder: Path) -> RunManifest:
    """The manifest of the run in a folder."""
    return read_manifest(folder / f"{OUTPUT_NAME}.g")
