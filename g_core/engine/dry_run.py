"""``--dry-run``: what a run would do, without doing it.

Belongs here: what is told. Does not belong here: the estimates (estimate.py). Nothing is written, and JAX is not
imported.
"""

import shutil
from pathlib import Path

from g_core.config.choices import Device
from g_core.config.run_plan import RunPlan
from g_core.engine.estimate import DiskEstimate, MemoryEstimate, RunEstimate, estimate_run
from g_core.engine.prepare import PreparedRun, prepare
from g_core.engine.run_directory import RunDirectory
from g_core.engine.stages import StageClock


def dry_run(plan: RunPlan) -> list[str]:
    """Read and join every input, and return lines to print.

    Raises:
        GError: What a run would refuse before it starts its device.
    """
    prepared = prepare(plan, StageClock())
    estimate = estimate_run(plan, prepared)
    return [
        *(f"warning: {warning}" for warning in plan.warnings),
        *prepared.analysis.join_report.lines(),
        *(f"note: {note}" for note in prepared.selection.notes),
        variant_line(prepared),
        *scan_lines(plan, estimate),
        memory_line(estimate.memory),
        *device_notes(plan),
        disk_line(estimate.disk, plan.output.prefix),
        *directory_notes(plan),
        "dry run: nothing was written",
    ]


def variant_line(prepared: PreparedRun) -> str:
    """How many variants are tested, and where they are."""
    codes = sorted(set(prepared.selection.chromosome_codes.tolist()))
    noun = "chromosome" if len(codes) == 1 else "chromosomes"
    return (
        f"variants: {len(prepared.selection.indices):,} of {prepared.reader.n_variants:,} in "
        f"{prepared.reader.path} ({prepared.reader.file_bytes:,} bytes), on {noun} {', '.join(map(str, codes))}"
    )


def scan_lines(plan: RunPlan, estimate: RunEstimate) -> list[str]:
    """How the scan is cut."""
    size = estimate.size
    shapes = ", ".join(
        f"{size.tile_rows} x {group.n_columns} ({group.n_traits} trait{'' if group.n_traits == 1 else 's'})"
        for group in size.groups
    )
    return [
        f"chunks: {size.n_chunks:,} of at most {size.chunk_variants:,} variants, {size.chunks_per_part} a part",
        f"decoding: {plan.compute.threads} threads, {size.staging_depth} chunks ahead",
        f"tiles of each group of samples: {shapes}",
    ]


def memory_line(memory: MemoryEstimate) -> str:
    """Peak memory and what it is made of."""
    parts = {
        "program": memory.program_bytes,
        "index": memory.index_bytes,
        "samples": memory.samples_bytes,
        "chunks": memory.chunks_bytes,
        "kernels": memory.kernels_bytes,
        "rows": memory.rows_bytes,
    }
    told = ", ".join(f"{name} {megabytes(size)}" for name, size in parts.items())
    return f"memory: about {megabytes(memory.total_bytes)} at the peak ({told})"


def device_notes(plan: RunPlan) -> list[str]:
    """What the memory estimate leaves out."""
    if plan.compute.device is Device.GPU:
        return ["note: the memory of the GPU and of its driver is not in the estimate"]
    return []


def disk_line(disk: DiskEstimate, prefix: Path) -> str:
    """Files of results, and the room there is."""
    folder = next(parent for parent in prefix.absolute().parents if parent.is_dir())
    free = shutil.disk_usage(folder).free
    return (
        f"disk: at most about {megabytes(disk.total_bytes)} (Parquet {megabytes(disk.parquet_bytes)}, REGENIE text "
        f"{megabytes(disk.text_bytes)}); {megabytes(free)} free in {folder}"
    )


def directory_notes(plan: RunPlan) -> list[str]:
    """A run directory that would be refused."""
    directory = RunDirectory(plan.output.prefix)
    if plan.output.resume or not directory.is_occupied():
        return []
    return [f"note: {directory.path} already holds a run, and would be refused without --resume"]


def megabytes(size_bytes: int) -> str:
    """A size for people."""
    if 0 < size_bytes < 10**6:
        return "under 1 MB"
    return f"{size_bytes / 10**6:,.0f} MB"
