"""One run from plan to manifest: open, join, start the device, scan, commit.

Belongs here: the order of these steps and what a failed run leaves behind (nothing). Does not belong here: any of the
steps themselves.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from g_core import _native
from g_core.config.choices import Coding
from g_core.engine.chunks import plan_chunks, tile_rows
from g_core.engine.decode import decode_stream
from g_core.engine.manifest import MANIFEST_NAME, RunManifest, RunStatus
from g_core.engine.moment_sets import plan_moment_sets
from g_core.engine.null_firth_files import NullFirthFiles, open_null_firth_files
from g_core.engine.progress import ProgressLine
from g_core.engine.result_sink import ResultSink, SinkOptions
from g_core.engine.run_directory import RunDirectory
from g_core.engine.sample_lists import write_sample_lists
from g_core.engine.stages import Stage, StageClock
from g_core.engine.summary import build_manifest
from g_core.errors import UsageError
from g_core.inputs.analysis_set import AnalysisSet, load_analysis_set, one_table_problem
from g_core.inputs.variants import VariantSelection, select_variants
from g_core.results.batch import variant_columns
from g_core.results.schema import GeneticModel

if TYPE_CHECKING:
    from g_core.config.run_plan import NonPseudoautosomalRegion, RunPlan

X_CHROMOSOME_CODE = 23
GENETIC_MODELS = {
    Coding.ADDITIVE: GeneticModel.ADDITIVE,
    Coding.DOMINANT: GeneticModel.DOMINANT,
    Coding.RECESSIVE: GeneticModel.RECESSIVE,
}

Announce = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class RunResult:
    """Where a run's results are, and how it ended."""

    run_directory: Path
    manifest: RunManifest

    @property
    def exit_code(self) -> int:
        """What the command returns: 0, or 3 when a trait failed and others did not."""
        return 0 if self.manifest.status is RunStatus.COMPLETE else 3

    def lines(self) -> list[str]:
        """What to tell the person who ran it."""
        manifest = self.manifest
        rate = f"{manifest.variants_per_second:,.0f} variants/s, {manifest.device_kind}"
        cost = f"whole run {manifest.wall_seconds:.2f} s, peak memory {manifest.peak_memory_bytes / 1e6:,.0f} MB"
        told = [f"{manifest.n_variants_selected:,} variants in {manifest.scan_seconds:.2f} s ({rate}), {cost}"]
        for trait in manifest.traits:
            if trait.status is RunStatus.FAILED:
                continue
            left_out = (
                trait.rows_below_minimum_mac + trait.rows_below_minimum_info + trait.rows_below_minimum_homozygotes
            )
            told.append(
                f"trait {trait.name}: {trait.rows:,} rows, {trait.rows_failed:,} without a test, "
                f"{trait.rows_corrected:,} corrected, {left_out:,} variants below --minMAC, --minINFO or --minHOMs"
            )
        told.append(f"results: {self.run_directory}")
        return told

    def failures(self) -> list[str]:
        """A line for each trait that is not complete."""
        return [
            f"trait {trait.name}: {trait.reason}"
            for trait in self.manifest.traits
            if trait.status is not RunStatus.COMPLETE
        ]


@dataclass(frozen=True, slots=True)
class PreparedRun:
    """Everything that is known before the device starts."""

    reader: _native.BgenReader
    analysis: AnalysisSet
    selection: VariantSelection
    haploid_males: npt.NDArray[np.bool_]
    null_firth: NullFirthFiles


def run_association(plan: RunPlan, announce: Announce) -> RunResult:
    """Run the scan that a plan describes.

    Args:
        plan: What to run.
        announce: Takes lines for the person at the terminal, as they become known.

    Raises:
        GError: Something stopped the work; nothing half-written keeps a final name.
    """
    clock = StageClock()
    for warning in plan.warnings:
        announce(f"warning: {warning}")
    prepared = prepare(plan, clock)
    for line in prepared.analysis.join_report.lines():
        announce(line)
    for note in prepared.selection.notes:
        announce(f"note: {note}")
    directory = RunDirectory(plan.output.prefix)
    directory.create(trait_names(prepared.analysis))
    try:
        # Host products over samples would otherwise be summed in another order with another number of BLAS threads.
        with threadpool_limits(limits=1, user_api="blas"):
            manifest = scan_and_commit(plan, prepared, directory, clock)
    except BaseException:
        directory.discard()
        raise
    for note in manifest.notes:
        announce(f"note: {note}")
    return RunResult(directory.path, manifest)


def prepare(plan: RunPlan, clock: StageClock) -> PreparedRun:
    """Open the genotypes and join every other input to them; all that can be wrong with inputs is found here."""
    with clock.stage(Stage.OPEN_AND_INDEX):
        reader = _native.BgenReader(str(plan.input.bgen))
        selection = select_variants(plan.filters, reader)
    with clock.stage(Stage.JOIN):
        codes = np.unique(selection.chromosome_codes).tolist()
        analysis = load_analysis_set(plan, reader, codes)
        problem = one_table_problem(analysis) if plan.output.one_table else None
        if problem is not None:
            raise UsageError(problem)
        null_firth = open_null_firth_files(plan.binary, tuple(trait.name for trait in analysis.join_report.traits))
    males = haploid_males(plan.test.non_pseudoautosomal, selection)
    return PreparedRun(reader, analysis, selection, males, null_firth)


