"""The plan of a matrix: six cells, the command lines, the rules of threads and chunks, the scope."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from g_assets.campaigns.command import engine_run_directory, output_arguments
from g_assets.campaigns.matrix import MatrixConfig, MatrixProfiles, expand
from g_assets.campaigns.model import Plan
from g_assets.payloads.spec import MeasurementSpec, spec_for_case
from g_assets.profiles.load import load_dataset, load_machine, load_workload
from tests.assets.artifacts.records import make_plan

SIX = ["binary_cpu", "binary_gpu", "binary_gpu_cached", "linear_cpu", "linear_gpu", "linear_gpu_cached"]


def option(arguments, flag):
    return arguments[arguments.index(flag) + 1] if flag in arguments else None


def test_a_matrix_has_six_cells_and_a_process_each():
    plan = make_plan()
    assert [case.case_id for case in plan.cases] == SIX
    assert plan.subprocess_count == 6
    assert make_plan(trials=3).subprocess_count == 18
    assert make_plan(plan_only=True).subprocess_count == 0


def test_a_cached_cell_reuses_the_compile_cache_of_its_gpu_cell():
    reused = {case.case_id: case.uses_compile_cache_of for case in make_plan().cases}
    assert reused == {name: name.removesuffix("_cached") if name.endswith("_cached") else None for name in SIX}


def test_the_command_line_of_the_binary_cell():
    assert make_plan().case("binary_cpu").arguments == (
        "--step", "2",
        "--bgen", "data/sim_chr22/sim_chr22.bgen",
        "--sample", "data/sim_chr22/sim_chr22.sample",
        "--phenoFile", "data/sim_chr22/pheno_bin.txt",
        "--phenoCol", "phenotype_binary",
        "--covarFile", "data/sim_chr22/covariates.txt",
        "--covarColList", "age,sex",
        "--pred", "data/sim_chr22/baselines/regenie_step1_pred.list",
        "--bt", "--firth", "--approx", "--pThresh", "0.05",
        "--device", "cpu",
        "--staging-depth", "1",
        "--writer-threads", "8",
        "--writer-queue-depth", "8",
        "--format", "parquet",
        "--stage-timing", "aggregate",
    )  # fmt: skip


def test_a_quantitative_cell_has_no_firth_options():
    arguments = make_plan().case("linear_cpu").arguments
    assert "--qt" in arguments
    assert not {"--bt", "--firth", "--approx", "--pThresh"} & set(arguments)


def test_a_gpu_cell_asks_for_the_gpu_and_its_chunk():
    arguments = make_plan().case("linear_gpu").arguments
    assert (option(arguments, "--device"), option(arguments, "--chunk-variants")) == ("gpu", "16384")


def test_a_machines_auto_beats_the_workload_and_an_explicit_field_beats_both():
    assert option(make_plan().case("linear_cpu").arguments, "--threads") is None
    assert option(make_plan(threads=3).case("linear_cpu").arguments, "--threads") == "3"
    assert option(make_plan().case("linear_cpu").arguments, "--chunk-variants") is None
    assert option(make_plan(chunk_variants=512).case("linear_cpu").arguments, "--chunk-variants") == "512"
    assert option(make_plan(chunk_variants=512).case("linear_gpu").arguments, "--chunk-variants") == "512"


def test_without_auto_the_workloads_numbers_hold():
    dataset = load_dataset("sim_chr22")
    machine = load_machine("local").model_copy(update={"cpus": 4, "cpu_chunk_variants": 1000})
    profiles = MatrixProfiles(dataset, machine, load_workload("matrix_chr22"), Path("data"), None)
    arguments = expand(MatrixConfig(), profiles).case("linear_cpu").arguments
    assert (option(arguments, "--threads"), option(arguments, "--chunk-variants")) == ("8", "1000")


def test_a_plan_opens_no_file(monkeypatch):
    monkeypatch.setattr("builtins.open", lambda *_, **__: pytest.fail("a plan opened a file"))
    dataset, machine, workload = load_dataset("1kg_chr10"), load_machine("local"), load_workload("matrix_chr10")
    plan = expand(MatrixConfig(), MatrixProfiles(dataset, machine, workload, Path("not there"), None))
    assert len(plan.cases) == 6


def test_a_plan_and_a_spec_survive_json():
    plan = make_plan(variant_limit=100, trials=2)
    assert Plan.model_validate_json(plan.model_dump_json()) == plan
    spec = spec_for_case(
        plan,
        "binary_gpu_cached",
        run_id="run-1",
        artifact_root=Path("artifacts"),
        working_directory=Path(),
        compute_mode="process",
    )
    assert MeasurementSpec.model_validate_json(spec.model_dump_json()) == spec
    assert spec.artifact_directory == "artifacts/matrix/sim_chr22/run-1/cells/binary_gpu_cached"
    assert spec.compile_cache == "artifacts/matrix/sim_chr22/run-1/compile_caches/binary_gpu"


def test_an_unknown_case_is_answered_with_the_known_ones():
    with pytest.raises(KeyError, match="binary_cpu"):
        make_plan().case("cubic_cpu")


def test_the_engine_writes_beside_its_prefix():
    assert engine_run_directory(Path("a/results/x.y")) == Path("a/results/x.y.g")
    assert output_arguments(Path("p"), Path("c")) == ("--out", "p", "--jax-cache-dir", "c")


@pytest.mark.parametrize(
    "field", [{"trials": 0}, {"threads": 0}, {"p_threshold": 1.0}, {"variant_limit": -1}, {"timeout_seconds": 0}]
)
def test_a_config_out_of_bounds_is_refused(field):
    with pytest.raises(ValidationError):
        MatrixConfig(**field)


def test_an_unknown_config_field_is_refused_by_name():
    with pytest.raises(ValidationError, match="thread"):
        MatrixConfig.model_validate({"thread": 4})


@pytest.mark.parametrize(
    "field",
    [
        {"variant_limit": 10},
        {"threads": 3},
        {"chunk_variants": 512},
        {"staging_depth": 4},
        {"writer_threads": 1},
        {"writer_queue_depth": 1},
        {"p_threshold": 0.01},
    ],
)
def test_what_changes_the_work_changes_the_scope(field):
    assert make_plan(**field).scope_key != make_plan().scope_key


@settings(max_examples=25)
@given(
    trials=st.integers(1, 50),
    timeout=st.floats(1, 1e6),
    forced=st.none() | st.text(max_size=8),
    band=st.floats(0.1, 100),
)
def test_what_does_not_change_the_work_leaves_the_scope(trials, timeout, forced, band):
    plan = make_plan(trials=trials, timeout_seconds=timeout, forced_baseline=forced, neutral_band_percent=band)
    assert plan.scope_key == make_plan().scope_key
