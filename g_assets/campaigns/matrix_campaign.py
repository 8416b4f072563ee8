"""The matrix as a campaign: six cells, binary and quantitative, on CPU, GPU, and GPU with a filled compile cache.

Belongs here: how the matrix meets the campaign interface. Does not belong here: its plan and its joining (matrix.py),
or judging two runs (compare/).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from g_assets.artifacts.cell import CellManifest
from g_assets.campaigns import matrix
from g_assets.campaigns.campaign import CaseName
from g_assets.campaigns.matrix_manifest import MatrixManifest
from g_assets.campaigns.model import CampaignConfig, Plan
from g_assets.compare.baseline import Baseline, NoBaseline
from g_assets.compare.matrix import compare_with_choice
from g_assets.compare.models import MatrixComparison
from g_assets.profiles.load import DEFAULT_MACHINE, load_machine, load_workload
from g_assets.profiles.models import DatasetProfile, WorkloadProfile


@dataclass(frozen=True, slots=True)
class MatrixCampaign:
    """The six-cell matrix. Its methods do what ``campaign.Campaign`` says."""

    name: str = matrix.CAMPAIGN
    config_model: type[CampaignConfig] = matrix.MatrixConfig

    @property
    def cases(self) -> tuple[CaseName, ...]:
        """The six cells."""
        return tuple(
            CaseName(cell.case_id, cell.device, cell.uses_compile_cache_of, description(cell)) for cell in matrix.CELLS
        )

    def variant_limit(self, config: CampaignConfig, dataset: DatasetProfile) -> int | None:
        """The config's limit, else the workload's."""
        chosen = matrix_config(config)
        return chosen.variant_limit or workload_of(chosen, dataset).variant_limit

    def plan(self, config: CampaignConfig, dataset: DatasetProfile, data_directory: Path, fingerprint: str) -> Plan:
        """The six cells with their command lines."""
        chosen = matrix_config(config)
        profiles = matrix.MatrixProfiles(
            dataset=dataset,
            machine=load_machine(chosen.machine or DEFAULT_MACHINE),
            workload=workload_of(chosen, dataset),
            data_directory=data_directory,
            dataset_fingerprint=fingerprint,
        )
        return matrix.expand(chosen, profiles)

    def summarise(self, plan: Plan, cells: Sequence[CellManifest], run_id: str) -> MatrixManifest:
        """The joined manifest."""
        return matrix.summarise(plan, cells, run_id)

    def compare(
        self, current: MatrixManifest, choice: Baseline | NoBaseline, config: CampaignConfig
    ) -> MatrixComparison:
        """Cell by cell, with the config's neutral band."""
        band = matrix_config(config).neutral_band_percent
        return compare_with_choice(current, choice, neutral_band_percent=band)


def description(cell: matrix.Cell) -> str:
    """What the asset of a cell says of itself."""
    cache = "an empty compile cache"
    if cell.uses_compile_cache_of is not None:
        cache = f"the compile cache that {cell.uses_compile_cache_of} filled"
    return (
        f"`g regenie` over the {cell.trait_type} trait on the {cell.device.upper()}, in a fresh process with {cache}."
    )


def matrix_config(config: CampaignConfig) -> matrix.MatrixConfig:
    """The config with its own type. Raises TypeError for another campaign's."""
    if not isinstance(config, matrix.MatrixConfig):
        msg = f"the matrix has a MatrixConfig, not a {type(config).__name__}"
        raise TypeError(msg)
    return config


def workload_of(config: matrix.MatrixConfig, dataset: DatasetProfile) -> WorkloadProfile:
    """The workload that the config names, else the one that the dataset names."""
    return load_workload(config.workload or dataset.matrix_workload)
