"""The process that does the measured work, one request after another: ``python -m g_assets.benchmarks.worker``.

Belongs here: the child's side of the pipe. JAX, compiled kernels and page cache stay warm between requests, and time is
taken here, so that no pipe is in it. Does not belong here: which work, and in which order (tasks.py).
"""

import sys
import time
from functools import cache
from pathlib import Path

from g_assets.benchmarks.requests import (
    REQUEST_ADAPTER,
    Answer,
    BenchmarkRequest,
    OpenRequest,
    PeerReadRequest,
    ReadRequest,
    ScanRequest,
)
from g_assets.parity.worker import caught_output
from g_core._native import BgenReader
from g_core.cli.main import main as g_main

TILE_VARIANTS = 16


def answer(request: BenchmarkRequest) -> Answer:
    """Do the work and time it."""
    match request:
        case ScanRequest():
            return scan(request)
        case ReadRequest():
            return read(request)
        case OpenRequest():
            start = time.perf_counter()
            BgenReader(str(request.bgen))
            return Answer(seconds=time.perf_counter() - start, exit_code=0)
        case PeerReadRequest():
            return read_with_peer(request)


def scan(request: ScanRequest) -> Answer:
    """Run a command of ``g``."""
    with caught_output(request.command):
        start = time.perf_counter()
        exit_code = g_main(request.command.words)
        seconds = time.perf_counter() - start
    return Answer(seconds=seconds, exit_code=exit_code)


def read(request: ReadRequest) -> Answer:
    """Go through a BGEN; it is opened before the clock starts."""
    reader = opened(request.bgen)
    start = time.perf_counter()
    reader.run_path(
        request.way,
        samples=None,
        threads=request.threads,
        tile_variants=TILE_VARIANTS,
        trusted_no_missing_diploid=False,
    )
    return Answer(seconds=time.perf_counter() - start, exit_code=0)


@cache
def opened(path: Path) -> BgenReader:
    """The reader of a file, opened once."""
    return BgenReader(str(path))


def read_with_peer(request: PeerReadRequest) -> Answer:
    """Dosages of the first variants through the PyPI package, which has one thread."""
    import bgen  # a package of the test group only

    start = time.perf_counter()
    for count, variant in enumerate(bgen.BgenReader(str(request.bgen), delay_parsing=True), start=1):
        _ = variant.alt_dosage
        if count == request.n_variants:
            break
    return Answer(seconds=time.perf_counter() - start, exit_code=0)


def serve() -> None:
    """Answer requests until standard input is closed."""
    for line in sys.stdin:
        sys.stdout.write(f"{answer(REQUEST_ADAPTER.validate_json(line)).model_dump_json()}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
