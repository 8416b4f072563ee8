"""How a measurement is started: one spec, one payload, several ways to start it.

Belongs here: the modes, the choice between them, and what becomes of a measurement whose process was lost. Does not
belong here: the work itself (payloads/measure.py), which is the same in every mode, what is special to a cluster
(slurm_compute.py), or what a page shows of it (defs/).

- ``process`` (default): a fresh local process through Dagster Pipes; it measures honestly and needs nothing set up.
- ``slurm``: a job on the cluster of a machine profile.
- ``embedded``: a plain call inside the run's own process; for tests only.
"""

import sys
import warnings
from enum import StrEnum
from pathlib import Path
from typing import Any

import dagster as dg
from dagster._core.errors import DagsterPipesExecutionError
from pydantic import Field, ValidationError, field_validator

from g_assets.artifacts.cell import CellManifest
from g_assets.artifacts.models import Status
from g_assets.artifacts.read import ArtifactError, read_cell
from g_assets.payloads.spec import MeasurementSpec
from g_assets.profiles.load import ProfileError, load_machine
from g_assets.profiles.slurm_machine import SlurmMachine

CHECKOUT = Path(__file__).resolve().parent.parent.parent
WORKER = "g_assets.payloads.worker"


class ComputeMode(StrEnum):
    """The ways to start a measurement."""

    PROCESS = "process"
    EMBEDDED = "embedded"
    SLURM = "slurm"


class Compute(dg.ConfigurableResource[None]):
    """Starts measurements. Everything here can be said again in the config of one run."""

    mode: str = ""
    """How to start them; empty: ``slurm`` where the machine profile has a ``[slurm]`` table, else ``process``. Text,
    not an enum, so that ``dagster.EnvVar`` can set it."""
    machine: str = ""
    """Machine profile; empty: the one of the plan."""
    slurm: dict[str, Any] = Field(default_factory=dict)
    """Values over the profile's ``[slurm]`` table, in its own shape: ``{"request": {"mem": "8G"}}``."""

    @field_validator("mode")
    @classmethod
    def check_mode(cls, mode: str) -> str:
        """Refuse a mode that does not exist."""
        if mode and mode not in {known.value for known in ComputeMode}:
            msg = f"compute mode {mode!r} is unknown; known: {', '.join(ComputeMode)}"
            raise ValueError(msg)
        return mode

    def mode_for(self, machine: str | None) -> ComputeMode:
        """The mode of a measurement on a machine. Raises dagster.Failure where the profile cannot be used."""
        if self.mode:
            return ComputeMode(self.mode)
        return ComputeMode.PROCESS if self.slurm_table(machine) is None else ComputeMode.SLURM

    def slurm_table(self, machine: str | None) -> SlurmMachine | None:
        """The ``[slurm]`` table of a machine with this resource's values over it; None where it has none."""
        name = self.machine or machine
        if name is None:
            return None
        try:
            table = load_machine(name).slurm
            return None if table is None else table.with_overrides(self.slurm)
        except ProfileError as error:
            raise dg.Failure(str(error), allow_retries=False) from error
        except ValidationError as error:
            faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
            msg = f"the SLURM values of the run do not fit: {faults}"
            raise dg.Failure(msg, allow_retries=False) from error

    def measure(self, context: dg.AssetExecutionContext, spec: MeasurementSpec) -> CellManifest:
        """Carry out one measurement, wherever the mode says, and return what it wrote.

        A child that failed, and a payload that was lost on the way, are a cell with status ``failed``. Raises
        dagster.Failure where the mode cannot start anything, and whatever ends the run from outside.
        """
        match self.mode_for(spec.machine):
            case ComputeMode.EMBEDDED:
                # What measures brings polars with it: the code location loads without it.
                from g_assets.payloads.measure import measure

                return measure(spec)
            case ComputeMode.PROCESS:
                return measure_in_process(context, spec)
            case ComputeMode.SLURM:
                from g_assets.resources.slurm_compute import Machine, measure_in_slurm

                name = self.machine or spec.machine or "local"
                table = self.slurm_table(name)
                if table is None:
                    msg = f"compute mode 'slurm' needs a machine profile with a [slurm] table, and {name!r} has none"
                    raise dg.Failure(msg, allow_retries=False)
                return measure_in_slurm(context, spec, Machine(name, table, CHECKOUT))


def measure_in_process(context: dg.AssetExecutionContext, spec: MeasurementSpec) -> CellManifest:
    """Run the payload as a local child process through Dagster Pipes."""
    try:
        with warnings.catch_warnings():
            # Dagster's own reader uses this preview, and tells the user at each cell.
            warnings.filterwarnings("ignore", message="Function `PipesMessageReader.expected_writer_count`")
            completed = dg.PipesSubprocessClient().run(
                # Given the asset's context, Pipes 1.13 asks it for things that it warns are deprecated.
                context=context.op_execution_context,
                command=[sys.executable, "-m", WORKER],
                cwd=str(CHECKOUT),
                extras={"spec": spec.model_dump_json()},
            )
    except DagsterPipesExecutionError as error:
        return lost_cell(spec, f"the measuring process was lost: {error}")
    # A payload that reported nothing has not measured, however well it ended: this raises.
    completed.get_materialize_result(implicit_materialization=False)
    return reported_cell(spec)


def reported_cell(spec: MeasurementSpec) -> CellManifest:
    """The cell that a payload wrote. Its file is the truth, not the message that it sent."""
    try:
        cell = read_cell(Path(spec.working_directory) / spec.artifact_directory)
    except ArtifactError as error:
        return lost_cell(spec, f"the measurement reported success and left no readable cell: {error}")
    if (cell.run_id, cell.case_id) != (spec.run_id, spec.case.case_id):
        return lost_cell(spec, f"the measurement left the cell {cell.case_id} of run {cell.run_id}")
    return cell


def lost_cell(spec: MeasurementSpec, reason: str) -> CellManifest:
    """Write a failed cell for a payload that could not do so itself; what it left is kept beside it."""
    from g_assets.payloads.measure import close_session, open_session

    return close_session(open_session(spec), Status.FAILED, reason, ())
