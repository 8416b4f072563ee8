"""The command line: REGENIE's flags, lists, and every mistake named at once."""

import pytest

from g_core import errors
from g_core.config.load import load_config


def refusal(*words):
    with pytest.raises(errors.UsageError) as refused:
        load_config(words)
    return str(refused.value)


def test_flags_of_regenie_fill_the_configuration():
    config = load_config(
        [
            "--step",
            "2",
            "--bgen",
            "a.bgen",
            "--sample",
            "a.sample",
            "-p",
            "y.txt",
            "-c",
            "c.txt",
            "--bt",
            "-1",
            "--firth",
            "--approx",
            "--pThresh",
            "0.01",
            "--pred",
            "l",
            "--bsize",
            "200",
            "--minMAC",
            "1.5",
            "--chr",
            "X",
            "--chrList",
            "1,2",
            "--gz",
            "--out",
            "o",
        ]
    )
    assert str(config.input.bgen) == "a.bgen"
    assert str(config.input.phenotype_file) == "y.txt"
    assert str(config.input.covariate_file) == "c.txt"
    assert config.trait.type == "binary"
    assert config.binary.one_two_coding
    assert config.binary.firth
    assert config.binary.approximate
    assert config.binary.p_threshold == 0.01
    assert config.input.bsize == 200
    assert config.filters.min_mac == 1.5
    assert config.filters.chromosomes == ("X", "1", "2")
    assert config.output.gzip


def test_lists_grow_over_repeated_flags_and_commas():
    config = load_config(["--phenoCol", "a,b", "--phenoColList", "c, d", "--phenoCol", "e", "--keep", "f,g"])
    assert config.input.phenotype_columns == ("a,b", "c", "d", "e")
    assert [str(path) for path in config.samples.keep] == ["f", "g"]


def test_a_format_that_is_given_replaces_the_default():
    assert load_config(["--format", "regenie"]).output.format == ("regenie",)
    assert load_config(["--format", "regenie", "--format", "parquet"]).output.format == ("regenie", "parquet")


def test_a_switch_can_be_turned_off():
    assert load_config(["--jax-persistent-cache=false"]).compute.jax_persistent_cache is False


@pytest.mark.parametrize("spelling", [["--sample-mode", "complete-case"], ["--sample-mode=complete_case"]])
def test_spellings_of_complete_case(spelling):
    assert load_config(spelling).samples.mode == "complete_case"


def test_a_sample_mode_beside_strict_is_no_contradiction():
    config = load_config(["--sample-mode", "regenie", "--strict"])
    assert (config.samples.mode, config.samples.strict) == ("regenie", True)


def test_the_word_auto_is_a_number_that_the_engine_chooses():
    assert load_config(["--threads", "auto"]).compute.threads == "auto"


def test_minimum_info_is_off_unless_it_is_given():
    assert load_config([]).filters.min_info is None
    assert load_config(["--minINFO", "0"]).filters.min_info == 0.0


@pytest.mark.parametrize("flag", ["--maxstep-null", "--maxiter-null"])
def test_limits_of_the_null_firth_fit_switch_its_retries_off(flag):
    assert load_config([]).firth_null.retry
    assert not load_config([flag, "25"]).firth_null.retry
    assert load_config([flag, "25", "--firth-null-retry"]).firth_null.retry


def test_an_unknown_flag_is_named_with_the_nearest():
    assert refusal("--phenoColl", "Y1") == "unknown option --phenoColl; did you mean --phenoCol?"
    assert refusal("--zzzzzzzz") == "unknown option --zzzzzzzz; g regenie --help lists them"


def test_an_abbreviation_is_not_guessed():
    assert refusal("--phenoF", "x") == "unknown option --phenoF; did you mean --phenoFile?"


def test_a_flag_of_regenie_that_is_not_supported_says_why():
    assert refusal("--bed", "x") == (
        "--bed is a REGENIE option that g does not support: only BGEN input is read; use --bgen"
    )


def test_all_mistakes_are_told_together():
    assert refusal("--bt", "--qt", "--unheard-of", "3", "--pThresh", "1.5", "--minMAC", "few", "--nauto", "22") == (
        "5 problems:\n"
        "  - unknown option --unheard-of; g regenie --help lists them\n"
        "  - --nauto is a REGENIE option that g does not support: only human chromosomes are known; use --chr\n"
        "  - --bt and --qt cannot be used together\n"
        "  - --pThresh 1.5: allowed: a number above 0 and below 1\n"
        "  - --minMAC few: allowed: a number at least 0.5"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--minMAC", "0.4"], "--minMAC 0.4: allowed: a number at least 0.5"),
        (["--minINFO", "2"], "--minINFO 2: allowed: a number at least 0 and at most 1"),
        (["--threads", "0"], "--threads 0: allowed: a whole number, at least 1, or auto"),
        (["--threads", "1.0"], "--threads 1.0: allowed: a whole number, at least 1, or auto"),
        (["--minMAC", "nan"], "--minMAC nan: allowed: a number at least 0.5"),
        (["--device", "tpu"], "--device tpu: allowed: cpu or gpu"),
        (["--test", "both"], "--test both: allowed: additive or dominant or recessive"),
        (["--minHOMs=-1"], "--minHOMs -1: allowed: a number at least 0"),
        (["--firth=maybe"], "--firth maybe: allowed: true or false"),
        (["--phenoColList", ","], "--phenoColList ,: nothing is named"),
        (["--out", "a", "--out", "b"], "--out is given twice, with a and b"),
        (["--qt", "stray"], "unexpected argument 'stray': every value follows its flag"),
    ],
)
def test_a_value_that_does_not_fit_is_told_with_what_is_allowed(words, message):
    assert refusal(*words) == message


def test_a_flag_without_its_value_is_named():
    assert refusal("--bgen").startswith("argument --bgen: expected one argument")
