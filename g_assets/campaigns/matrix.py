"""The matrix: two traits by CPU, GPU and GPU with a filled compile cache; six cells, each a whole run.

Belongs here: the config, the plan and the joined manifest of a matrix. Does not belong here: running a cell (payloads/)
or comparing two matrices (compare/matrix.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field

from g_assets.artifacts.cell import CellManifest
from g_assets.artifacts.models import Status
from g_assets.campaigns.command import RegenieCommand, render_regenie
from g_assets.campaigns.matrix_manifest import MatrixManifest
from g_assets.campaigns.model import CampaignConfig, Case, Plan, TraitType
from g_assets.campaigns.scope import WorkScope, place_of, scope_key, work_key
from g_assets.profiles.dataset_files import dataset_files
from g_assets.profiles.models import DatasetProfile, Device, MachineProfile, Positive, WorkloadProfile

CAMPAIGN = "matrix"
VERSION = 1


@dataclass(frozen=True, slots=True)
class Cell:
    """The name of a cell and what sets it apart."""

    case_id: str
    trait_type: TraitType
    device: Device
    uses_compile_cache_of: str | None


CELLS = (
    Cell("binary_cpu", TraitType.BINARY, Device.CPU, None),
    Cell("binary_gpu", TraitType.BINARY, Device.GPU, None),
    Cell("binary_gpu_cached", TraitType.BINARY, Device.GPU, "binary_gpu"),
    Cell("linear_cpu", TraitType.QUANTITATIVE, Device.CPU, None),
    Cell("linear_gpu", TraitType.QUANTITATIVE, Device.GPU, None),
    Cell("linear_gpu_cached", TraitType.QUANTITATIVE, Device.GPU, "linear_gpu"),
)


class MatrixConfig(CampaignConfig):
    """A matrix run. The dataset is the partition. ``None`` takes the value of the workload profile."""

    workload: str | None = None
    """Workload profile; None: the one that the dataset profile names."""
    variant_limit: Positive | None = None
    """Only the first N variants of the BGEN. Changes the scope."""
    trials: Positive | None = None
    threads: Positive | None = None
    chunk_variants: Positive | None = None
    staging_depth: Positive | None = None
    writer_threads: Positive | None = None
    writer_queue_depth: Positive | None = None
    p_threshold: Annotated[float, Field(gt=0, lt=1)] = 0.05
    """P-value below which a binary trait's variant gets the approximate Firth correction."""
    neutral_band_percent: Annotated[float, Field(gt=0)] = 10.0
    """Change of wall time, rate or memory within which a comparison says neutral."""


@dataclass(frozen=True, slots=True)
class MatrixProfiles:
    """The profiles of a matrix run, and what is known of its data when it starts.

    ``dataset_fingerprint`` comes from the dataset asset (dataset_files.dataset_fingerprint); None in a plan made
    without data, whose scope equals that of no measured run.
    """

    dataset: DatasetProfile
    machine: MachineProfile
    workload: WorkloadProfile
    data_directory: Path
    dataset_fingerprint: str | None


def expand(config: MatrixConfig, profiles: MatrixProfiles) -> Plan:
    """The plan of a matrix: its cells with their command lines. No side effect; no file is opened."""
    work = work_scope(config, profiles)
    trials = config.trials or profiles.workload.trials
    files = dataset_files(profiles.dataset, profiles.data_directory, work.variant_limit)
    input_files = tuple(str(path) for path in files.all_paths())

    def case(cell: Cell) -> Case:
        command = RegenieCommand(
            files=files,
            trait_type=cell.trait_type,
            device=cell.device,
            p_threshold=config.p_threshold,
            threads=work.threads,
            chunk_variants=work.cpu_chunk_variants if cell.device is Device.CPU else work.chunk_variants,
            staging_depth=work.staging_depth,
            writer_threads=work.writer_threads,
            writer_queue_depth=work.writer_queue_depth,
        )
        return Case(
            case_id=cell.case_id,
            trait_type=cell.trait_type,
            device=cell.device,
            uses_compile_cache_of=cell.uses_compile_cache_of,
            arguments=render_regenie(command),
            output_name=cell.case_id,
            input_files=input_files,
        )

    return Plan(
        campaign=CAMPAIGN,
        version=VERSION,
        dataset=profiles.dataset.name,
        machine=profiles.machine.name,
        workload=profiles.workload.name,
        plan_only=config.plan_only,
        trials=trials,
        timeout_seconds=config.timeout_seconds,
        cases=tuple(case(cell) for cell in CELLS),
        work=work,
        scope_key=work_key(work),
        subprocess_count=0 if config.plan_only else trials * len(CELLS),
    )


