"""The g command: quick answers, one message for each mistake, and the promised exit codes."""

import subprocess
import sys

import pytest

from g_core import errors
from g_core.cli import main as cli
from g_core.cli.registry import ENTRIES, Entry

HEAVY = ("jax", "matplotlib", "numpy", "polars", "pyarrow", "pydantic")


def loaded_after(*words):
    """Which heavy packages a fresh process has imported once the command has answered, and its exit code."""
    program = (
        "import sys\n"
        "from g_core.cli.main import main\n"
        "code = main(sys.argv[1:])\n"
        f"print('loaded', code, *[name for name in {HEAVY!r} if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.splitlines()[-1].split()[1:]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--help",), "0"),
        (("regenie", "--help"), "0"),
        (("schema", "--help"), "0"),
        (("bgen", "--help"), "0"),
        (("inspect", "--help"), "0"),
        (("plots", "--help"), "0"),
        (("regenie", "--no-such-flag"), "2"),
        (("regenie", "--minMAC", "x"), "2"),
        (("nonsense",), "2"),
        ((), "2"),
    ],
)
def test_help_and_usage_errors_import_nothing_heavy(words, code):
    assert loaded_after(*words) == [code]


def test_refused_input_is_told_without_waiting_for_jax(tmp_path):
    (tmp_path / "pheno.txt").write_text("FID IID Y\n1 1 0.5\n")
    files = ["--phenoFile", str(tmp_path / "pheno.txt"), "--bgen", str(tmp_path / "pheno.txt")]
    code, *loaded = loaded_after("regenie", *files, "--ignore-pred", "--out", str(tmp_path / "out"))
    assert code == "2"
    assert "jax" not in loaded


def test_help_lists_every_command(capsys):
    assert cli.main(["--help"]) == 0
    printed = capsys.readouterr().out
    assert all(f"g {entry.name}" in printed for entry in ENTRIES)


def test_an_unknown_command_names_the_nearest(capsys):
    assert cli.main(["regnie"]) == 2
    assert capsys.readouterr().err.splitlines()[0] == "error: unknown command regnie; did you mean g regenie?"


def test_flags_before_the_command_are_explained(capsys):
    assert cli.main(["--bgen", "x"]) == 2
    assert capsys.readouterr().err.splitlines()[0] == (
        "error: unknown command --bgen; the command comes first, as in g regenie --bgen FILE"
    )


def test_the_version_names_the_build(capsys):
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("g 0.")


def test_schema_prints_every_column(capsys):
    from g_core.results.schema import COLUMNS

    assert cli.main(["schema"]) == 0
    printed = capsys.readouterr().out
    assert all(column.name in printed for column in COLUMNS)


def raising(monkeypatch, error):
    class Failing:
        def run(self, _words):
            raise error

    monkeypatch.setattr(Entry, "load", lambda _entry: Failing())


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (errors.UsageError("bad option"), 2, "error: bad option\n"),
        (errors.InputError("bad file"), 2, "error: bad file\n"),
        (errors.DeviceError("no device"), 1, "error: no device\n"),
        (errors.OutputError("disk full"), 1, "error: disk full\n"),
        (KeyboardInterrupt(), 130, "interrupted\n"),
        (
            ZeroDivisionError("oh"),
            1,
            "error: unexpected ZeroDivisionError: oh; run again with --debug for the traceback\n",
        ),
    ],
)
def test_what_goes_wrong_is_one_message_and_a_code(monkeypatch, capsys, error, code, message):
    raising(monkeypatch, error)
    assert cli.main(["schema"]) == code
    assert capsys.readouterr().err == message


def test_debug_shows_the_traceback_of_an_unexpected_error(monkeypatch, capsys):
    raising(monkeypatch, ZeroDivisionError("oh"))
    assert cli.main(["schema", "--debug"]) == 1
    assert capsys.readouterr().err.startswith("Traceback")


def test_a_reader_that_closes_the_pipe_gets_no_complaint():
    program = "from g_core.cli.main import main; raise SystemExit(main(['schema']))"
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""


@pytest.mark.parametrize("count", ["0", "-3"])
def test_a_cut_needs_at_least_one_variant(capsys, count):
    assert cli.main(["bgen", "first", "--variants", count, "a", "b"]) == 2
    assert capsys.readouterr().err == f"error: --variants {count}: allowed: a whole number at least 1\n"
