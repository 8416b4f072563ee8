"""From options to a plan: what is required, what contradicts, what is resolved."""

import dataclasses
import pathlib

import pytest

from g_core import errors, processors
from g_core.config.build_plan import build_run_plan
from g_core.config.load import load_config
from g_core.config.run_plan import CorrectionMethod


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a.bgen", "y.txt", "c.txt", "p.list", "k.txt", "r.txt"):
        (tmp_path / name).touch()
    return tmp_path


BASE = ("--bgen", "a.bgen", "--phenoFile", "y.txt", "--ignore-pred", "--out", "o")


def plan(*words):
    return build_run_plan(load_config(words))


def refusal(*words, error=errors.UsageError):
    with pytest.raises(error) as refused:
        plan(*words)
    return str(refused.value)


def test_required_options_and_contradictions_are_told_together():
    assert refusal("--step", "1", "--bt", "--firth", "--keep", "k", "--remove", "r", "--covarColList", "A") == (
        "7 problems:\n"
        "  - --bgen is required: genotypes: BGEN layout 2\n"
        "  - --phenoFile is required: phenotypes: header FID IID and one column a trait\n"
        "  - --out is required: prefix of everything the run writes; the run directory is PREFIX.g\n"
        "  - --step 1: only step 2 is built; make the predictions with REGENIE's step 1\n"
        "  - --pred is required (list of step 1 predictions); give --ignore-pred to run without predictions\n"
        "  - --keep and --remove cannot be used together; take the removed samples out of the keep list\n"
        "  - --covarColList A names covariates, but there is no --covarFile"
    )


@pytest.mark.usefixtures("files")
def test_small_grammars_are_checked():
    assert refusal(*BASE, "--chr", "MT", "--range", "1:5", "--par-region", "hg99", "--phenoCol", "Y{3:1}") == (
        "4 problems:\n"
        "  - --phenoColList Y{3:1}: the range runs backwards\n"
        "  - --chr MT: no such chromosome; allowed: 1 to 22, X, XY, Y, PAR1, PAR2 or 23, with or without chr before "
        "and 0 before a digit\n"
        "  - --range 1:5: allowed: CHROMOSOME:FIRST-LAST, such as 22:1000000-2000000\n"
        "  - --par-region hg99: allowed: hg38, hg19, hg18 or FIRST,LAST in base pairs"
    )


@pytest.mark.usefixtures("files")
def test_missing_files_are_told_together():
    words = ("--bgen", "none.bgen", "--phenoFile", ".", "--out", "o", "--pred", "none.list", "--keep", "k.txt,none.txt")
    assert refusal(*words, error=errors.InputError) == (
        "4 problems:\n"
        "  - --bgen none.bgen: no such file\n"
        "  - --phenoFile .: is a folder, not a file\n"
        "  - --pred none.list: no such file\n"
        "  - --keep none.txt: no such file"
    )


def test_a_prefix_must_end_in_a_name():
    message = refusal("--bgen", "a", "--phenoFile", "y", "--ignore-pred", "--out", "/")
    assert message == "--out /: the prefix must end in a name"


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("flags", "method"),
    [
        ([], CorrectionMethod.NONE),
        (["--firth"], CorrectionMethod.FIRTH_EXACT),
        (["--firth", "--approx"], CorrectionMethod.FIRTH_APPROXIMATE),
        (["--spa"], CorrectionMethod.SADDLEPOINT),
        (["--spa", "--firth"], CorrectionMethod.FIRTH_EXACT),
    ],
)
def test_the_flags_choose_one_correction(flags, method):
    assert plan(*BASE, "--bt", *flags).binary.correction is method


@pytest.mark.usefixtures("files")
def test_options_without_effect_are_warned_about_and_switched_off():
    resolved = plan(*BASE, "--firth", "--cc12", "--pred", "p.list", "--gz")
    assert resolved.binary.correction is CorrectionMethod.NONE
    assert resolved.input.prediction_list is None
    assert resolved.warnings == (
        "--pred is not read, because --ignore-pred is given",
        "--cc12 is ignored: it applies to binary traits (--bt)",
        "--firth is ignored: it applies to binary traits (--bt)",
        "--gz is ignored: it compresses REGENIE text, which needs --format regenie",
    )