def work_scope(config: MatrixConfig, profiles: MatrixProfiles) -> WorkScope:
    """The work of a matrix: an explicit field beats a machine's ``auto``, which beats the workload's number."""
    machine, workload = profiles.machine, profiles.workload
    return WorkScope(
        campaign=CAMPAIGN,
        campaign_version=VERSION,
        dataset=profiles.dataset.name,
        dataset_fingerprint=profiles.dataset_fingerprint,
        machine=machine.name,
        cases=tuple(cell.case_id for cell in CELLS),
        variant_limit=config.variant_limit or workload.variant_limit,
        chunk_variants=config.chunk_variants or workload.chunk_variants,
        cpu_chunk_variants=config.chunk_variants or unless_auto(machine.cpu_chunk_variants),
        staging_depth=config.staging_depth or workload.staging_depth,
        threads=config.threads or (None if machine.cpus == "auto" else workload.threads),
        writer_threads=config.writer_threads or workload.writer_threads,
        writer_queue_depth=config.writer_queue_depth or workload.writer_queue_depth,
        p_threshold=config.p_threshold,
        storage_mode="parquet",
        trials_kind="fresh_process",
    )


def unless_auto(value: int | str) -> int | None:
    """The number, or None for ``auto``: the engine's own choice."""
    return value if isinstance(value, int) else None


def summarise(plan: Plan, cells: Sequence[CellManifest], run_id: str) -> MatrixManifest:
    """Join what the cells measured. Never raises for failed cells: status and ``valid`` carry them.

    ``valid`` is what lets a run be a baseline: every planned cell is there, each ended well or is unsupported on this
    machine, and at least one was measured.
    """
    ordered = tuple(sorted(cells, key=lambda cell: cell.case_id))
    place = place_of(tuple(cell.context for cell in ordered))
    status = matrix_status(plan, ordered)
    return MatrixManifest(
        run_id=run_id,
        plan=plan,
        status=status,
        reason=matrix_reason(plan, ordered),
        valid=status is Status.SUCCESS,
        place=place,
        scope_key=scope_key(plan.work, place),
        cells=ordered,
    )


def matrix_status(plan: Plan, cells: Sequence[CellManifest]) -> Status:
    """One word for a matrix: success needs every cell, and at least one that was measured."""
    statuses = {cell.status for cell in cells}
    if plan.plan_only or statuses == {Status.DRY_RUN}:
        return Status.DRY_RUN
    if missing_cells(plan, cells):
        return Status.PARTIAL if Status.SUCCESS in statuses else Status.FAILED
    if statuses == {Status.UNSUPPORTED}:
        return Status.UNSUPPORTED
    if statuses <= {Status.SUCCESS, Status.UNSUPPORTED}:
        return Status.SUCCESS
    return Status.PARTIAL if Status.SUCCESS in statuses else Status.FAILED


def matrix_reason(plan: Plan, cells: Sequence[CellManifest]) -> str | None:
    """What is wrong with a matrix, in one line; None where nothing is."""
    if plan.plan_only:
        return "a plan only was asked for"
    ended = (Status.SUCCESS, Status.UNSUPPORTED)
    faults = [f"{cell.case_id} {cell.status}: {cell.reason}" for cell in cells if cell.status not in ended]
    faults += [f"{case_id} is missing" for case_id in missing_cells(plan, cells)]
    if not faults and all(cell.status is Status.UNSUPPORTED for cell in cells):
        return "no cell is supported on this machine: nothing was measured"
    return "; ".join(faults) or None


def missing_cells(plan: Plan, cells: Sequence[CellManifest]) -> tuple[str, ...]:
    """Planned cells that left no manifest."""
    present = {cell.case_id for cell in cells}
    return tuple(case.case_id for case in plan.cases if case.case_id not in present)
