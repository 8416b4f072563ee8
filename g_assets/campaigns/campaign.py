"""What the lab needs to know of a campaign to build its assets.

Belongs here: the interface, and the name of a case. Does not belong here: any one campaign (one file each beside this
one), or Dagster (defs/campaign/ builds the assets).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from g_assets.artifacts.cell import CellManifest
from g_assets.campaigns.matrix_manifest import MatrixManifest
from g_assets.campaigns.model import CampaignConfig, Plan
from g_assets.compare.baseline import Baseline, NoBaseline
from g_assets.compare.models import MatrixComparison
from g_assets.profiles.models import DatasetProfile, Device


@dataclass(frozen=True, slots=True)
class CaseName:
    """A case as the asset graph shows it, whatever the config; its command line comes with the plan."""

    case_id: str
    device: Device
    uses_compile_cache_of: str | None
    description: str


class Campaign(Protocol):
    """One benchmark, matrix or tuning tool. Adding one is a file beside this one and a line in registry.py."""

    @property
    def name(self) -> str:
        """First part of its asset keys, and the name of its asset group."""
        ...

    @property
    def config_model(self) -> type[CampaignConfig]:
        """What a person may say of a run."""
        ...

    @property
    def cases(self) -> tuple[CaseName, ...]:
        """Every case, one asset each."""
        ...

    def variant_limit(self, config: CampaignConfig, dataset: DatasetProfile) -> int | None:
        """Number of variants that a run uses, None for all: the dataset is cut before the plan is made."""
        ...

    def plan(self, config: CampaignConfig, dataset: DatasetProfile, data_directory: Path, fingerprint: str) -> Plan:
        """The cases with their command lines. No side effect."""
        ...

    def summarise(self, plan: Plan, cells: Sequence[CellManifest], run_id: str) -> MatrixManifest:
        """Join what the cells measured. Never raises for a failed cell."""
        ...

    def compare(
        self, current: MatrixManifest, choice: Baseline | NoBaseline, config: CampaignConfig
    ) -> MatrixComparison:
        """Judge a run against the baseline that was chosen for it; no baseline is a result too."""
        ...
