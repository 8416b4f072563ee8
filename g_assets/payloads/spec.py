"""What a payload is told: one measurement as JSON.

Belongs here: the model of the request. Does not belong here: carrying it out (measure.py) or the resources asked of a
cluster (resources/).
"""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from g_assets.artifacts.models import SCHEMA_VERSION, EnvironmentVariable, Record
from g_assets.artifacts.paths import cell_directory, compile_cache_directory
from g_assets.campaigns.model import Case, Plan

LOG_TAIL_BYTES = 4096


class MeasurementSpec(Record):
    """One case of a plan, and where and how to run it. Relative paths are relative to ``working_directory``."""

    schema_name: Literal["measurement_spec"] = "measurement_spec"
    schema_version: Literal[1] = SCHEMA_VERSION
    campaign: str
    campaign_version: int
    dataset: str
    run_id: str
    case: Case
    trials: Annotated[int, Field(ge=1)]
    timeout_seconds: Annotated[float, Field(gt=0)]
    plan_only: bool
    compute_mode: str
    working_directory: str
    artifact_directory: str
    """Directory of the cell; it must not hold another run's artifacts."""
    compile_cache: str
    """Compile cache. A case that uses another's cache reads that one's; every other case starts with an empty one."""
    machine: str | None = None
    """Machine profile of the measurement; None: this machine."""
    artifact_root: str | None = None
    """Root of the records that a launcher keeps; None: the folder that holds ``artifact_directory``."""
    command: tuple[str, ...] | None = None
    """What to run before the case's arguments; None: this interpreter's ``-m g_core regenie``."""
    environment: tuple[EnvironmentVariable, ...] = ()
    """Variables set for the child on top of the payload's own."""
    terminate_grace_seconds: Annotated[float, Field(ge=0)] = 5.0
    """Time between asking a child to end and killing its process tree."""


def spec_for_case(
    plan: Plan, case_id: str, *, run_id: str, artifact_root: Path, working_directory: Path, compute_mode: str
) -> MeasurementSpec:
    """The spec of one case of a plan. Raises KeyError for a case that the plan does not have."""
    case = plan.case(case_id)
    cache_owner = case.uses_compile_cache_of or case_id
    return MeasurementSpec(
        campaign=plan.campaign,
        campaign_version=plan.version,
        dataset=plan.dataset,
        run_id=run_id,
        case=case,
        trials=plan.trials,
        timeout_seconds=plan.timeout_seconds,
        plan_only=plan.plan_only,
        compute_mode=compute_mode,
        machine=plan.machine,
        artifact_root=str(artifact_root),
        working_directory=str(working_directory),
        artifact_directory=str(cell_directory(artifact_root, plan.campaign, plan.dataset, run_id, case_id)),
        compile_cache=str(compile_cache_directory(artifact_root, plan.campaign, plan.dataset, run_id, cache_owner)),
    )
