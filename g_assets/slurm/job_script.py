"""The batch script of a job.

Belongs here: its text. Does not belong here: what it starts (payloads/worker.py, or a person's command). The script
proves that the artifact root is shared before anything else, and its last act is to say how its command ended.
"""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

STARTS_NAME = "starts"
EXIT_NAME = "exit"
# A random text: whoever can read it sees the artifact root of the code location.
PROOF_NAME = "shared"
SEEN_NAME = "shared.seen"
SCRIPT_NAME = "job.sh"
STDOUT_NAME = "stdout.txt"
STDERR_NAME = "stderr.txt"
NOT_SHARED_EXIT_CODE = 97
TEMPLATE = """#!/bin/bash
{directives}
set -u
now() {{ date +%s.%N; }}
directory={directory}
if [ "$(cat "$directory/{proof_name}" 2>/dev/null)" != {proof} ]; then
  echo "the artifact root of the code location is not at $directory on $(hostname)" >&2
  exit {not_shared}
fi
printf '%s' {proof} >"$directory/{seen}.$$" && mv "$directory/{seen}.$$" "$directory/{seen}"
rm -f "$directory/{exit_name}"
echo "$(now) ${{SLURM_RESTART_COUNT:-0}} $(hostname)" >>"$directory/{starts}"

# Temporary files stay on the node and end with the job.
for parent in {cache_parents}; do
  if [ -d "$parent" ] && [ -w "$parent" ] && TMPDIR=$(mktemp -d "$parent/g-$SLURM_JOB_ID.XXXXXX"); then
    export TMPDIR
    trap 'rm -rf -- "$TMPDIR"' EXIT
    break
  fi
done

if [ -r {environment}/activate.sh ]; then set +u; . {environment}/activate.sh; set -u; fi
{variables}
cd {working_directory} || exit 1
{command} &
child=$!
# Bash would end without the command's own clean-up.
trap 'kill -TERM "$child" 2>/dev/null' TERM INT
wait "$child"; code=$?
while kill -0 "$child" 2>/dev/null; do wait "$child"; code=$?; done
echo "$(now) $code" >"$directory/{exit_name}.$$" && mv "$directory/{exit_name}.$$" "$directory/{exit_name}"
exit "$code"
"""


@dataclass(frozen=True, slots=True)
class JobScript:
    """What a script is made of. Every path is the cluster's."""

    options: tuple[str, ...]
    directory: str
    environment: str
    working_directory: str
    cache_parents: tuple[str, ...]
    variables: Mapping[str, str]
    command: Sequence[str] | str
    """Words, or one line of bash."""
    proof: str

    def text(self) -> str:
        """The script."""
        command = self.command if isinstance(self.command, str) else shlex.join(self.command)
        if isinstance(self.command, str):
            command = f"bash -c {shlex.quote(command)}"
        return TEMPLATE.format(
            directives="\n".join(f"#SBATCH {shlex.quote(option)}" for option in self.options),
            directory=shlex.quote(self.directory),
            proof_name=PROOF_NAME,
            proof=shlex.quote(self.proof),
            not_shared=NOT_SHARED_EXIT_CODE,
            seen=SEEN_NAME,
            exit_name=EXIT_NAME,
            starts=STARTS_NAME,
            cache_parents=" ".join(shlex.quote(parent) for parent in self.cache_parents) or '""',
            environment=shlex.quote(self.environment),
            variables="\n".join(f"export {name}={shlex.quote(value)}" for name, value in self.variables.items()),
            working_directory=shlex.quote(self.working_directory),
            command=command,
        )


def options_of_job(
    request_options: tuple[str, ...], *, job_name: str, directory: str, comment: str, may_requeue: bool
) -> tuple[str, ...]:
    """Options of sbatch: the request's, and those that the launcher needs for itself."""
    return (
        f"--job-name={job_name}",
        f"--comment={comment}",
        f"--output={directory}/{STDOUT_NAME}",
        f"--error={directory}/{STDERR_NAME}",
        # A job that is started again goes on in its logs.
        "--open-mode=append",
        "--requeue" if may_requeue else "--no-requeue",
        *request_options,
    )
