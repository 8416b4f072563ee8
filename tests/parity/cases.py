"""Made cases and runs for the tests of the parity tool."""

import json
from pathlib import Path

import polars as pl

from g_assets.parity.cases import Expectation, GoldenCase
from g_assets.parity.run import CaseRun

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
    records = [trait_record(name, status="failed", parts=(), regenie_text=None) for name in failed]
    for name, rows in traits.items():
        part = run.run_directory / name / "part-00000.parquet"
        part.parent.mkdir(parents=True, exist_ok=True)
        frame = pl.DataFrame(rows, schema=[*KEYS, "CORRECTION", "STATUS"], orient="row")
        frame.with_columns(pl.col("CORRECTION", "STATUS").cast(pl.Categorical)).write_parquet(part)
        parts = ({"path": f"{name}/{part.name}", "rows": len(rows)},)
        records.append(trait_record(name, status="complete", parts=parts, regenie_text=f"out_{name}.regenie"))
    run.run_directory.mkdir(parents=True, exist_ok=True)
    manifest = {"schema_name": "g_run_manifest", "schema_version": 1, "traits": records}
    (run.run_directory / "manifest.json").write_text(json.dumps(manifest))
    return run


def trait_record(name, **fields):
    return {"name": name, "rows": 0, **fields}
