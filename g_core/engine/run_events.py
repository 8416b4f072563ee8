"""What a run's events say, taken from what the engine knows.

Belongs here: from plan, inputs and manifest to events. Does not belong here: the events' fields and their writing
(g_core/telemetry).
"""

import os
import platform
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from g_core import _native
from g_core.config.choices import TraitType
from g_core.config.run_plan import RunPlan
from g_core.engine.chunks import COLUMN_MULTIPLE, ChunkSpan, padded, tile_rows
from g_core.engine.estimate import estimate_run
from g_core.engine.manifest import RunManifest, RunStatus
from g_core.engine.prepare import PreparedRun
from g_core.engine.run_directory import RunDirectory
from g_core.errors import GError
from g_core.telemetry.events import (
    BinaryCorrectionSummary,
    Event,
    PlanMade,
    Preflight,
    RunCompleted,
    RunFailed,
    RunStarted,
    TraitSummary,
)

EXIT_UNEXPECTED = 1
EXIT_INTERRUPTED = 130


def run_started(plan_fingerprint: str, *, resumed: bool) -> RunStarted:
    """Who runs what, now."""
    return RunStarted(
        plan_fingerprint=plan_fingerprint,
        engine_version=_native.build_info()["version"],
        started_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        host=platform.node(),
        process_id=os.getpid(),
        job_id=os.environ.get("SLURM_JOB_ID"),
        resumed=resumed,
    )


def plan_made(plan: RunPlan) -> PlanMade:
    """What is to be run."""
    return PlanMade(
        bgen=str(plan.input.bgen),
        output=str(plan.output.prefix),
        trait_type=plan.trait.type.value,
        correction=plan.binary.correction.value,
        coding=plan.test.coding.value,
        sample_mode=plan.samples.mode.value,
        device=plan.compute.device.value,
        threads=plan.compute.threads,
        staging_depth=plan.compute.staging_depth,
    )


def preflight(plan: RunPlan, prepared: PreparedRun, spans: Sequence[ChunkSpan]) -> Preflight:
    """What was found in the inputs, and the chunks that are left to do."""
    analysis = prepared.analysis
    return Preflight(
        n_samples_genotyped=analysis.n_genotyped,
        n_samples_kept=analysis.n_kept,
        n_variants_in_file=prepared.reader.n_variants,
        n_variants_selected=len(prepared.selection.indices),
        n_variants_left=sum(span.n_variants for span in spans),
        n_traits=len(prepared.trait_names),
        n_traits_failed=len(analysis.failed_traits),
        n_chunks=len(spans),
        tile_rows=tile_rows(analysis.n_kept, plan.compute.device, plan.trait.type),
        tile_columns=tuple(padded(len(group.sample_indices), COLUMN_MULTIPLE) for group in analysis.groups),
        memory_estimate_bytes=estimate_run(plan, prepared).memory.total_bytes,
    )


def variants_by_chromosome(spans: Sequence[ChunkSpan]) -> Mapping[int, int]:
    """How many variants the scan will do on each chromosome."""
    counts: Counter[int] = Counter()
    for span in spans:
        counts[span.chromosome_code] += span.n_variants
    return counts


def end_events(plan: RunPlan, manifest: RunManifest, directory: RunDirectory) -> Iterator[Event]:
    """How each trait ended, and then the run."""
    for trait in manifest.traits:
        if plan.trait.type is TraitType.BINARY and trait.status is not RunStatus.FAILED:
            yield BinaryCorrectionSummary(
                trait=trait.name,
                correction=plan.binary.correction.value,
                rows=trait.rows,
                rows_corrected=trait.rows_corrected,
                rows_failed=trait.rows_failed,
            )
        yield TraitSummary(
            trait=trait.name,
            status=trait.status.value,
            n_samples=trait.n_samples,
            rows=trait.rows,
            rows_failed=trait.rows_failed,
            rows_corrected=trait.rows_corrected,
            rows_below_filters=(
                trait.rows_below_minimum_mac + trait.rows_below_minimum_info + trait.rows_below_minimum_homozygotes
            ),
        )
    yield RunCompleted(
        status=manifest.status.value,
        wall_seconds=manifest.wall_seconds,
        variants_per_second=manifest.variants_per_second,
        peak_memory_bytes=manifest.peak_memory_bytes,
        artifact_paths=tuple(artifact_paths(manifest, directory)),
    )


def artifact_paths(manifest: RunManifest, directory: RunDirectory) -> Iterator[str]:
    """Every file of results: folders of parts, finalised files, texts and lists; each once."""
    named = [
        path
        for trait in manifest.traits
        for path in (
            directory.path / trait.folder if trait.parts and trait.folder is not None else None,
            directory.path / trait.finalised if trait.finalised is not None else None,
            directory.prefix.with_name(trait.regenie_text) if trait.regenie_text is not None else None,
            directory.prefix.with_name(trait.sample_list) if trait.sample_list is not None else None,
        )
        if path is not None
    ]
    yield from dict.fromkeys(map(str, named))


def run_failed(error: BaseException) -> RunFailed:
    """What stopped the run, by kind alone: a message may name a sample."""
    if isinstance(error, GError):
        return RunFailed(error_code=error.code, exit_code=error.exit_code)
    if isinstance(error, KeyboardInterrupt):
        return RunFailed(error_code="interrupted", exit_code=EXIT_INTERRUPTED)
    return RunFailed(error_code=type(error).__name__, exit_code=EXIT_UNEXPECTED)
