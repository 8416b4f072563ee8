"""A webserver of the code location on loopback, for as long as a test needs it.

Belongs here: starting the process, waiting until it answers, ending it. Does not belong here: what a page must show.
"""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent.parent


@contextmanager
def serve(dagster_home: Path, log: Path, start_timeout_seconds: float) -> Iterator[str]:
    """Run ``dagster-webserver`` over ``workspace.yaml`` on a free loopback port and yield its address.

    Raises AssertionError with the end of the server's log where it does not answer in time.
    """
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    command = [str(Path(sys.executable).with_name("dagster-webserver")), "-h", "127.0.0.1", "-p", str(port)]
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*command, "-w", "workspace.yaml"],
            cwd=REPOSITORY,
            env={**os.environ, "DAGSTER_HOME": str(dagster_home)},
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            wait_until_it_answers(process, address, log, start_timeout_seconds)
            yield address
        finally:
            end_process_group(process)


def free_port() -> int:
    """A loopback port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_it_answers(
    process: subprocess.Popen[bytes], address: str, log: Path, start_timeout_seconds: float
) -> None:
    """Poll ``/server_info`` until it answers; AssertionError where the server ends or the time is over."""
    deadline = time.monotonic() + start_timeout_seconds
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/server_info", timeout=5) as response:
                if response.status == 200:
                    return
        except (urllib.error.URLError, TimeoutError, ConnectionError):
            time.sleep(0.25)
    tail = log.read_bytes()[-4096:].decode(errors="replace")
    message = f"the webserver did not answer within {start_timeout_seconds:g} s; its last words:\n{tail}"
    raise AssertionError(message)


def end_process_group(process: subprocess.Popen[bytes]) -> None:
    """Ask the server and its code server to end; insist after ten seconds."""
    for ending in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, ending)
        except ProcessLookupError:
            return
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            continue