@pytest.mark.usefixtures("files")
def test_jaxs_profiles_need_a_profiled_run():
    profiles = ("--jax-trace-dir", "trace", "--jax-memory-profile", "memory.pprof")
    assert refusal(*BASE, *profiles) == (
        "2 problems:\n"
        "  - --jax-trace-dir trace needs --telemetry profile: a trace slows the run\n"
        "  - --jax-memory-profile memory.pprof needs --telemetry profile"
    )
    diagnostics = plan(*BASE, *profiles, "--telemetry", "profile").diagnostics
    assert (diagnostics.jax_trace_dir, diagnostics.jax_memory_profile) == (
        pathlib.Path("trace"),
        pathlib.Path("memory.pprof"),
    )


@pytest.mark.usefixtures("files")
def test_a_strict_check_of_parts_needs_a_run_to_go_on_with():
    assert plan(*BASE, "--resume-mode", "strict").warnings == ("--resume-mode strict is ignored: it needs --resume",)
    resolved = plan(*BASE, "--resume", "--resume-mode", "strict")
    assert resolved.output.resume
    assert resolved.warnings == ()


@pytest.mark.usefixtures("files")
def test_a_plan_is_resolved():
    resolved = plan(
        *BASE, "--phenoColList", "Y{1:3},Z", "--chrList", "chrX,2,02", "--range", "X:5-9", "--par-region", "10,20"
    )
    assert resolved.input.phenotype_columns == ("Y1", "Y2", "Y3", "Z")
    assert resolved.filters.chromosomes == (2, 23)
    assert dataclasses.astuple(resolved.filters.range) == (23, 5, 9)
    assert dataclasses.astuple(resolved.test.non_pseudoautosomal) == (10, 20)
    assert resolved.output.prefix == pathlib.Path("o")
    assert resolved.compute.chunk_variants is None
    assert resolved.compute.threads >= 1


@pytest.mark.usefixtures("files")
def test_pseudoautosomal_bounds_of_a_build_are_left_out():
    # Spec section 7: non-PAR is strictly between 2781479 and 155701383 on hg38.
    assert dataclasses.astuple(plan(*BASE).test.non_pseudoautosomal) == (2_781_480, 155_701_382)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(("device", "lanes"), [("cpu", 64), ("gpu", 512)])
def test_lanes_depend_on_the_device_unless_they_are_given(device, lanes):
    assert plan(*BASE, "--device", device).kernels.firth_approximate.lanes == lanes
    assert plan(*BASE, "--device", device, "--firth-batch-size", "7").kernels.firth_approximate.lanes == 7


@pytest.mark.usefixtures("files")
def test_thresholds_reach_the_kernels():
    kernels = plan(*BASE, "--niter", "7", "--maxstep-null", "3", "--firth-approximate-score-tolerance", "0.5").kernels
    assert kernels.logistic_null.max_iterations == 7
    assert kernels.firth_null.max_step == 3.0
    assert kernels.firth_approximate.score_tolerance == 0.5


def test_a_compressed_sample_file_is_found_without_its_ending(files):
    (files / "a.sample.gz").touch()
    assert plan(*BASE, "--sample", "a.sample").input.sample == pathlib.Path("a.sample.gz")


@pytest.mark.usefixtures("files")
def test_the_effective_configuration_makes_the_same_plan_again(files):
    first = plan(*BASE, "--bt", "--firth", "--approx", "--maxiter-null", "10", "--minINFO", "0.3", "--strict")
    (files / "effective.toml").write_text(first.effective_config, encoding="utf-8")
    assert plan("--config", "effective.toml") == first


@pytest.mark.parametrize(("share", "threads"), [("", 4), ("3", 3), ("9", 4), ("0", 4), ("2(x2)", 4)])
def test_threads_are_those_of_the_process_at_most_those_of_the_job(monkeypatch, share, threads):
    monkeypatch.setattr(processors.os, "sched_getaffinity", lambda _process: {0, 1, 2, 3})
    monkeypatch.setenv("SLURM_CPUS_PER_TASK", share)
    assert processors.available_threads() == threads
