"""How a measurement is started: one spec, one payload, several ways to start it.

Belongs here: the modes, and what becomes of a measurement whose process was lost. Does not belong here: the work itself
(payloads/measure.py), which is the same in every mode, or what a page shows of it (defs/).

- ``process`` (default): a fresh local process through Dagster Pipes; it measures honestly and needs nothing set up.
- ``embedded``: a plain call inside the run's own process; for tests only.
- ``slurm``: not built yet; it will submit the same payload with the same spec.
"""

import sys
import warnings
from enum import StrEnum
from pathlib import Path

import dagster as dg
from dagster._core.errors import DagsterPipesExecutionError
from pydantic import field_validator

from g_assets.artifacts.cell import CellManifest
from g_assets.artifacts.models import Status
from g_assets.artifacts.read import ArtifactError, read_cell
from g_assets.payloads.spec import MeasurementSpec

CHECKOUT = Path(__file__).resolve().parent.parent.parent
WORKER = "g_assets.payloads.worker"


class ComputeMode(StrEnum):
    """The ways to start a measurement."""

    PROCESS = "process"
    EMBEDDED = "embedded"
    SLURM = "slurm"


class Compute(dg.ConfigurableResource[None]):
    """Starts measurements. ``mode`` is text, not an enum, so that ``dagster.EnvVar`` can set it."""

    mode: str = ComputeMode.PROCESS.value

    @field_validator("mode")
    @classmethod
    def check_mode(cls, mode: str) -> str:
        """Refuse a mode that does not exist."""
        if mode not in {known.value for known in ComputeMode}:
            msg = f"compute mode {mode!r} is unknown; known: {', '.join(ComputeMode)}"
            raise ValueError(msg)
        return mode

    def measure(self, context: dg.AssetExecutionContext, spec: MeasurementSpec) -> CellManifest:
        """Carry out one measurement, wherever the mode says, and return what it wrote.

        A child that failed, and a payload that was lost on the way, are a cell with status ``failed``. Raises
        dagster.Failure where the mode cannot start anything, and whatever ends the run from outside.
        """
        match ComputeMode(self.mode):
            case ComputeMode.EMBEDDED:
                # What measures brings polars with it: the code location loads without it.
                from g_assets.payloads.measure import measure

                return measure(spec)
            case ComputeMode.PROCESS:
                return measure_in_process(context, spec)
            case ComputeMode.SLURM:
                msg = "compute mode 'slurm' is not built yet; use 'process'"
                raise dg.Failure(msg, allow_retries=False)


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
