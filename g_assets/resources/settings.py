"""The settings of this installation: where data and artifacts lie, and what the nightly run measures.

Belongs here: what differs from one checkout to the next and is no part of a measurement. Does not belong here: what
changes the work (a campaign's config) or the machine (machine profiles).
"""

import os
from pathlib import Path

import dagster as dg

from g_assets.artifacts import paths
from g_assets.parity import golden_folder
from g_assets.profiles import dataset_files
from g_assets.profiles.load import DEFAULT_MACHINE, ProfileError, load_machine

MACHINE_VARIABLE = "GWAS_ENGINE_MACHINE"
NIGHTLY_DATASET_VARIABLE = "GWAS_ENGINE_NIGHTLY_DATASET"


class Settings(dg.ConfigurableResource[None]):
    """Folders and choices. An empty field means the environment variable, or its default where that is not set.

    Everything is resolved when a run or a tick asks, never while the code location loads.
    """

    data_directory: str = ""
    artifact_directory: str = ""
    golden_directory: str = ""
    nightly_dataset: str = ""
    machine: str = ""

    def data_root(self) -> Path:
        """Absolute data directory: the field, else as ``profiles.dataset_files`` says."""
        return (Path(self.data_directory) if self.data_directory else dataset_files.data_directory()).absolute()

    def artifact_root(self) -> Path:
        """Absolute artifact root: the field, else as ``artifacts.paths`` says."""
        return (Path(self.artifact_directory) if self.artifact_directory else paths.artifact_root()).absolute()

    def golden_root(self) -> Path:
        """Absolute folder of REGENIE's own results: the field, else as ``parity.golden_folder`` says."""
        return (Path(self.golden_directory) if self.golden_directory else golden_folder.golden_folder()).absolute()

    def machine_name(self) -> str:
        """Machine profile of runs that name none: the field, else ``GWAS_ENGINE_MACHINE``, else ``local``."""
        return self.machine or os.environ.get(MACHINE_VARIABLE) or DEFAULT_MACHINE

    def measures_on_a_cluster(self) -> bool:
        """Whether that profile has a ``[slurm]`` table. One that cannot be read has none: a plan will say why."""
        try:
            return load_machine(self.machine_name()).slurm is not None
        except ProfileError:
            return False

    def nightly_partition(self) -> str:
        """Dataset of the nightly run: the field, else ``GWAS_ENGINE_NIGHTLY_DATASET``, else ``sim_chr22``."""
        return self.nightly_dataset or os.environ.get(NIGHTLY_DATASET_VARIABLE) or "sim_chr22"
