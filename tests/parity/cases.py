"""Made cases and runs for the tests of the parity tool."""

from pathlib import Path

import polars as pl

from g_assets.parity.cases import Expectation, GoldenCase
from g_assets.parity.run import CaseRun
from g_core.engine.manifest import CompileRecord, PartRecord, RunManifest, RunStatus, TraitRecord

ARGUMENTS = ("--step", "2", "--bgen", "inputs/a.bgen", "--phenoFile", "inputs/p.txt", "--out", "step2/made/out", "--qt")
KEYS = ("CHROM_CODE", "GENPOS", "ID", "ALLELE0", "ALLELE1")


def golden_case(*words, error=None, trait_type="qt", genotype_format="bgen", outputs=("step2/made/out_Y1.regenie",)):
    """A case of these arguments beside the usual ones; one that REGENIE refused where it has an error."""
    return GoldenCase(
        id="made",
        trait_type=trait_type,
        expect=Expectation.OK if error is None else Expectation.ERROR,
        genotype_format=genotype_format,
        argv=(*ARGUMENTS, *words),
        inputs=("inputs/a.bgen", "inputs/p.txt"),
        outputs=outputs if error is None else (),
        error=error,
    )


def run_of(folder: Path, *, exit_code=0, standard_error=""):
    return CaseRun(exit_code=exit_code, standard_error=standard_error, wall_seconds=0.5, prefix=folder / "out")


def write_run(folder: Path, traits, *, failed=()):
    """A run directory: ``traits`` maps a name to its rows of (key fields, CORRECTION, STATUS), one part a trait."""
    run = run_of(folder)
    records = [failed_record(name) for name in failed]
    for name, rows in traits.items():
        part = run.run_directory / name / "part-00000.parquet"
        part.parent.mkdir(parents=True, exist_ok=True)
        frame = pl.DataFrame(rows, schema=[*KEYS, "CORRECTION", "STATUS"], orient="row")
        frame.with_columns(pl.col("CORRECTION", "STATUS").cast(pl.Categorical)).write_parquet(part)
        records.append(complete_record(name, part=f"{name}/{part.name}", rows=len(rows)))
    manifest = RunManifest(
        schema_name="g_run_manifest",
        schema_version=1,
        status=RunStatus.PARTIAL if failed else RunStatus.COMPLETE,
        plan_fingerprint="",
        engine_version="",
        native_build={},
        jax_version="",
        trait_type="qt",
        device="cpu",
        device_kind="cpu",
        threads=1,
        tile_rows=1,
        chunk_variants=1,
        n_samples_genotyped=1,
        n_variants_in_file=1,
        n_variants_selected=1,
        wall_seconds=0.0,
        scan_seconds=0.0,
        variants_per_second=0.0,
        stage_seconds={},
        peak_memory_bytes=0,
        compile=CompileRecord(
            cache_directory=None, n_compiled=0, n_cache_hits=0, n_cache_misses=0, compile_seconds=0.0
        ),
        warnings=(),
        traits=tuple(records),
    )
    run.run_directory.mkdir(parents=True, exist_ok=True)
    (run.run_directory / "manifest.json").write_text(manifest.model_dump_json())
    return run


def complete_record(name, *, part, rows):
    record = PartRecord(path=part, rows=rows, bytes=0, sha256="", first_variant=0, stop_variant=rows)
    return trait_record(name, status=RunStatus.COMPLETE, parts=(record,), regenie_text=f"out_{name}.regenie")


def failed_record(name):
    return trait_record(name, status=RunStatus.FAILED, parts=(), regenie_text=None)


def trait_record(name, *, status, parts, regenie_text):
    known = {
        "name": name,
        "folder": name,
        "status": status,
        "reason": None,
        "n_samples": 1,
        "n_cases": None,
        "n_controls": None,
        "parts": parts,
        "regenie_text": regenie_text,
        "sample_list": None,
    }
    counts = {field: 0 for field in TraitRecord.model_fields if field.startswith("rows")}
    return TraitRecord.model_validate(known | counts)
