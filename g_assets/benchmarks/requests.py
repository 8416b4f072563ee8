"""What the warm process can be asked, and what it answers.

Belongs here: the messages. Does not belong here: either side of the pipe (worker.py, warm_process.py).
"""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from g_assets.artifacts.models import Record
from g_assets.parity.worker import Request as CommandRequest


class ScanRequest(Record):
    """Run a ``g`` command."""

    kind: Literal["scan"] = "scan"
    command: CommandRequest


class ReadRequest(Record):
    """Take one of the reader's measured ways through all variants of a BGEN."""

    kind: Literal["read"] = "read"
    bgen: Path
    way: str
    threads: int


class OpenRequest(Record):
    """Open and index a BGEN."""

    kind: Literal["open"] = "open"
    bgen: Path


class PeerReadRequest(Record):
    """Read dosages of the first variants with the PyPI package bgen."""

    kind: Literal["peer_read"] = "peer_read"
    bgen: Path
    n_variants: int


BenchmarkRequest = Annotated[ScanRequest | ReadRequest | OpenRequest | PeerReadRequest, Field(discriminator="kind")]
REQUEST_ADAPTER: TypeAdapter[BenchmarkRequest] = TypeAdapter(BenchmarkRequest)


class Answer(Record):
    """Wall time of the work alone, and the exit code where it was a command."""

    seconds: float
    exit_code: int
