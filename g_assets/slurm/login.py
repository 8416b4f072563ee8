"""Commands on a cluster's login node, over SSH or here.

Belongs here: one command in, its output out, whichever way. Does not belong here: what is said (the modules beside
this one). Connection, multiplexing and host keys are dagster-slurm's; it is imported when a connection is opened.
"""

import logging
import os
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from g_assets.profiles.slurm_machine import SlurmMachine, SshTarget

if TYPE_CHECKING:
    from dagster_slurm.helpers.ssh_pool import SSHConnectionPool

COMMAND_TIMEOUT_SECONDS = 60
# What a job submitted from here may inherit. The rest of this process's environment is nobody's business there.
PASSED_ON = ("HOME", "LANG", "LOGNAME", "PATH", "SHELL", "SLURM_CONF", "USER")


class LoginError(Exception):
    """A command on the login node failed, or the node cannot be reached. The message has the node's own words."""


class Login(Protocol):
    """A place where the cluster's commands run."""

    def run(self, command: str) -> str:
        """Run one line of bash and return its output. Raises LoginError where it fails or takes over a minute."""
        ...


class LocalLogin:
    """This machine is the login node."""

    def run(self, command: str) -> str:
        """As ``Login.run``."""
        environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        try:
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-c", command],
                capture_output=True,
                check=False,
                text=True,
                errors="replace",
                env=environment,
                stdin=subprocess.DEVNULL,
                timeout=COMMAND_TIMEOUT_SECONDS,
                # A Ctrl-C in the terminal is meant for the run, not for a command under way.
                start_new_session=True,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise LoginError(f"this machine, as login node: {error}") from error
        if done.returncode != 0:
            raise LoginError(f"exit {done.returncode}: {done.stderr.strip() or done.stdout.strip()}")
        return done.stdout


class SshLogin:
    """A login node over one shared SSH connection."""

    def __init__(self, pool: "SSHConnectionPool", target: SshTarget) -> None:
        self.pool = pool
        self.target = target

    def run(self, command: str) -> str:
        """As ``Login.run``."""
        try:
            return self.pool.run(command, timeout=COMMAND_TIMEOUT_SECONDS)
        except (OSError, RuntimeError, subprocess.SubprocessError) as error:
            raise LoginError(f"{self.target.user}@{self.target.host}:{self.target.port}: {error}") from error


@contextmanager
def open_login(machine: SlurmMachine) -> Generator[Login]:
    """A login node for as long as the block lasts.

    The SSH connection outlives it by some minutes, so that the next step, and the next run, need no new one.

    Raises:
        LoginError: dagster-slurm is not installed, or the key of the profile is not there.
    """
    if machine.ssh is None:
        yield LocalLogin()
        return
    try:
        from dagster_slurm.helpers.ssh_pool import SSHConnectionPool
        from dagster_slurm.resources.ssh import SSHConnectionResource
    except ImportError as error:
        raise LoginError("dagster-slurm is not installed: make setup installs it with the lab") from error
    try:
        connection = SSHConnectionResource(
            host=machine.ssh.host,
            port=machine.ssh.port,
            user=machine.ssh.user,
            key_path=machine.ssh.key,
            known_hosts_file=machine.ssh.known_hosts,
            host_key_checking="strict",
        )
    except ValueError as error:
        raise LoginError(f"the [slurm.ssh] table cannot be used: {error}") from error
    pool = SSHConnectionPool(connection)
    # Its commands, with paths of keys, are no business of the log of a run.
    pool.logger = logging.getLogger(__name__)
    with pool:
        yield SshLogin(pool, machine.ssh)
