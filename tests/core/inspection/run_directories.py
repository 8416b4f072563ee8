"""Made-up run directories, finished or not, whose Parquet parts are real."""

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from g_core.engine.identity import IDENTITY_NAME, InputFile, RunIdentity
from g_core.engine.journal import CommittedFile, Journal, PartCounts, PartLine
from g_core.engine.manifest import MANIFEST_NAME, CompileRecord, PartRecord, RunManifest, RunStatus, TraitRecord
from g_core.engine.run_directory import file_name_of
from g_core.inputs.join_report import DropCount, DropReason, FileCounts, JoinReport, TraitCounts
from tests.core.results.result_rows import write_parts


def make_run(directory: Path, traits: Sequence[str]) -> None:
    """What a run writes before its first part: identity and join report."""
    directory.mkdir()
    file = InputFile(option="--bgen", path="study.bgen", bytes=123_456, modified_ns=None, sha256="0" * 64)
    identity = RunIdentity(
        schema_name="g_run",
        schema_version=2,
        plan_fingerprint="f" * 64,
        engine_version="0.1.0",
        native_build={"version": "0.1.0"},
        inputs=(file,),
    )
    (directory / IDENTITY_NAME).write_text(identity.model_dump_json())
    drops = (DropCount(reason=DropReason.PHENOTYPE_MISSING, n_samples=7),)
    report = JoinReport(
        n_genotyped=510,
        n_kept=507,
        n_sample_sets=1,
        files=(FileCounts(role="phenotypes", path="pheno.txt", n_rows=520, n_in_genotypes=507),),
        traits=tuple(TraitCounts(name=name, n_analysed=500, n_cases=None, n_imputed=0, drops=drops) for name in traits),
        failed_traits=(),
        covariates=("age",),
        notes=(),
    )
    (directory / "join_report.json").write_text(json.dumps(dataclasses.asdict(report)))


def commit_parts(directory: Path, trait: str, tables: Sequence[pa.Table]) -> list[PartLine]:
    """Write a trait's parts and their journal lines."""
    lines = list[PartLine]()
    variant = 0
    journal = Journal(directory)
    for number, part in enumerate(write_parts(directory / file_name_of(trait), tables)):
        path = str(Path(part.path).relative_to(directory))
        line = PartLine(
            kind="part",
            trait=trait,
            part=number,
            first_variant=variant,
            stop_variant=variant + part.rows + 1,
            chromosome_code=22,
            counts=PartCounts(
                rows=part.rows,
                rows_failed=part.rows // 100,
                rows_corrected=2,
                below_minimum_mac=1,
                below_minimum_info=0,
                below_minimum_homozygotes=0,
                lost_null_model=False,
            ),
            parquet=CommittedFile(path=path, bytes=part.bytes, sha256=part.sha256),
            text=None,
        )
        journal.append([line])
        lines.append(line)
        variant = line.stop_variant
    return lines


def finish_run(directory: Path, traits: dict[str, list[PartLine]], failed: Sequence[str] = ()) -> None:
    """Write the manifest of a run; the journal goes, as the engine's does."""
    records = [trait_record(name, lines) for name, lines in traits.items()]
    records += [trait_record(name, [], failed=True) for name in failed]
    manifest = RunManifest(
        schema_name="g_run_manifest",
        schema_version=1,
        status=RunStatus.PARTIAL if failed else RunStatus.COMPLETE,
        plan_fingerprint="f" * 64,
        engine_version="0.1.0",
        native_build={"version": "0.1.0"},
        jax_version="0.10.2",
        trait_type="quantitative",
        device="cpu",
        device_kind="cpu",
        xla_flags="",
        threads=2,
        tile_rows=64,
        chunk_variants=64,
        n_samples_genotyped=510,
        n_variants_in_file=4000,
        n_variants_selected=2500,
        wall_seconds=12.5,
        scan_seconds=10.0,
        variants_per_second=250.0,
        stage_seconds={},
        peak_memory_bytes=512_000_000,
        compile=CompileRecord(
            cache_directory=None,
            cache_was_filled=False,
            n_compiled=0,
            n_cache_hits=0,
            n_cache_misses=0,
            compile_seconds=0.0,
            programs={},
        ),
        resumed_from_variant=None,
        warnings=("the phenotype file has rows without genotypes",),
        notes=(),
        traits=tuple(records),
    )
    (directory / MANIFEST_NAME).write_text(manifest.model_dump_json())
    (directory / "journal.jsonl").unlink(missing_ok=True)


def trait_record(name: str, lines: Sequence[PartLine], *, failed: bool = False) -> TraitRecord:
    """The manifest's record of a trait."""
    parts = [
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
    ]
    return TraitRecord(
        name=name,
        folder=None if failed else file_name_of(name),
        status=RunStatus.FAILED if failed else RunStatus.COMPLETE,
        reason="has only the value 1" if failed else None,
        n_samples=0 if failed else 500,
        n_cases=None,
        n_controls=None,
        rows=sum(line.counts.rows for line in lines),
        rows_failed=sum(line.counts.rows_failed for line in lines),
        rows_below_minimum_mac=sum(line.counts.below_minimum_mac for line in lines),
        rows_below_minimum_info=0,
        rows_below_minimum_homozygotes=0,
        rows_corrected=sum(line.counts.rows_corrected for line in lines),
        parts=tuple(parts),
        regenie_text=None if failed else f"out_{file_name_of(name)}.regenie",
        finalised=None,
        sample_list=None,
    )
