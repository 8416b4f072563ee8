"""Builds the manifest of a finished run from what its rooms counted.

Belongs here: gathering. Does not belong here: the record's shape (manifest.py) or its writing (run.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

import numpy as np

from g_core import _native
from g_core.config.choices import TraitType
from g_core.engine.manifest import CompileRecord, PartRecord, RunManifest, RunStatus, TraitRecord
from g_core.engine.peak_memory import peak_memory_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from g_core.config.run_plan import RunPlan
    from g_core.engine.device import Runtime
    from g_core.engine.journal import PartLine
    from g_core.engine.result_sink import ResultSink
    from g_core.engine.stages import StageClock
    from g_core.inputs.analysis_set import AnalysisSet, Trait
    from g_core.inputs.join_report import FailedTrait


@dataclass(frozen=True, slots=True)
class TraitFiles:
    """Names of a trait's files besides its parts; None where one was not asked for."""

    text: str | None
    finalised: str | None
    sample_list: str | None


@dataclass(frozen=True, slots=True)
class TraitTotals:
    """Sums over a trait's committed parts, of this process and of those before it."""

    rows: int
    rows_failed: int
    rows_corrected: int
    below_minimum_mac: int
    below_minimum_info: int
    below_minimum_homozygotes: int
    chromosomes_without_model: tuple[int, ...]


def build_manifest(
    *,
    plan: RunPlan,
    reader: _native.BgenReader,
    analysis: AnalysisSet,
    n_selected: int,
    resumed_from_variant: int | None,
    runtime: Runtime,
    tile_rows: int,
    fingerprint: str,
    sink: ResultSink,
    files: Mapping[str, TraitFiles],
    scan_seconds: float,
    notes: tuple[str, ...],
    clock: StageClock,
    compiled: CompileRecord,
) -> RunManifest:
    """Gather the whole run."""
    analysed = (
        trait_record(plan, trait, sink=sink, files=files[trait.name])
        for group in analysis.groups
        for trait in group.traits
    )
    traits = (*analysed, *(failed_record(failed) for failed in analysis.failed_traits))
    wall_seconds = clock.elapsed_seconds
    complete = all(trait.status is RunStatus.COMPLETE for trait in traits)
    n_scanned = n_selected - (resumed_from_variant or 0)
    return RunManifest(
        schema_name="g_run_manifest",
        schema_version=1,
        status=RunStatus.COMPLETE if complete else RunStatus.PARTIAL,
        plan_fingerprint=fingerprint,
        engine_version=_native.build_info()["version"],
        native_build=_native.build_info(),
        jax_version=version("jax"),
        trait_type=str(plan.trait.type),
        device=str(plan.compute.device),
        device_kind=runtime.device_kind,
        xla_flags=runtime.xla_flags,
        threads=plan.compute.threads,
        tile_rows=tile_rows,
        chunk_variants=plan.compute.chunk_variants or tile_rows,
        n_samples_genotyped=analysis.n_genotyped,
        n_variants_in_file=reader.n_variants,
        n_variants_selected=n_selected,
        wall_seconds=wall_seconds,
        scan_seconds=scan_seconds,
        variants_per_second=n_scanned / scan_seconds if scan_seconds > 0 else 0.0,
        stage_seconds=clock.summary(),
        peak_memory_bytes=peak_memory_bytes(),
        compile=compiled,
        resumed_from_variant=resumed_from_variant,
        warnings=plan.warnings,
        notes=notes,
        traits=traits,
    )


def trait_record(plan: RunPlan, trait: Trait, *, sink: ResultSink, files: TraitFiles) -> TraitRecord:
    """Gather one trait."""
    lines = sink.traits[trait.name].lines
    totals = sum_parts(lines)
    n_samples = int(np.count_nonzero(trait.present))
    n_cases = int(np.count_nonzero(trait.values[trait.present])) if plan.trait.type is TraitType.BINARY else None
    reason = reason_incomplete(totals)
    return TraitRecord(
        name=trait.name,
        folder=sink.directory.trait_folder(trait.name).name,
        status=RunStatus.COMPLETE if reason is None else RunStatus.PARTIAL,
        reason=reason,
        n_samples=n_samples,
        n_cases=n_cases,
        n_controls=None if n_cases is None else n_samples - n_cases,
        rows=totals.rows,
        rows_failed=totals.rows_failed,
        rows_below_minimum_mac=totals.below_minimum_mac,
        rows_below_minimum_info=totals.below_minimum_info,
        rows_below_minimum_homozygotes=totals.below_minimum_homozygotes,
        rows_corrected=totals.rows_corrected,
        parts=part_records(lines),
        regenie_text=files.text,
        finalised=files.finalised,
        sample_list=files.sample_list,
    )


def sum_parts(lines: Sequence[PartLine]) -> TraitTotals:
    """Sums over a trait's parts."""
    counts = [line.counts for line in lines]
    return TraitTotals(
        rows=sum(each.rows for each in counts),
        rows_failed=sum(each.rows_failed for each in counts),
        rows_corrected=sum(each.rows_corrected for each in counts),
        below_minimum_mac=sum(each.below_minimum_mac for each in counts),
        below_minimum_info=sum(each.below_minimum_info for each in counts),
        below_minimum_homozygotes=sum(each.below_minimum_homozygotes for each in counts),
        chromosomes_without_model=tuple(
            sorted({line.chromosome_code for line in lines if line.counts.lost_null_model})
        ),
    )


def part_records(lines: Sequence[PartLine]) -> tuple[PartRecord, ...]:
    """The manifest's record of each Parquet part."""
    return tuple(
        PartRecord(
            path=line.parquet.path,
            rows=line.counts.rows,
            bytes=line.parquet.bytes,
            sha256=line.parquet.sha256,
            first_variant=line.first_variant,
            stop_variant=line.stop_variant,
            chromosome_code=line.chromosome_code,
        )
        for line in lines
        if line.parquet is not None
    )


def reason_incomplete(totals: TraitTotals) -> str | None:
    """Why a trait is not complete, or None where it is.

    A trait without a single test is not: an empty result must not pass for success. Nor is one that lost a chromosome.
    """
    if totals.rows == 0:
        return (
            "no variant is left to test: "
            f"{totals.below_minimum_mac} below --minMAC, {totals.below_minimum_info} below --minINFO, "
            f"{totals.below_minimum_homozygotes} below --minHOMs"
        )
    if totals.chromosomes_without_model:
        codes = ", ".join(map(str, totals.chromosomes_without_model))
        return f"its null model failed on chromosome {codes}; rows there have REASON null_model_failed"
    if totals.rows_failed == totals.rows:
        return "none of its rows has a test; the column REASON says why"
    return None


def failed_record(failed: FailedTrait) -> TraitRecord:
    """A trait that was known to fail before work started: no rows, and the reason."""
    return TraitRecord(
        name=failed.name,
        folder=None,
        status=RunStatus.FAILED,
        reason=failed.reason,
        n_samples=0,
        n_cases=None,
        n_controls=None,
        rows=0,
        rows_failed=0,
        rows_below_minimum_mac=0,
        rows_below_minimum_info=0,
        rows_below_minimum_homozygotes=0,
        rows_corrected=0,
        parts=(),
        regenie_text=None,
        finalised=None,
        sample_list=None,
    )
