"""One run from plan to manifest: open, join, start the device, scan, commit.

Belongs here: the order of these steps, and what an interrupted or failed run leaves behind: committed parts and the
journal that names them, or nothing. Does not belong here: any of the steps themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from threadpoolctl import threadpool_limits

from g_core.config.choices import Coding, TelemetryMode
from g_core.engine.chunks import auto_chunks_per_part, plan_blocks, plan_chunks, tile_rows
from g_core.engine.decode import decode_stream
from g_core.engine.identity import plan_fingerprint, refuse_other_run
from g_core.engine.interruption import InterruptedRunError, Interruption
from g_core.engine.journal import JOURNAL_NAME
from g_core.engine.manifest import MANIFEST_NAME, RunManifest, RunStatus, read_manifest
from g_core.engine.prepare import PreparedRun, prepare
from g_core.engine.profile import DecodeTally, jax_profiles
from g_core.engine.progress import ProgressLine
from g_core.engine.result_sink import ResultSink
from g_core.engine.resume import FROM_THE_START, Resumption, check_finished, command_to_go_on, take_up
from g_core.engine.run_directory import RunDirectory
from g_core.engine.run_events import end_events, plan_made, preflight, run_failed, run_started, variants_by_chromosome
from g_core.engine.run_files import finalise_traits, write_identity, write_null_firth, write_timings
from g_core.engine.run_lock import OWNER_NAME, RunLock
from g_core.engine.sample_lists import write_sample_lists
from g_core.engine.sample_sets import plan_sample_sets
from g_core.engine.scan_watch import ScanWatch
from g_core.engine.stages import Stage, StageClock, make_stage_clock
from g_core.engine.summary import TraitFiles, build_manifest
from g_core.engine.trait_sink import SinkOptions
from g_core.errors import OutputError, UsageError
from g_core.results.batch import variant_columns
from g_core.results.schema import GeneticModel
from g_core.telemetry.telemetry import Telemetry, open_telemetry

if TYPE_CHECKING:
    from g_core.config.run_plan import RunPlan

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
        told.append(manifest.compile.describe())
        told.append(f"results: {self.run_directory}")
        return told

    def failures(self) -> list[str]:
        """A line for each trait that is not complete."""
        return [
            f"trait {trait.name}: {trait.reason}"
            for trait in self.manifest.traits
            if trait.status is not RunStatus.COMPLETE
        ]


def run_association(plan: RunPlan, announce: Announce, *, startup_seconds: float) -> RunResult:
    """Run the scan that a plan describes, or go on with it.

    Args:
        plan: What to run.
        announce: Takes lines for the person at the terminal, as they become known.
        startup_seconds: What the process spent for this run before the call; 0 where it does other things too.

    Raises:
        GError: Something stopped the work. What was committed before stays, with a journal, and can be gone on with.
        InterruptedRunError: A signal did; the same holds.
    """
    if plan.diagnostics.dry_run:
        raise UsageError("a plan with --dry-run is not run; the command `g regenie --dry-run` tells what it would do")
    clock = make_stage_clock(plan.diagnostics, startup_seconds=startup_seconds)
    for warning in plan.warnings:
        announce(f"warning: {warning}")
    directory = RunDirectory(plan.output.prefix)
    finished = find_finished(plan, directory)
    if finished is not None:
        announce(f"note: {directory.path} is finished; nothing is left to do")
        return RunResult(directory.path, finished)
    refuse_occupied(plan, directory)
    prepared = prepare(plan, clock)
    for line in prepared.analysis.join_report.lines():
        announce(line)
    for note in prepared.selection.notes:
        announce(f"note: {note}")
    directory.create()
    with RunLock(directory.path):
        manifest = run_in(directory, plan, prepared, clock, announce)
    for note in manifest.notes:
        announce(f"note: {note}")
    return RunResult(directory.path, manifest)


def find_finished(plan: RunPlan, directory: RunDirectory) -> RunManifest | None:
    """The manifest of a finished run that --resume finds; no device and no other input is looked at.

    Raises:
        GError: It is another run, or its files are not what was committed.
    """
    if not plan.output.resume or not (directory.path / MANIFEST_NAME).exists():
        return None
    refuse_other_run(directory.path, plan)
    manifest = read_manifest(directory.path)
    check_finished(directory, manifest, plan.output.resume_mode)
    tidy_finished(directory)
    return manifest


def tidy_finished(directory: RunDirectory) -> None:
    """Remove what a process left that was killed after it wrote the manifest, and before it had tidied up."""
    leftovers = (directory.path / JOURNAL_NAME, directory.staging, directory.segments, directory.path / OWNER_NAME)
    if any(path.exists() for path in leftovers):
        with RunLock(directory.path):
            directory.close_staging()
            (directory.path / JOURNAL_NAME).unlink(missing_ok=True)


def refuse_occupied(plan: RunPlan, directory: RunDirectory) -> None:
    """Refuse a directory that holds something, unless it is to be resumed; then refuse another run.

    Raises:
        GError: The directory cannot be used; whoever writes to it is named.
    """
    if not directory.is_occupied():
        return
    RunLock(directory.path).remove_if_gone()
    if not plan.output.resume:
        raise occupied_error(directory)
    # A process that died before its first part left nothing to go on with, and perhaps not all of its identity.
    if (directory.path / JOURNAL_NAME).exists():
        refuse_other_run(directory.path, plan)


def occupied_error(directory: RunDirectory) -> OutputError:
    """A directory holds something and is not to be resumed."""
    return OutputError(
        f"{directory.path}: already holds a run; choose another --out, remove it when it is not needed, or go on with "
        "it with --resume"
    )


def run_in(
    directory: RunDirectory, plan: RunPlan, prepared: PreparedRun, clock: StageClock, announce: Announce
) -> RunManifest:
    """Scan into a directory that this process owns.

    Raises:
        GError: Something stopped the work.
    """
    occupied = directory.is_occupied()
    if occupied and not plan.output.resume:
        raise occupied_error(directory)
    directory.create_rooms(prepared.trait_names)
    resumption = take_up(directory, plan.output, prepared.trait_names) if occupied else FROM_THE_START
    if resumption.first_variant:
        n_selected = len(prepared.selection.indices)
        announce(f"note: going on after {resumption.first_variant:,} of {n_selected:,} variants")
    started = run_started(plan_fingerprint(plan), resumed=resumption.first_variant > 0)
    telemetry = open_telemetry(plan.diagnostics.telemetry, directory.logs, started, announce)
    telemetry.record(plan_made(plan))
    try:
        # Host products over samples would otherwise be summed in another order with another number of BLAS threads.
        with threadpool_limits(limits=1, user_api="blas"):
            manifest = scan_and_commit(plan, prepared, directory, resumption, telemetry, clock)
        for event in end_events(plan, manifest, directory):
            telemetry.record(event)
        telemetry.close()
    except BaseException as error:
        telemetry.record(run_failed(error))
        telemetry.close()
        if not any((directory.path / name).exists() for name in (JOURNAL_NAME, MANIFEST_NAME)):
            directory.discard()
        elif not isinstance(error, InterruptedRunError):
            announce(f"note: what was committed is kept; go on with: {command_to_go_on(directory)}")
        raise
    return manifest


def scan_and_commit(
    plan: RunPlan,
    prepared: PreparedRun,
    directory: RunDirectory,
    resumption: Resumption,
    telemetry: Telemetry,
    clock: StageClock,
) -> RunManifest:
    """Start the device, scan all chunks, and give every file its final name; the manifest comes last."""
    analysis, selection = prepared.analysis, prepared.selection
    rows = tile_rows(analysis.n_kept, plan.compute.device, plan.trait.type)
    chunk_variants = plan.compute.chunk_variants or rows
    spans = plan_chunks(
        selection.chromosome_codes,
        prepared.haploid_males,
        chunk_variants,
        first_variant=resumption.first_variant,
    )
    fingerprint = plan_fingerprint(plan)
    sample_sets = plan_sample_sets(plan, analysis)
    # Decoding and the digests of the inputs need no Python, so they go on while JAX takes a second to import.
    stream = DecodeTally(
        decode_stream(
            plan,
            prepared.reader,
            sample_sets,
            spans,
            selected_variants=selection.indices,
            haploid_males=prepared.haploid_males,
            tile_rows=rows,
        )
    )
    with ThreadPoolExecutor(max_workers=1) as pool:
        identity_written = pool.submit(write_identity, plan, prepared, directory)
        with clock.stage(Stage.JAX_RUNTIME):
            # Only now: whoever mistyped a path should not wait for it.
            from g_core.engine.compile_record import PROCESS_COUNTER
            from g_core.engine.device import start_runtime
            from g_core.engine.group_tests import make_group_tests
            from g_core.engine.scan import scan

            compiled_before = PROCESS_COUNTER.snapshot()
            runtime = start_runtime(
                device=plan.compute.device,
                threads=plan.compute.threads,
                persistent_cache=plan.compute.jax_persistent_cache,
                cache_directory=plan.compute.jax_cache_dir,
            )
        identity_written.result()
    if plan.diagnostics.telemetry is not TelemetryMode.OFF:
        telemetry.record(preflight(plan, prepared, spans))
    variants = variant_columns(
        selection.columns, selection.chromosome_codes, reference_first=plan.input.reference_first
    )
    tests = make_group_tests(
        plan,
        analysis,
        sample_sets,
        prepared.haploid_males,
        prepared.null_firth,
        tile_rows=rows,
        device=runtime.device,
        clock=clock,
    )
    sink = ResultSink(directory, prepared.trait_names, variants, sink_options(plan, fingerprint), resumption.parts)
    progress = ProgressLine(len(selection.indices) - resumption.first_variant)
    telemetry.scan_started(variants_by_chromosome(spans))
    scan_start_seconds = clock.elapsed_seconds
    with Interruption() as interruption, jax_profiles(plan.diagnostics):
        try:
            stopped_at = scan(
                blocks=plan_blocks(spans, plan.output.chunks_per_part or auto_chunks_per_part(chunk_variants)),
                stream=stream,
                tests=tests,
                sink=sink,
                clock=clock,
                watch=ScanWatch(progress, telemetry),
                is_stopped=lambda: interruption.received is not None,
            )
        finally:
            progress.close()
        with clock.stage(Stage.FINALISE):
            sink.close()
        # A row that still waits for a writer is no result yet.
        scan_seconds = clock.elapsed_seconds - scan_start_seconds
        if interruption.received is not None and spans and stopped_at < spans[-1].stop:
            raise interrupted(directory, interruption.received, stopped_at, len(selection.indices))
    with clock.stage(Stage.FINALISE):
        write_null_firth(prepared, tests, directory)
        finalised = finalise_traits(plan, prepared, sink, directory)
        texts = sink.finish_texts()
        sample_lists = write_sample_lists(plan.output, analysis, directory)
    manifest = build_manifest(
        plan=plan,
        reader=prepared.reader,
        analysis=analysis,
        n_selected=len(selection.indices),
        resumed_from_variant=resumption.first_variant or None,
        runtime=runtime,
        tile_rows=rows,
        fingerprint=fingerprint,
        sink=sink,
        files={
            name: TraitFiles(text=texts[name], finalised=finalised.get(name), sample_list=sample_lists.get(name))
            for name in prepared.trait_names
        },
        scan_seconds=scan_seconds,
        notes=(*(note for test in tests for note in test.notes), *prepared.null_firth.notes),
        clock=clock,
        compiled=PROCESS_COUNTER.record_since(
            compiled_before, cache=runtime.cache_directory, cache_was_filled=runtime.cache_was_filled
        ),
    )
    write_timings(plan, manifest, stream, directory, clock)
    directory.write_text(MANIFEST_NAME, manifest.model_dump_json(indent=2) + "\n")
    directory.close_staging()
    (directory.path / JOURNAL_NAME).unlink(missing_ok=True)
    return manifest


def interrupted(directory: RunDirectory, signal_number: int, stopped_at: int, n_selected: int) -> InterruptedRunError:
    """What a run that a signal ended says."""
    saved = f"{stopped_at:,} of {n_selected:,} variants are saved"
    if not (directory.path / JOURNAL_NAME).exists():
        return InterruptedRunError("interrupted before anything was computed; nothing is kept", signal_number)
    return InterruptedRunError(f"interrupted: {saved}; resume with: {command_to_go_on(directory)}", signal_number)


def sink_options(plan: RunPlan, fingerprint: str) -> SinkOptions:
    """How this plan's results are written."""
    return SinkOptions(
        formats=plan.output.formats,
        gzip=plan.output.gzip,
        one_table=plan.output.one_table,
        case_control_text=plan.output.case_control_frequencies,
        writer_threads=plan.output.writer_threads,
        writer_queue_depth=plan.output.writer_queue_depth,
        compression=plan.output.compression,
        test=GENETIC_MODELS[plan.test.coding],
        plan_fingerprint=fingerprint,
    )
