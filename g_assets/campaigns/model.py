"""The campaign: what every benchmark, matrix or tuning tool is made of.

Belongs here: the base of the configs, the case and the plan. Does not belong here: any one campaign (one file each
beside this one), or how a case is run (payloads/).
"""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from g_assets.artifacts.models import Record
from g_assets.campaigns.scope import WorkScope
from g_assets.profiles.models import Device


class CampaignConfig(BaseModel):
    """What every campaign's config has. Unknown fields are refused by name."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    machine: str | None = None
    """Machine profile; None: the one of this installation (GWAS_ENGINE_MACHINE), else ``local``."""
    forced_baseline: str | None = None
    """Compare with this run (full or short run id, or path of its manifest) instead of the newest of equal scope."""
    plan_only: bool = False
    """Stop after the plan; measure nothing."""
    timeout_seconds: Annotated[float, Field(gt=0)] = 3600.0
    """Longest time one child process may take."""


class TraitType(StrEnum):
    """The kinds of trait; what ``g regenie`` calls --qt and --bt."""

    QUANTITATIVE = "quantitative"
    BINARY = "binary"


class Case(Record):
    """One cell of a plan: a command line, without its output prefix, which is chosen when the case runs."""

    case_id: str
    trait_type: TraitType
    device: Device
    uses_compile_cache_of: str | None
    """Case whose filled compile cache this one starts with; None: an empty one."""
    arguments: tuple[str, ...]
    """What follows ``g regenie``; ``--out`` and ``--jax-cache-dir`` are added by the payload."""
    output_name: str
    """Last component of the output prefix, below the cell's artifact directory."""
    input_files: tuple[str, ...]


class Plan(Record):
    """What a campaign would do: the dry run is exactly this. Making one touches no data and starts no process."""

    schema_name: Literal["plan"] = "plan"
    schema_version: Literal[1] = 1
    campaign: str
    version: int
    dataset: str
    machine: str
    workload: str
    plan_only: bool
    trials: int
    timeout_seconds: float
    cases: tuple[Case, ...]
    work: WorkScope
    scope_key: str
    """Hash of ``work`` alone; the scope of a measured run adds where it ran (campaigns/scope.py)."""
    subprocess_count: int

    def case(self, case_id: str) -> Case:
        """The case of that name. Raises KeyError naming the known ones."""
        for case in self.cases:
            if case.case_id == case_id:
                return case
        raise KeyError(f"no case {case_id!r} in the plan; known: {', '.join(case.case_id for case in self.cases)}")
