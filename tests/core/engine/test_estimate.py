"""The memory estimate: each term of the formula, and the peaks of real runs at three sizes."""

import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest

from g_core.config.build_plan import build_run_plan
from g_core.config.choices import TraitType
from g_core.config.load import load_config
from g_core.config.run_plan import CorrectionMethod
from g_core.engine.estimate import GroupSize, RunSize, estimate_memory, estimate_run
from g_core.engine.manifest import read_manifest
from g_core.engine.prepare import prepare
from g_core.engine.stages import StageClock
from g_core.simulate.dataset import SimulatedDataset, simulate_dataset
from g_core.simulate.spec import build_spec
from tests.core.engine.conftest import binary_arguments, quantitative_arguments

GROUP = GroupSize(n_samples=1000, n_traits=2, n_design_columns=5, n_prediction_rows=23)
SIZE = RunSize(
    trait_type=TraitType.BINARY,
    correction=CorrectionMethod.FIRTH_APPROXIMATE,
    correction_lanes=64,
    n_samples_genotyped=1200,
    groups=(GROUP,),
    value_columns=(1008,),
    n_variants_in_file=10_000,
    n_variants_selected=9_000,
    identifying_bytes_per_variant=50.0,
    tile_rows=512,
    n_chunks=18,
    chunk_variants=500,
    staging_depth=2,
    chunks_per_part=4,
    writer_queue_depth=3,
    writer_threads=2,
)


def test_the_formula_in_numbers() -> None:
    memory = estimate_memory(SIZE)
    assert memory.index_bytes == 10_000 * (2 * 50 + 24) + 2 * 9_000 * 50
    assert memory.samples_bytes == 1200 * 600 + 1000 * 8 * (4 * 5 + 2 * (10 + 23 + 11 * 5))
    assert memory.chunks_bytes == 4 * 512 * 4 * 1008, "chunks are padded to tiles, samples to 16"
    assert memory.kernels_bytes == 1008 * (2 * 512 * 4 + 8 * 11 * 64 + 8 * 10 * 5)
    assert memory.rows_bytes == (2 * 4 + 5 * 4) * 500 * 250
    assert memory.total_bytes == sum(dataclasses.asdict(memory).values())


@pytest.mark.parametrize(
    "change",
    [
        {"n_samples_genotyped": 2400},
        {"groups": (GROUP, GROUP)},
        {"groups": (dataclasses.replace(GROUP, n_traits=9),)},
        {"groups": (dataclasses.replace(GROUP, n_design_columns=30),)},
        {"n_variants_in_file": 100_000},
        {"tile_rows": 1024},
        {"chunk_variants": 900},
        {"staging_depth": 6},
        {"correction_lanes": 512},
    ],
    ids=",".join,
)
def test_more_of_anything_needs_more(change: dict) -> None:
    assert estimate_memory(dataclasses.replace(SIZE, **change)).total_bytes > estimate_memory(SIZE).total_bytes


def test_quantitative_traits_need_no_weighted_designs() -> None:
    memory = estimate_memory(dataclasses.replace(SIZE, trait_type=TraitType.QUANTITATIVE, correction_lanes=0))
    assert memory.samples_bytes == 1200 * 600 + 1000 * 8 * (4 * 5 + 2 * (10 + 23))
    assert memory.kernels_bytes == 1008 * 2 * 512 * 4


def test_no_more_rows_wait_than_there_are() -> None:
    assert estimate_memory(dataclasses.replace(SIZE, n_variants_selected=600)).rows_bytes == 2 * 600 * 250


def test_a_run_of_one_chunk_needs_one_buffer() -> None:
    assert estimate_memory(dataclasses.replace(SIZE, n_chunks=1)).chunks_bytes == 512 * 4 * 1008


@pytest.fixture(scope="module", params=[(500, 4000), (2500, 2500), (10_000, 1000)], ids=lambda size: str(size[0]))
def cohort(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> SimulatedDataset:
    n_samples, n_variants = request.param
    spec = build_spec({"n_samples": n_samples, "n_variants": n_variants, "seed": 11})
    return simulate_dataset(spec=spec, folder=tmp_path_factory.mktemp("cohort") / "dataset", threads=2)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("kind", ["quantitative", "binary with Firth", "quantitative in large chunks"])
def test_the_estimate_is_within_30_per_cent_of_the_measured_peak(
    cohort: SimulatedDataset, tmp_path: Path, kind: str
) -> None:
    arguments = {
        "quantitative": quantitative_arguments(cohort),
        "quantitative in large chunks": [*quantitative_arguments(cohort), "--chunk-variants", "900"],
        "binary with Firth": binary_arguments(cohort),
    }[kind]
    cache = tmp_path / "cache"
    plan = build_run_plan(load_config([*arguments, "--out", str(tmp_path / "out")]))
    estimate = estimate_run(plan, prepare(plan, StageClock())).memory.total_bytes
    for name in ("compiling", "cached"):
        words = [*arguments, "--jax-cache-dir", str(cache), "--out", str(tmp_path / name)]
        subprocess.run([sys.executable, "-m", "g_core", "regenie", *words], check=True, capture_output=True)
        measured = read_manifest(tmp_path / f"{name}.g").peak_memory_bytes
        assert abs(estimate - measured) <= 0.3 * measured, f"{name}: {estimate=} {measured=}"
