"""What a job asks of SLURM, and how it is said to ``sbatch``.

Belongs here: the request, its limits, its ``#SBATCH`` lines. Does not belong here: where the cluster is
(slurm_machine.py), or submitting (g_assets/slurm/).
"""

import re
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

Positive = Annotated[int, Field(ge=1)]
# One word of sbatch's command line; nothing that a shell or a directive line would read as something else.
Word = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.,:=+/@%&|*()\[\]-]+$")]
Memory = Annotated[str, Field(pattern=r"^[0-9]+[KMGT]?$")]
TimeLimit = Annotated[str, Field(pattern=r"^([0-9]+|[0-9]+:[0-9]{2}(:[0-9]{2})?|[0-9]+-[0-9]+(:[0-9]{2}){0,2})$")]
OPTION = re.compile(r"^--([a-z][a-z0-9-]*)(=[^\n\r]*)?$")
# The launcher sets these itself; a second value would take effect without a word.
RESERVED = frozenset(
    {"array", "chdir", "error", "job-name", "no-requeue", "open-mode", "output", "parsable", "requeue", "wait", "wrap"}
)
MEBIBYTES = {"": 1.0, "K": 1.0 / 1024, "M": 1.0, "G": 1024.0, "T": 1024.0 * 1024.0}


class SlurmRequest(BaseModel):
    """Resources of one job. A field that is None is not asked for, and the cluster's own default holds."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    partition: Word | None = None
    nodes: Positive | None = None
    nodelist: Word | None = None
    cpus_per_task: Positive | None = None
    mem: Memory | None = None
    """Memory a node, in SLURM's spelling: ``4G``, ``4000M``; a bare number is mebibytes, ``0`` all of the node."""
    gpus: Word | None = None
    """GPUs of the job: ``1`` or ``v100:2``."""
    gres: Word | None = None
    time_limit: TimeLimit | None = None
    """In SLURM's spelling: minutes, ``H:MM:SS`` or ``D-HH``. SLURM rounds up to whole minutes."""
    exclusive: bool = True
    """Take whole nodes, so that nothing else runs beside a measurement. Takes all of their CPUs and GPUs."""
    constraint: Word | None = None
    account: Word | None = None
    qos: Word | None = None
    reservation: Word | None = None
    extra: tuple[str, ...] = ()
    """Further options of sbatch, each ``--name`` or ``--name=value``."""

    @model_validator(mode="after")
    def check_extra(self) -> Self:
        """Further options may say nothing that a field or the launcher says."""
        fields = {name.replace("_", "-") for name in type(self).model_fields} | {"time"}
        for option in self.extra:
            found = OPTION.match(option)
            if found is None:
                msg = f"extra: {option!r} is no option of sbatch; write --name or --name=value"
                raise ValueError(msg)
            if found[1] in RESERVED:
                msg = f"extra: --{found[1]} is set by the launcher"
                raise ValueError(msg)
            if found[1] in fields:
                msg = f"extra: --{found[1]} has a field of its own in the request"
                raise ValueError(msg)
        return self

    def options(self) -> tuple[str, ...]:
        """The request as options of sbatch, in the order of the fields."""
        pairs = {
            "partition": self.partition,
            "nodes": self.nodes,
            "nodelist": self.nodelist,
            "cpus-per-task": self.cpus_per_task,
            "mem": self.mem,
            "gpus": self.gpus,
            "gres": self.gres,
            "time": self.time_limit,
            "constraint": self.constraint,
            "account": self.account,
            "qos": self.qos,
            "reservation": self.reservation,
        }
        said = tuple(f"--{name}={value}" for name, value in pairs.items() if value is not None)
        return said + (("--exclusive",) if self.exclusive else ()) + self.extra

    def memory_mebibytes(self) -> float | None:
        """Memory a node in MiB; None where none is asked for, or all of it."""
        if self.mem is None or self.mem.rstrip("KMGT") == "0":
            return None
        unit = self.mem[-1] if self.mem[-1] in MEBIBYTES else ""
        return float(self.mem.rstrip("KMGT")) * MEBIBYTES[unit]
