"""Files that a run writes once, before its parts and after them.

Belongs here: identity and join report at the start; finalised files, null models and timings at the end. Does not
belong here: parts and texts (result_sink.py), or the manifest, which comes last (run.py).
"""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

import numpy as np

from g_core.config.choices import StageTiming, TelemetryMode
from g_core.engine.identity import IDENTITY_NAME, identify
from g_core.engine.profile import DecodeTally, summarise_profile
from g_core.results.finalise import finalise_trait
from g_core.telemetry.log_file import write_record
from g_core.telemetry.profile_summary import PROFILE_SUMMARY_NAME
from g_core.telemetry.stage_timings import STAGE_TIMINGS_NAME

if TYPE_CHECKING:
    from g_core.config.run_plan import RunPlan
    from g_core.engine.manifest import RunManifest
    from g_core.engine.prepare import PreparedRun
    from g_core.engine.result_sink import ResultSink
    from g_core.engine.run_directory import RunDirectory
    from g_core.engine.scan import GroupTest
    from g_core.engine.stages import StageClock


def write_identity(plan: RunPlan, prepared: PreparedRun, directory: RunDirectory) -> None:
    """Write what the run is before it starts: identity, effective configuration, join report."""
    identity = identify(plan, prepared.analysis)
    directory.write_text(IDENTITY_NAME, identity.model_dump_json(indent=2) + "\n")
    directory.write_text("effective_config.toml", plan.effective_config)
    report = dataclasses.asdict(prepared.analysis.join_report)
    directory.write_text("join_report.json", json.dumps(report, indent=2) + "\n")


def finalise_traits(plan: RunPlan, prepared: PreparedRun, sink: ResultSink, directory: RunDirectory) -> dict[str, str]:
    """Write each trait's one sorted Parquet file, where --finalize asks for it; paths relative to the directory."""
    if not plan.output.finalize:
        return {}
    written: dict[str, str] = {}
    for trait in prepared.trait_names:
        target = directory.finalised_path(trait)
        target.parent.mkdir(exist_ok=True)
        parts = [directory.path / line.parquet.path for line in sink.traits[trait].lines if line.parquet is not None]
        finalise_trait(
            parts,
            target,
            staged=directory.staged_finalised_path(trait),
            trait=trait,
            compression=plan.output.compression,
            threads=plan.compute.threads,
        )
        written[trait] = str(target.relative_to(directory.path))
    return written


def write_null_firth(prepared: PreparedRun, tests: list[GroupTest], directory: RunDirectory) -> None:
    """Write null Firth coefficients, where that was asked for, of every chromosome: a resumed run fitted only some."""
    if prepared.null_firth.writer is None:
        return
    for code in np.unique(prepared.selection.chromosome_codes).tolist():
        for test in tests:
            test.fit(code)
    prepared.null_firth.write(directory)


def write_timings(
    plan: RunPlan, manifest: RunManifest, decoded: DecodeTally, directory: RunDirectory, clock: StageClock
) -> None:
    """Write where the time went, as --stage-timing and --telemetry ask."""
    timings = clock.timings()
    if timings is None:
        return
    if plan.diagnostics.stage_timing is not StageTiming.OFF:
        write_record(directory.logs / STAGE_TIMINGS_NAME, timings)
    if plan.diagnostics.telemetry is TelemetryMode.PROFILE:
        write_record(
            directory.logs / PROFILE_SUMMARY_NAME, summarise_profile(plan.diagnostics, manifest, timings, decoded)
        )
