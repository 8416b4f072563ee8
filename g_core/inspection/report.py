"""The page about a run that ``g inspect`` prints.

Belongs here: which facts are told, and their words. Does not belong here: reading them (run_state.py).
"""

from collections.abc import Iterable, Sequence

from g_core import _native
from g_core.engine.manifest import RunManifest
from g_core.inputs.join_report import JoinReport
from g_core.inspection.run_state import RunState, TraitState
from g_core.results.read import read_strongest_rows

STRONGEST_COLUMNS = (
    "CHROM", "GENPOS", "ID", "ALLELE0", "ALLELE1", "A1FREQ", "N", "BETA", "SE", "LOG10P", "CORRECTION",
)  # fmt: skip


def report_lines(run: RunState, n_strongest: int) -> list[str]:
    """The whole page.

    Args:
        run: What the directory holds.
        n_strongest: How many of the strongest rows of each trait are printed.

    Raises:
        InputError: A part that the run's record names cannot be read.
    """
    lines = [*head_lines(run)]
    if run.join_report is not None:
        lines += ["", "samples", *indented(sample_lines(run.join_report))]
    counts = {} if run.join_report is None else {trait.name: trait.line() for trait in run.join_report.traits}
    for trait in run.traits:
        lines += ["", *trait_lines(trait, counts.get(trait.name), n_strongest)]
    if run.manifest is not None:
        told = [
            *(f"warning: {text}" for text in run.manifest.warnings),
            *(f"note: {text}" for text in run.manifest.notes),
        ]
        lines += ["", *told] if told else []
    return lines


def head_lines(run: RunState) -> list[str]:
    """What the run is and how it went."""
    lines = [f"run       {run.directory}"]
    if run.manifest is None:
        owner = "no process has it" if run.owner is None else f"{run.owner.describe()} has it"
        lines.append(f"status    not finished; {owner}; what follows is committed so far")
    else:
        lines.append(f"status    {run.manifest.status}")
    if run.identity is not None:
        lines.append(f"engine    g {run.identity.engine_version}, plan {run.identity.plan_fingerprint[:12]}")
        lines += [f"input     {file.path} ({file.option}), {file.bytes:,} bytes" for file in run.identity.inputs]
    if run.manifest is not None:
        lines += manifest_lines(run.manifest)
    return lines


def manifest_lines(manifest: RunManifest) -> list[str]:
    """Work and cost of a finished run."""
    selected = f"{manifest.n_variants_selected:,} of {manifest.n_variants_in_file:,} in the file"
    rate = f"{manifest.variants_per_second:,.0f} variants/s"
    memory = f"peak memory {manifest.peak_memory_bytes / 1e6:,.0f} MB"
    device = f"{manifest.device_kind}, {manifest.threads} threads, JAX {manifest.jax_version}"
    lines = [
        f"variants  {selected}",
        f"time      {manifest.wall_seconds:.2f} s, scan {manifest.scan_seconds:.2f} s ({rate}), {memory}",
        f"device    {device}",
    ]
    if manifest.resumed_from_variant is not None:
        lines.append(f"resumed   from variant {manifest.resumed_from_variant:,}; times are of the last process alone")
    return lines


def sample_lines(report: JoinReport) -> list[str]:
    """How samples were joined, but for the traits, which have lines of their own."""
    own = {trait.line() for trait in report.traits}
    return [line for line in report.lines() if line not in own]


def trait_lines(trait: TraitState, sample_counts: str | None, n_strongest: int) -> list[str]:
    """One trait: status, samples, counts, files, strongest rows."""
    status = "so far" if trait.status is None else str(trait.status)
    lines = [f"trait {trait.name}: {status}" + (f": {trait.reason}" if trait.reason is not None else "")]
    if sample_counts is not None:
        lines += indented([sample_counts.removeprefix(f"trait {trait.name}: ")])
    lines += indented([trait.counts.line()])
    if trait.parts:
        n_bytes = sum(path.stat().st_size for path in trait.parts if path.exists())
        lines += indented([f"{len(trait.parts):,} Parquet parts in {trait.parts[0].parent}, {n_bytes:,} bytes"])
    lines += indented(
        f"{path}, {path.stat().st_size:,} bytes" if path.exists() else f"{path}: gone" for path in trait.other_files
    )
    if trait.parts and n_strongest:
        lines += indented(indented(strongest_lines(trait, n_strongest)))
    return lines


def strongest_lines(trait: TraitState, count: int) -> list[str]:
    """A table of the strongest rows, numbers as in the REGENIE text."""
    rows = read_strongest_rows(trait.parts, count, STRONGEST_COLUMNS)
    if not rows:
        return ["no row has a test"]
    cells = [STRONGEST_COLUMNS, *(tuple(shown(row[name]) for name in STRONGEST_COLUMNS) for row in rows)]
    return aligned(cells)


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of a table with columns of one width."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def shown(value: object) -> str:
    """A value of a row."""
    if value is None:
        return "NA"
    return _native.format_g6(value) if isinstance(value, float) else str(value)


def indented(lines: Iterable[str]) -> list[str]:
    """Lines moved to the right."""
    return [f"  {line}" for line in lines]
