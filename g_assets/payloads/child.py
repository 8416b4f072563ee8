"""One child process: started without a shell, timed, watched for its time limit, and ended with its whole tree.

Belongs here: start, wait, kill, and the figures the kernel keeps of a process. Does not belong here: what the process
is for, or whether it did it (engine_result.py).
"""

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from g_assets.payloads.process_tree import end_tree

KIBIBYTE = 1024


@dataclass(frozen=True, slots=True)
class ChildOutcome:
    """How a child ended. ``return_code`` is None after a signal, ``signal`` is None without one.

    ``peak_memory_bytes`` is the largest resident set of any process of the child's tree that was waited for, as the
    kernel accounts it. It starts from the parent's size at the fork, so it never reads less than this payload's own.
    """

    return_code: int | None
    signal: int | None
    timed_out: bool
    start_error: str | None
    wall_seconds: float
    user_seconds: float
    system_seconds: float
    peak_memory_bytes: int


def run_child(
    arguments: Sequence[str],
    *,
    working_directory: Path,
    environment: Mapping[str, str],
    stdout: Path,
    stderr: Path,
    timeout_seconds: float,
    terminate_grace_seconds: float,
) -> ChildOutcome:
    """Run one command to its end, or to its time limit.

    Args:
        arguments: Argument vector; nothing is expanded.
        working_directory: Where it runs.
        environment: All of its variables.
        stdout: File for its output; written by the child itself, so nothing can block or be lost.
        stderr: File for its errors.
        timeout_seconds: Wall time after which its process tree is ended.
        terminate_grace_seconds: Time between SIGTERM and SIGKILL.

    Returns:
        The outcome. A program that cannot be started is an outcome too (``start_error``). Whatever interrupts the wait
        (a signal to this process) ends the child's tree before it goes on.
    """
    with stdout.open("wb") as output, stderr.open("wb") as errors:
        started = time.perf_counter()
        try:
            process = subprocess.Popen(
                list(arguments),
                cwd=working_directory,
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                start_new_session=True,
            )
        except OSError as error:
            message = f"{arguments[0]}: {error.strerror or error}"
            return ChildOutcome(None, None, False, message, time.perf_counter() - started, 0.0, 0.0, 0)
        return wait_for(process, started, timeout_seconds, terminate_grace_seconds)


def wait_for(
    process: "subprocess.Popen[bytes]", started: float, timeout_seconds: float, terminate_grace_seconds: float
) -> ChildOutcome:
    """Wait for a started child; end its tree at the time limit or when the wait is broken off."""
    try:
        timed_out = not ended_within(process.pid, timeout_seconds)
        wall_seconds = time.perf_counter() - started
        # A child that has ended is not collected yet, so its id is still its own: helpers left in its session end here.
        end_tree(process.pid, terminate_grace_seconds if timed_out else 0.0)
        # Not process.wait(): the kernel hands out a child's figures only once, to whoever collects it.
        _, status, usage = os.wait4(process.pid, 0)
    except BaseException:
        end_tree(process.pid, terminate_grace_seconds)
        with contextlib.suppress(ChildProcessError):
            _, status = os.waitpid(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        raise
    code = os.waitstatus_to_exitcode(status)
    process.returncode = code
    return ChildOutcome(
        return_code=code if code >= 0 else None,
        signal=-code if code < 0 else None,
        timed_out=timed_out,
        start_error=None,
        wall_seconds=wall_seconds,
        user_seconds=usage.ru_utime,
        system_seconds=usage.ru_stime,
        peak_memory_bytes=usage.ru_maxrss * KIBIBYTE,
    )


def ended_within(process_id: int, timeout_seconds: float) -> bool:
    """Wait until a child ends, without collecting it; False when the time is up first."""
    descriptor = os.pidfd_open(process_id)
    try:
        ready, _, _ = select.select([descriptor], [], [], timeout_seconds)
    finally:
        os.close(descriptor)
    return bool(ready)


def signal_name(number: int) -> str:
    """``SIGKILL`` of 9."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
