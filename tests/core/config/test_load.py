"""Precedence of defaults, file and flags, and the words for a bad file."""

import pathlib

import pytest

from g_core import errors
from g_core.config.load import load_config


@pytest.fixture
def config_file(tmp_path):
    def write(text):
        path = tmp_path / "run.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def refusal(path):
    with pytest.raises(errors.UsageError) as refused:
        load_config(["--config", str(path)])
    return str(refused.value)


def test_flags_win_over_the_file_and_the_file_over_the_defaults(config_file):
    path = config_file('[input]\nbgen = "file.bgen"\nphenotype_columns = ["a"]\n[filters]\nmin_mac = 1\n')
    config = load_config(["--config", str(path), "--minMAC", "2", "--phenoCol", "b"])
    assert config.input.bgen == pathlib.Path("file.bgen")
    assert config.input.phenotype_columns == ("b",)
    assert config.filters.min_mac == 2.0
    assert config.binary.p_threshold == 0.05


def test_a_limit_in_the_file_switches_retries_off_as_the_flag_does(config_file):
    assert not load_config(["--config", str(config_file("[firth_null]\nmax_step = 25"))]).firth_null.retry


def test_a_whole_number_is_a_number(config_file):
    assert load_config(["--config", str(config_file("[binary]\np_threshold = 0.5"))]).binary.p_threshold == 0.5
    assert load_config(["--config", str(config_file("[filters]\nmin_mac = 3"))]).filters.min_mac == 3.0


def test_unknown_keys_and_bad_values_are_told_together_with_the_nearest_key(config_file):
    path = config_file(
        "[binary]\np_treshold = 0.1\np_threshold = 2.0\nfirth = 1\n[bianry]\nfirth = true\n"
        '[compute]\ndevice = "tpu"\nthreads = true\n[filters]\nchromosomes = 22\n'
    )
    assert refusal(path) == (
        "7 problems:\n"
        f"  - {path}: unknown key binary.p_treshold; did you mean binary.p_threshold?\n"
        f"  - {path}: binary.p_threshold = 2.0: allowed: a number above 0 and below 1\n"
        f"  - {path}: binary.firth = 1: allowed: true or false\n"
        f"  - {path}: unknown section bianry; did you mean binary?\n"
        f"  - {path}: compute.device = 'tpu': allowed: cpu or gpu\n"
        f"  - {path}: compute.threads = True: allowed: a whole number, at least 1, or auto\n"
        f"  - {path}: filters.chromosomes = 22: allowed: a list, each entry text"
    )


def test_a_key_outside_a_section(config_file):
    path = config_file("input = 3")
    assert refusal(path) == f"{path}: input must be a table: [input]"


def test_a_file_that_is_no_toml(config_file):
    path = config_file("[input\n")
    assert refusal(path).startswith(f"--config {path}: not a TOML file: ")


def test_a_file_that_is_not_there(tmp_path):
    path = tmp_path / "none.toml"
    assert refusal(path) == f"--config {path}: cannot be read: No such file or directory"
