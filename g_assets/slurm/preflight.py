"""What must be true of a cluster before a job is sent to it.

Belongs here: one question to the login node, and a refusal with its remedy for each thing that is not as it must be.
Does not belong here: what only a job can find out (job_script.py: the artifact root on the node).
"""

import shlex
from dataclasses import dataclass

from g_assets.profiles.slurm_machine import SlurmMachine
from g_assets.profiles.slurm_request import SlurmRequest
from g_assets.slurm.login import Login

# Lines of the answer; the commands' own words follow them.
ACCOUNTING = "=accounting="
VERSION = "=version="
PROOF = "=proof="
NODES = "=nodes="


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason not to submit, and what to do about it."""

    what: str
    remedy: str

    def text(self) -> str:
        """Both, in one line."""
        return f"{self.what}; {self.remedy}"


@dataclass(frozen=True, slots=True)
class NodeFacts:
    """One node of one partition, as sinfo has it."""

    partition: str
    is_default: bool
    name: str
    cpus: int
    memory_mebibytes: float
    gres: str


def preflight(
    login: Login, machine: SlurmMachine, request: SlurmRequest, *, engine_version: str, proof_path: str, proof: str
) -> tuple[Refusal, ...]:
    """Everything that speaks against submitting, found in one call of the login node.

    Args:
        login: The login node.
        machine: Where the environment and the checkout are.
        request: What the job would ask for.
        engine_version: Version of this package here.
        proof_path: A file below the artifact root, as the cluster has it.
        proof: What this machine wrote into it.

    Raises:
        LoginError: The login node cannot be asked.
    """
    answer = login.run(question(machine, proof_path))
    parts = sections(answer)
    found = (
        accounting_refusal(parts.get(ACCOUNTING, "")),
        version_refusal(parts.get(VERSION, ""), machine, engine_version),
        proof_refusal(parts.get(PROOF, ""), proof_path, proof),
        *request_refusals(request, read_nodes(parts.get(NODES, ""))),
    )
    return tuple(refusal for refusal in found if refusal is not None)


def question(machine: SlurmMachine, proof_path: str) -> str:
    """One line of bash that asks for everything. It never fails; what fails says so in its own part."""
    environment, checkout = shlex.quote(machine.environment), shlex.quote(machine.checkout)
    activation = f"if [ -r {environment}/activate.sh ]; then . {environment}/activate.sh; fi; "
    asked = (
        (ACCOUNTING, "sacct -X -n -S now -o JobID >/dev/null && echo answers"),
        (
            VERSION,
            f"{activation}cd {checkout} && {environment}/env/bin/python -m g_assets.payloads.engine_version",
        ),
        (PROOF, f"cat {shlex.quote(proof_path)}"),
        (NODES, "sinfo -h -N -o '%P|%N|%c|%m|%G'"),
    )
    return "; ".join(f"echo; echo {title}; ( {command} ) 2>&1 | tail -n 4000" for title, command in asked)


def sections(answer: str) -> dict[str, str]:
    """The parts of the answer by their titles."""
    parts: dict[str, str] = {}
    title = ""
    for line in answer.splitlines():
        if line in {ACCOUNTING, VERSION, PROOF, NODES}:
            title = line
            parts[title] = ""
        elif title:
            parts[title] += f"{line}\n"
    return {name: text.strip() for name, text in parts.items()}


def accounting_refusal(text: str) -> Refusal | None:
    """Without sacct the end of a job cannot be told from success."""
    if text == "answers":
        return None
    return Refusal(
        f"sacct does not answer: {last_line(text)}",
        "the cluster needs accounting (slurmdbd): without it a killed job looks like a finished one",
    )


def version_refusal(text: str, machine: SlurmMachine, engine_version: str) -> Refusal | None:
    """The environment on the cluster measures another engine, or none."""
    found = last_line(text)
    if found == engine_version:
        return None
    if " " in found or not found:
        return Refusal(
            f"{machine.environment}/env/bin/python cannot run this package from {machine.checkout}: {found}",
            "set up the checkout and its environment on the cluster (docs/slurm.md)",
        )
    return Refusal(
        f"the environment {machine.environment} on the cluster has version {found} of this package, "
        f"the code location {engine_version}",
        f"bring {machine.checkout} to the same version and run `make setup` there",
    )


def proof_refusal(text: str, proof_path: str, proof: str) -> Refusal | None:
    """The login node does not see what this machine wrote below the artifact root."""
    if text == proof:
        return None
    return Refusal(
        f"the artifact root is not shared with the login node: {proof_path} does not hold what was written here "
        f"({last_line(text)})",
        "put GWAS_ENGINE_ARTIFACT_DIR on a shared disk, and say in `artifact_root` what the cluster calls it",
    )


def read_nodes(text: str) -> tuple[NodeFacts, ...]:
    """The lines of sinfo; a line that is none of its is left out."""
    rows = [line.split("|") for line in text.splitlines()]
    return tuple(
        NodeFacts(
            partition=row[0].rstrip("*"),
            is_default=row[0].endswith("*"),
            name=row[1],
            cpus=int(row[2].rstrip("+")),
            memory_mebibytes=float(row[3].rstrip("+")),
            gres=row[4],
        )
        for row in rows
        if len(row) == 5 and row[2].rstrip("+").isdigit() and row[3].rstrip("+").isdigit()
    )


def request_refusals(request: SlurmRequest, nodes: tuple[NodeFacts, ...]) -> tuple[Refusal | None, ...]:
    """What no node of the partition can give. SLURM itself would let such a job wait for ever."""
    if not nodes:
        return (Refusal("sinfo lists no node", "see whether slurmctld runs on the cluster"),)
    names = sorted({node.partition for node in nodes})
    own = [node for node in nodes if in_partition(node, request)]
    if not own:
        wanted = "the default partition" if request.partition is None else f"partition {request.partition!r}"
        return (Refusal(f"there is no node in {wanted}", f"ask for one of: {', '.join(names)}"),)
    where = f"partition {own[0].partition}" if request.partition is None else f"partition {request.partition}"
    cpus = max(node.cpus for node in own)
    memory = max(node.memory_mebibytes for node in own)
    asked = request.memory_mebibytes()
    too_many_cpus = request.cpus_per_task is not None and request.cpus_per_task > cpus
    too_much_memory = asked is not None and asked > memory
    no_gpu = (request.gpus is not None or (request.gres or "").startswith("gpu")) and not any(
        "gpu" in node.gres for node in own
    )
    return (
        Refusal(
            f"cpus_per_task = {request.cpus_per_task}, and no node of {where} has more than {cpus}",
            "ask for fewer CPUs or another partition",
        )
        if too_many_cpus
        else None,
        Refusal(
            f"mem = {request.mem}, and no node of {where} has more than {memory:.0f}M",
            "ask for less memory or another partition",
        )
        if too_much_memory
        else None,
        Refusal(f"a GPU is asked for, and no node of {where} has one", "ask for a partition with GPUs")
        if no_gpu
        else None,
    )


def in_partition(node: NodeFacts, request: SlurmRequest) -> bool:
    """Whether a node is in one of the request's partitions, or in the default one where it names none."""
    return node.is_default if request.partition is None else node.partition in request.partition.split(",")


def last_line(text: str) -> str:
    """The last line of a command's words."""
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else "no answer"
