"""A finished run to copy, and fake commands that copy it or go wrong; no engine is started here."""

import hashlib
import sys
from pathlib import Path

import polars as pl
import pytest

from g_assets.campaigns.model import Case, TraitType
from g_assets.payloads.spec import MeasurementSpec
from g_assets.profiles.models import Device
from g_core.engine.manifest import CompileRecord, PartRecord, RunManifest, RunStatus, TraitRecord

COPY_RESULT = """
import shutil, sys
out = sys.argv[sys.argv.index("--out") + 1]
shutil.copytree({template!r}, out + ".g")
"""


def write_run(directory: Path, *, rows: int = 3, values: tuple[float, ...] = (1.0, 2.0, 3.0)) -> RunManifest:
    """Write a run directory as the engine would leave it, with one trait and one part."""
    part = directory / "trait" / "part-00000.parquet"
    part.parent.mkdir(parents=True)
    table = {"ID": [f"variant{number}" for number in range(rows)], "BETA": list(values[:rows])}
    pl.DataFrame(table, schema={"ID": pl.String, "BETA": pl.Float64}).write_parquet(part)
    content = part.read_bytes()
    record = PartRecord(
        path="trait/part-00000.parquet",
        rows=rows,
        bytes=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        first_variant=0,
        stop_variant=rows,
        chromosome_code=22,
    )
    trait = TraitRecord(
        name="trait",
        folder="trait",
        status=RunStatus.COMPLETE,
        reason=None,
        n_samples=10,
        n_cases=None,
        n_controls=None,
        rows=rows,
        rows_failed=0,
        rows_below_minimum_mac=0,
        rows_below_minimum_info=0,
        rows_below_minimum_homozygotes=0,
        rows_corrected=0,
        parts=(record,),
        regenie_text=None,
        finalised=None,
        sample_list=None,
    )
    manifest = RunManifest(
        schema_name="g_run_manifest",
        schema_version=1,
        status=RunStatus.COMPLETE,
        plan_fingerprint="0" * 64,
        engine_version="0.1.0",
        native_build={"profile": "release"},
        jax_version="0.10.2",
        trait_type="quantitative",
        device="cpu",
        device_kind="cpu",
        xla_flags="",
        threads=1,
        tile_rows=16,
        chunk_variants=16,
        n_samples_genotyped=10,
        n_variants_in_file=3,
        n_variants_selected=3,
        wall_seconds=0.5,
        scan_seconds=0.25,
        variants_per_second=12.0,
        stage_seconds={"decode": 0.1, "kernel": 0.1},
        peak_memory_bytes=1000,
        compile=CompileRecord(
            cache_directory=None,
            cache_was_filled=False,
            n_compiled=2,
            n_cache_hits=0,
            n_cache_misses=2,
            compile_seconds=0.1,
            programs={},
        ),
        resumed_from_variant=None,
        warnings=(),
        notes=(),
        traits=(trait,),
    )
    (directory / "manifest.json").write_text(manifest.model_dump_json(), encoding="utf-8")
    (directory / "effective_config.toml").write_text('[compute]\ndevice = "cpu"\n', encoding="utf-8")
    return manifest


@pytest.fixture
def finished_run(tmp_path):
    """A finished run's directory."""
    write_run(tmp_path / "template.g")
    return tmp_path / "template.g"


@pytest.fixture
def spec_of(tmp_path):
    """Make the spec of a case whose command is a Python text."""

    def make(script: str, *, device: Device = Device.CPU, reuses: str | None = None, **changes) -> MeasurementSpec:
        path = tmp_path / "child.py"
        path.write_text(script, encoding="utf-8")
        case = Case(
            case_id="linear_cpu",
            trait_type=TraitType.QUANTITATIVE,
            device=device,
            uses_compile_cache_of=reuses,
            arguments=("--step", "2"),
            output_name="linear_cpu",
            input_files=("child.py",),
        )
        spec = MeasurementSpec(
            campaign="matrix",
            campaign_version=1,
            dataset="sim_chr22",
            run_id="run-1",
            case=case,
            trials=1,
            timeout_seconds=60.0,
            plan_only=False,
            compute_mode="embedded",
            working_directory=str(tmp_path),
            artifact_directory="artifacts/matrix/sim_chr22/run-1/cells/linear_cpu",
            compile_cache="artifacts/matrix/sim_chr22/run-1/compile_caches/linear_cpu",
            command=(sys.executable, str(path)),
            terminate_grace_seconds=0.3,
        )
        return spec.model_copy(update=changes)

    return make


@pytest.fixture
def successful_script(finished_run):
    """A command that leaves a finished run."""
    return COPY_RESULT.format(template=str(finished_run))
