"""``python -m g_assets.slurm.run_command MACHINE COMMAND``: one line of bash on a node, its log and status back here.

Belongs here: the command line, and the way of one command through the queue. Does not belong here: measurements. The
environment of a GPU machine may be built this way, inside an allocation: for that the version on the cluster is not
looked at.
"""

import argparse
import secrets
import shutil
import sys
import uuid
from pathlib import Path

from pydantic import ValidationError

from g_assets.artifacts.paths import artifact_root
from g_assets.artifacts.write import replace_text
from g_assets.campaigns.scope import canonical_sha256
from g_assets.profiles.dataset_files import data_directory
from g_assets.profiles.load import ProfileError, load_machine
from g_assets.profiles.slurm_machine import SlurmMachine
from g_assets.slurm import job_script, launcher
from g_assets.slurm.job_end import JobEnd, end_of_state, sentence
from g_assets.slurm.job_record import write_job_record
from g_assets.slurm.launcher import Launch, RefusedError
from g_assets.slurm.login import Login, LoginError, open_login
from g_assets.slurm.path_map import path_map

STEP = "command"
DESCRIPTION = "Run one line of bash on a node of a cluster; bring its log and its exit code back."
USAGE_EXIT_CODE = 2
FAILED_EXIT_CODE = 1
CANCEL_LIMIT_SECONDS = 15.0
CHECKOUT = Path(__file__).resolve().parent.parent.parent


def run_command(login: Login, name: str, machine: SlurmMachine, command: str, *, gpu: bool) -> int:
    """Run a line of bash as a job in the cluster's checkout; print its log; return its exit code, 1 for no code.

    Ctrl-C cancels the job. Raises RefusedError and LoginError.
    """
    root = artifact_root().absolute()
    launch = Launch(
        machine_name=name,
        machine=machine,
        request=machine.request_for(gpu=gpu),
        artifact_root=root,
        paths=path_map(machine, checkout=CHECKOUT, artifact_root=root, data_directory=data_directory().absolute()),
        run_id=f"command-{uuid.uuid4()}",
        step_key=STEP,
        attempt=1,
        spec_sha256=canonical_sha256(command),
        artifact_directory="",
    )
    proof = secrets.token_hex(16)
    launch.directory.mkdir(parents=True)
    replace_text(launch.directory / job_script.PROOF_NAME, proof)
    record = launcher.submit(login, launch, proof=proof, command=command, variables={})
    say(f"{record.label} is submitted to {name}; its files: {launch.directory}")
    try:
        waited = launcher.wait_for_end(login, record, machine, report=say)
    except KeyboardInterrupt:
        launcher.cancel_and_wait(login, str(record.job_id), CANCEL_LIMIT_SECONDS)
        write_job_record(root, record.model_copy(update={"end": JobEnd.CANCELLED, "reason": "Ctrl-C"}))
        raise
    for log, stream in ((job_script.STDOUT_NAME, sys.stdout), (job_script.STDERR_NAME, sys.stderr)):
        path = launch.directory / log
        if path.is_file():
            with path.open(encoding="utf-8", errors="replace") as source:
                shutil.copyfileobj(source, stream)
    end = end_of_state(waited.state)
    if waited.queue_limit_reached:
        end = JobEnd.QUEUE_LIMIT
    write_job_record(root, record.model_copy(update={"end": end, "node_list": waited.state.node_list}))
    say(sentence(end, waited.state, record.label, launch.request.memory_mebibytes()))
    code = (waited.state.exit_code or "").partition(":")[0]
    return (int(code) if code.isdigit() else 0) or (0 if end is JobEnd.COMPLETED else FAILED_EXIT_CODE)


def say(text: str) -> None:
    """A line about the job, beside its own output."""
    sys.stderr.write(f"{text}\n")


def main(arguments: list[str]) -> int:
    """The command line. Returns the command's exit code, 1 where the job was lost or refused, 2 for wrong usage."""
    parser = argparse.ArgumentParser(prog="python -m g_assets.slurm.run_command", description=DESCRIPTION)
    parser.add_argument("machine", help="machine profile with a [slurm] table")
    parser.add_argument("command", help="one line of bash; it runs in the cluster's checkout")
    parser.add_argument("--gpu", action="store_true", help="ask for what the profile's gpu_request says")
    parser.add_argument("--shared", action="store_true", help="do not ask for whole nodes")
    chosen = parser.parse_args(arguments)
    try:
        machine = load_machine(chosen.machine).slurm
        if machine is None:
            say(f"the machine profile {chosen.machine!r} has no [slurm] table")
            return USAGE_EXIT_CODE
        if chosen.shared:
            machine = machine.with_overrides({"request": {"exclusive": False}})
        with open_login(machine) as login:
            return run_command(login, chosen.machine, machine, chosen.command, gpu=chosen.gpu)
    except ProfileError as error:
        say(str(error))
        return USAGE_EXIT_CODE
    except (LoginError, RefusedError, ValidationError) as error:
        say(str(error))
        return FAILED_EXIT_CODE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
