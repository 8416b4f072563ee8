"""The process that runs one case after another: ``python -m g_assets.parity.worker``.

Belongs here: the child's side. It takes a request a line on standard input, calls the ``g`` command's own main
function with its output caught in files, and answers with a line. JAX is imported and kernels are compiled once for
many cases. Does not belong here: the parent's side (warm_process.py).
"""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from g_core.cli.main import main as g_main

STANDARD_STREAMS = (1, 2)


class Request(BaseModel):
    """One run."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    words: tuple[str, ...]
    """What follows ``g``."""
    stdout: Path
    stderr: Path


class Answer(BaseModel):
    """How a run ended."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    exit_code: int


@contextmanager
def caught_output(request: Request) -> Generator[None]:
    """Send standard output and error, native code's too, to the request's files."""
    saved = [os.dup(stream) for stream in STANDARD_STREAMS]
    try:
        for stream, path in zip(STANDARD_STREAMS, (request.stdout, request.stderr), strict=True):
            with path.open("wb") as handle:
                os.dup2(handle.fileno(), stream)
        yield
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        for stream, copy in zip(STANDARD_STREAMS, saved, strict=True):
            os.dup2(copy, stream)
            os.close(copy)


def serve() -> None:
    """Answer requests until standard input is closed."""
    for line in sys.stdin:
        request = Request.model_validate_json(line)
        with caught_output(request):
            exit_code = g_main(request.words)
        sys.stdout.write(f"{Answer(exit_code=exit_code).model_dump_json()}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
