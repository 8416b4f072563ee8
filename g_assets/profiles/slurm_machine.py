"""Where a cluster is and how it is used: the ``[slurm]`` table of a machine profile.

Belongs here: the typed table, and laying a run's own values over it. Does not belong here: talking to the cluster
(g_assets/slurm/). Nothing secret stands in it: a key is named by its path.
"""

from collections.abc import Mapping
from typing import Annotated, Any, cast

from pydantic import BaseModel, ConfigDict, Field

from g_assets.profiles.slurm_request import SlurmRequest

PositiveSeconds = Annotated[float, Field(gt=0)]
AbsolutePath = Annotated[str, Field(pattern=r"^/[^\n\r]*$")]


class SshTarget(BaseModel):
    """A login node as SSH reaches it. Host keys are always checked; passwords are never used."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    host: str
    port: Annotated[int, Field(ge=1, le=65535)] = 22
    user: str
    key: str | None = None
    """Path of the private key here; None: what ssh-agent and ``~/.ssh/config`` say."""
    known_hosts: str | None = None
    """File of known hosts here; None: ``~/.ssh/known_hosts``."""


class SlurmMachine(BaseModel):
    """One cluster. Paths are the cluster's own; environment, checkout and artifacts are on a shared disk."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    ssh: SshTarget | None = None
    """Login node; None: this machine is one, and its commands are run here."""
    environment: AbsolutePath
    """Folder with ``env/bin/python`` (a link to a virtual environment will do) and, if need be, ``activate.sh``."""
    checkout: AbsolutePath
    artifact_root: AbsolutePath | None = None
    """Artifact root as the cluster sees it; None: under the same path as here."""
    data_directory: AbsolutePath | None = None
    """Data directory as the cluster sees it; None: under the same path as here."""
    cache_parents: tuple[AbsolutePath, ...]
    """Folders on a node's own disk; temporary files go below the first that a job may write, and end with the job."""
    poll_seconds: PositiveSeconds
    """Time between two looks at a job."""
    queue_limit_seconds: PositiveSeconds
    """Longest wait in the queue; then the job is cancelled."""
    requeue_limit: Annotated[int, Field(ge=0)]
    """How often SLURM may start a job again after a preemption or a node's failure."""
    outage_limit_seconds: PositiveSeconds
    """How long the login node may be out of reach while a job is waited for. The job itself goes on."""
    request: SlurmRequest = SlurmRequest()
    gpu_request: Mapping[str, Any] = {}
    """Fields of the request that differ for cases on a GPU."""

    def request_for(self, *, gpu: bool) -> SlurmRequest:
        """The request of a case. Raises pydantic's ValidationError where ``gpu_request`` has a field that is none."""
        if not gpu:
            return self.request
        return SlurmRequest.model_validate(laid_over(self.request.model_dump(), self.gpu_request))

    def with_overrides(self, overrides: Mapping[str, Any]) -> "SlurmMachine":
        """This table with a run's own values over it, table by table. Raises pydantic's ValidationError."""
        return SlurmMachine.model_validate(laid_over(self.model_dump(), overrides))


def laid_over(base: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """``base`` with ``values`` over it; where both have a table, field by field."""
    result = dict(base)
    for name, value in values.items():
        below = result.get(name)
        if isinstance(value, Mapping) and isinstance(below, Mapping):
            result[name] = laid_over(cast("Mapping[str, Any]", below), cast("Mapping[str, Any]", value))
        else:
            result[name] = value
    return result
