import pytest

from g_core.cli.simulate import run
from g_core.errors import UsageError

SMALL = ("--samples", "40", "--variants", "30")


def test_the_command_makes_a_dataset_and_then_finds_it(tmp_path, capsys):
    words = ("--out", str(tmp_path / "sim"), *SMALL, "--seed", "7", "--chromosome", "3", "--hard-calls")

    assert run(words) == 0
    assert capsys.readouterr().out.startswith("made: 40 samples, 30 variants on chromosome 3, ")
    assert (tmp_path / "sim/sim_chr3.bgen").is_file()
    assert run(words) == 0
    assert capsys.readouterr().out.startswith("was there already: 40 samples")


def test_a_size_that_cannot_be_is_a_usage_error(tmp_path):
    with pytest.raises(UsageError, match="n_samples"):
        run(("--out", str(tmp_path / "sim"), "--samples", "-1"))


def test_an_unknown_flag_is_a_usage_error_that_names_it(tmp_path):
    with pytest.raises(UsageError, match="--sampels"):
        run(("--out", str(tmp_path / "sim"), "--sampels", "10"))