def haploid_males(region: NonPseudoautosomalRegion, selection: VariantSelection) -> npt.NDArray[np.bool_]:
    """Selected variants of which males have one copy: X outside its pseudo-autosomal parts."""
    positions = selection.columns["position"].to_numpy()
    inside = (positions >= region.first_position) & (positions <= region.last_position)
    return (selection.chromosome_codes == X_CHROMOSOME_CODE) & inside


def scan_and_commit(plan: RunPlan, prepared: PreparedRun, directory: RunDirectory, clock: StageClock) -> RunManifest:
    """Start the device, scan all chunks, and give every file its final name; the manifest comes last."""
    # JAX takes a second to import, and whoever mistyped a path should not wait for it.
    from g_core.engine.compile_record import PROCESS_COUNTER
    from g_core.engine.device import start_runtime
    from g_core.engine.group_tests import make_group_tests
    from g_core.engine.scan import scan

    compiled_before = PROCESS_COUNTER.snapshot()
    with clock.stage(Stage.JAX_RUNTIME):
        runtime = start_runtime(
            device=plan.compute.device,
            threads=plan.compute.threads,
            persistent_cache=plan.compute.jax_persistent_cache,
            cache_directory=plan.compute.jax_cache_dir,
        )
    analysis, selection = prepared.analysis, prepared.selection
    rows = tile_rows(analysis.n_kept, plan.compute.device)
    spans = plan_chunks(selection.chromosome_codes, prepared.haploid_males, plan.compute.chunk_variants or rows)
    fingerprint = hashlib.sha256(plan.effective_config.encode()).hexdigest()
    write_identity(plan, prepared, directory, fingerprint)
    variants = variant_columns(
        selection.columns, selection.chromosome_codes, reference_first=plan.input.reference_first
    )
    moment_sets = plan_moment_sets(plan, analysis)
    tests = make_group_tests(
        plan,
        analysis,
        moment_sets,
        prepared.haploid_males,
        prepared.null_firth,
        tile_rows=rows,
        device=runtime.device,
        clock=clock,
    )
    sink = ResultSink(directory, trait_names(analysis), variants, sink_options(plan, fingerprint))
    progress = ProgressLine(len(selection.indices))
    scan_start_seconds = clock.elapsed_seconds
    try:
        scan(
            spans=spans,
            stream=decode_stream(
                plan,
                prepared.reader,
                analysis,
                moment_sets,
                spans,
                selected_variants=selection.indices,
                haploid_males=prepared.haploid_males,
                tile_rows=rows,
            ),
            tests=tests,
            sink=sink,
            clock=clock,
            progress=progress,
        )
    finally:
        progress.close()
    scan_seconds = clock.elapsed_seconds - scan_start_seconds
    with clock.stage(Stage.FINALISE):
        parts = sink.close()
        texts = sink.finish_texts()
        sample_lists = write_sample_lists(plan.output, analysis, directory)
        prepared.null_firth.write(directory)
    manifest = build_manifest(
        plan=plan,
        reader=prepared.reader,
        analysis=analysis,
        n_selected=len(selection.indices),
        runtime=runtime,
        tile_rows=rows,
        fingerprint=fingerprint,
        sink=sink,
        parts=parts,
        texts=texts,
        sample_lists=sample_lists,
        scan_seconds=scan_seconds,
        notes=(*(note for test in tests for note in test.notes), *prepared.null_firth.notes),
        clock=clock,
        compiled=PROCESS_COUNTER.since(compiled_before),
    )
    directory.write_text(MANIFEST_NAME, manifest.model_dump_json(indent=2) + "\n")
    directory.close_staging()
    return manifest


def trait_names(analysis: AnalysisSet) -> tuple[str, ...]:
    """Names of all analysed traits, group by group."""
    return tuple(trait.name for group in analysis.groups for trait in group.traits)


def write_identity(plan: RunPlan, prepared: PreparedRun, directory: RunDirectory, fingerprint: str) -> None:
    """Write what the run is before it starts: identity, effective configuration, join report."""
    identity = {
        "schema_name": "g_run",
        "schema_version": 1,
        "plan_fingerprint": fingerprint,
        "engine_version": _native.build_info()["version"],
        "native_build": _native.build_info(),
        "bgen": prepared.reader.path,
        "bgen_bytes": prepared.reader.file_bytes,
    }
    directory.write_text("run.json", json.dumps(identity, indent=2) + "\n")
    directory.write_text("effective_config.toml", plan.effective_config)
    report = dataclasses.asdict(prepared.analysis.join_report)
    directory.write_text("join_report.json", json.dumps(report, indent=2) + "\n")


def sink_options(plan: RunPlan, fingerprint: str) -> SinkOptions:
    """How this plan's results are written."""
    return SinkOptions(
        formats=plan.output.formats,
        gzip=plan.output.gzip,
        one_table=plan.output.one_table,
        case_control_text=plan.output.case_control_frequencies,
        writer_threads=plan.output.writer_threads,
        writer_queue_depth=plan.output.writer_queue_depth,
        chunks_per_part=plan.output.chunks_per_part,
        compression=plan.output.compression,
        test=GENETIC_MODELS[plan.test.coding],
        plan_fingerprint=fingerprint,
    )
