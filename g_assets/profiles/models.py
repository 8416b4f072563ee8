"""The typed shape of a profile.

Belongs here: what one TOML file of ``datasets/``, ``machines/`` or ``workloads/`` may say. Does not belong here:
reading the files (load.py), resolving them to paths (dataset_files.py), or the rules that combine them (campaigns/).
"""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from g_assets.profiles.slurm_machine import SlurmMachine

Positive = Annotated[int, Field(ge=1)]


class ProfileKind(StrEnum):
    """The kinds of profile; each is the name of a folder beside this module."""

    DATASETS = "datasets"
    MACHINES = "machines"
    WORKLOADS = "workloads"


class DatasetSource(StrEnum):
    """Where the files of a dataset come from."""

    SIMULATOR = "simulator"
    FILES = "files"


class Device(StrEnum):
    """What the kernels run on."""

    CPU = "cpu"
    GPU = "gpu"


class Profile(BaseModel):
    """What every profile has. The name is the file's name, set by the loader."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    name: str
    description: str


class TraitFiles(BaseModel):
    """One trait of a dataset: its table, its column, and its predictions (paths relative to the data directory)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    phenotype_file: str
    column: str
    prediction_list: str | None


class Simulation(BaseModel):
    """What the simulator needs to make a dataset, byte for byte the same each time."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    n_samples: Positive
    n_variants: Positive
    seed: int


class DatasetProfile(Profile):
    """A dataset: files relative to the data directory, and how they are made when the simulator makes them."""

    generator: DatasetSource
    chromosome: str
    bgen: str
    sample: str
    covariate_file: str | None
    covariate_columns: tuple[str, ...]
    bed_prefix: str | None = None
    binary: TraitFiles
    quantitative: TraitFiles
    simulation: Simulation | None = None
    matrix_workload: str

    @model_validator(mode="after")
    def check_simulation(self) -> "DatasetProfile":
        """A simulated dataset says how it is made, and only a simulated one does."""
        if (self.generator is DatasetSource.SIMULATOR) != (self.simulation is not None):
            msg = "a [simulation] table belongs to generator = 'simulator', and to no other"
            raise ValueError(msg)
        return self


class MachineProfile(Profile):
    """A machine: what it computes with and how much of it a measurement may use.

    ``cpus = "auto"`` means every CPU of the process's affinity (or SLURM's cpus per task); it beats a workload's thread
    count. ``cpu_chunk_variants = "auto"`` lets the engine size the chunks of CPU cells by cache. A machine with a
    ``[slurm]`` table is reached through it; one without is this machine.
    """

    device: Device
    cpus: Positive | Literal["auto"]
    memory_bytes: Positive | None = None
    cpu_chunk_variants: Positive | Literal["auto"]
    slurm: SlurmMachine | None = None


class WorkloadProfile(Profile):
    """How much work a campaign does and with which buffers. ``None`` is the engine's own choice."""

    chunk_variants: Positive | None
    variant_limit: Positive | None = None
    trials: Positive
    staging_depth: Positive | None
    threads: Positive | None
    writer_threads: Positive | None
    writer_queue_depth: Positive | None
