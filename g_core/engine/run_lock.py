"""One process a run directory: who owns it, and when an owner counts as gone.

Belongs here: the owner's file, its heartbeat, and taking over from a process that died. Does not belong here: what the
owner does.

File locks do not hold on every network file system, but creating a file that must not exist does. The file says who
made it. An owner on this host is gone when its process is; one on another host is gone when its heartbeat stopped.
"""

import os
import socket
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import pydantic

from g_core.errors import OutputError

OWNER_NAME = ".owner.json"
HEARTBEAT_SECONDS = 15.0
GONE_AFTER_SECONDS = 120.0


class Owner(pydantic.BaseModel):
    """The process that writes a run directory."""

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")

    host: str
    process: int
    process_started: str
    """Of the process, as the kernel counts it: process numbers are used again."""
    job: str | None
    """SLURM job."""

    def describe(self) -> str:
        """Host, process and job."""
        job = f", SLURM job {self.job}" if self.job else ""
        return f"process {self.process} on {self.host}{job}"


class RunLock:
    """Holds a run directory while a run writes to it."""

    def __init__(self, run_directory: Path) -> None:
        self.path = run_directory / OWNER_NAME
        self.stopped = threading.Event()
        self.heartbeat = threading.Thread(target=self.beat, name="run-lock-heartbeat", daemon=True)

    def __enter__(self) -> Self:
        """Take the directory.

        Raises:
            OutputError: Another process has it, or the file cannot be made.
        """
        me = this_process()
        for _ in range(2):
            try:
                with self.path.open("x", encoding="utf-8") as handle:
                    handle.write(me.model_dump_json() + "\n")
            except FileExistsError:
                self.remove_if_gone()
            except OSError as error:
                raise OutputError(f"{self.path}: cannot write: {error.strerror}") from None
            else:
                self.heartbeat.start()
                return self
        raise OutputError(f"{self.path}: another process took the run directory just now")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the directory back."""
        self.stopped.set()
        if self.heartbeat.is_alive():
            self.heartbeat.join()
        self.path.unlink(missing_ok=True)

    def beat(self) -> None:
        """Touch the file until the run ends, so that other hosts see that its owner lives."""
        while not self.stopped.wait(HEARTBEAT_SECONDS):
            try:
                os.utime(self.path)
            except OSError:
                return

    def remove_if_gone(self) -> None:
        """Remove the file of an owner that is gone.

        Raises:
            OutputError: It lives, or may live.
        """
        try:
            owner = Owner.model_validate_json(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return
        except (OSError, pydantic.ValidationError):
            owner = None
        if owner is not None and owner.host == socket.gethostname():
            gone = process_start(owner.process) != owner.process_started
        else:
            gone = self.heartbeat_age_seconds() > GONE_AFTER_SECONDS
        if not gone:
            who = "another process" if owner is None else owner.describe()
            raise OutputError(
                f"{self.path.parent}: is being written by {who}; wait for it, or remove {self.path} if that process "
                "is gone"
            )
        self.path.unlink(missing_ok=True)

    def heartbeat_age_seconds(self) -> float:
        """Age of the last heartbeat by the clock of the file system, which is the one that stamped it."""
        probe = self.path.with_name(f"{OWNER_NAME}.{os.getpid()}.now")
        try:
            probe.touch()
            now = probe.stat().st_mtime
        except OSError:
            now = time.time()
        finally:
            probe.unlink(missing_ok=True)
        try:
            return now - self.path.stat().st_mtime
        except FileNotFoundError:
            return float("inf")


def this_process() -> Owner:
    """This process as an owner."""
    process = os.getpid()
    return Owner(
        host=socket.gethostname(),
        process=process,
        process_started=process_start(process) or "",
        job=os.environ.get("SLURM_JOB_ID"),
    )


def process_start(process: int) -> str | None:
    """When a process of this host started, as the kernel counts it; None where there is none."""
    try:
        status = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except OSError:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return None
        except OSError:
            return ""
        return ""
    # The command's name is in parentheses and may hold anything; the 20th field after it is the start.
    return status.rpartition(")")[2].split()[19]
