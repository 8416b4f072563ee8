"""Reading BGEN files: the floor, the reader's other ways, and the PyPI package bgen.

Belongs here: rows and tasks of reading. Does not belong here: scans (scan_tasks.py).
"""

from collections.abc import Mapping
from importlib.util import find_spec

from g_assets.artifacts.models import Unit
from g_assets.benchmarks.datasets import Dataset
from g_assets.benchmarks.record import Row, Section
from g_assets.benchmarks.requests import BenchmarkRequest, OpenRequest, PeerReadRequest, ReadRequest
from g_assets.benchmarks.row_ids import floor_id
from g_assets.benchmarks.tasks import Task, Workbench
from g_assets.reports.format import plural

FLOOR_WAY = "inflate_only"
DOSAGE_WAYS = ("variant_major_buffered", "variant_major_packed8_buffered")
PEER_PACKAGE = "bgen"


def floor_task(dataset: Dataset, threads: int) -> Task:
    """Read and inflate every block, and nothing else."""
    row_id = floor_id(dataset.shape, threads)
    row = reading_row(dataset, row_id, f"{FLOOR_WAY}, {dataset.shape.text()}, {plural(threads, 'thread')}", threads)
    request = ReadRequest(bgen=dataset.bgen, way=FLOOR_WAY, threads=threads)
    return reading_task(row.model_copy(update={"section": Section.FLOOR, "floor_id": None}), request)


def reading_tasks(dataset: Dataset, *, threads: tuple[int, ...], peer_variants: int) -> tuple[Task, ...]:
    """Opening, dosages, packed bytes, and the peer where it is installed."""
    tasks = [
        reading_task(
            reading_row(dataset, f"reading.{way}.threads{count}", f"{way}, {plural(count, 'thread')}", count),
            ReadRequest(bgen=dataset.bgen, way=way, threads=count),
        )
        for count in threads
        for way in DOSAGE_WAYS
    ]
    opening = reading_row(dataset, "reading.open", "open and index", 1)
    tasks.append(reading_task(opening.model_copy(update={"floor_id": None}), OpenRequest(bgen=dataset.bgen)))
    if find_spec(PEER_PACKAGE) is not None:
        title = f"PyPI {PEER_PACKAGE}, alt_dosage of {peer_variants:,} variants"
        peer = reading_row(dataset, "reading.peer", title, 1)
        tasks.append(
            reading_task(
                peer.model_copy(update={"n_variants": peer_variants}),
                PeerReadRequest(bgen=dataset.bgen, n_variants=peer_variants),
            )
        )
    return tuple(tasks)


def reading_row(dataset: Dataset, row_id: str, title: str, threads: int) -> Row:
    """A row about all variants of a file."""
    return Row(
        row_id=row_id,
        section=Section.READING,
        title=title,
        unit=Unit.SECONDS,
        n_samples=dataset.shape.n_samples,
        n_variants=dataset.shape.n_variants,
        threads=threads,
        floor_id=floor_id(dataset.shape, threads),
        at_most=None,
        aim=None,
    )


def reading_task(row: Row, request: BenchmarkRequest) -> Task:
    """One request in the warm process."""

    def observe(bench: Workbench) -> Mapping[str, float]:
        return {row.row_id: bench.warm.ask(request).seconds}

    return Task(row.title, (row,), observe)
