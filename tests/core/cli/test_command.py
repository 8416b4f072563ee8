"""The g command: quick answers, one message for each mistake, and the promised exit codes."""

import dataclasses
import subprocess
import sys

import pytest

from g_core import errors
from g_core.cli import main as cli
from g_core.cli.registry import ENTRIES, Entry
from g_core.simulate.dataset import simulate_dataset
from g_core.simulate.spec import build_spec

HEAVY = ("jax", "matplotlib", "numpy", "polars", "pyarrow", "pydantic")


@dataclasses.dataclass(frozen=True)
class Answer:
    """What a fresh process said: its exit code, the heavy packages that it has imported, and its errors."""

    code: str
    loaded: list[str]
    error: str


def ask(*words):
    """Give the command these words in a fresh process."""
    program = (
        "import sys\n"
        "from g_core.cli.main import main\n"
        "code = main(sys.argv[1:])\n"
        f"print('loaded', code, *[name for name in {HEAVY!r} if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, check=True, timeout=60
    )
    code, *loaded = done.stdout.splitlines()[-1].split()[1:]
    return Answer(code, loaded, done.stderr)


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
    answer = ask(*words)
    assert (answer.code, answer.loaded) == (code, [])


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """Twenty people and five variants."""
    spec = build_spec({"n_samples": 20, "n_variants": 5, "seed": 1})
    return simulate_dataset(spec=spec, folder=tmp_path_factory.mktemp("study") / "dataset", threads=1)


@pytest.mark.parametrize(
    ("option", "content", "complaint"),
    [
        ("--bgen", None, "no such file"),
        ("--bgen", "not a BGEN", "BGEN"),
        ("--phenoFile", None, "no such file"),
        ("--phenoFile", "FID IID Y\n1 1 0.5 7\n", "line 2"),
        ("--phenoFile", "FID IID Y\n9 none 0.5\n", "0 of 1 samples"),
        ("--covarFile", "FID IID C\n1 1 x\n", "line 2"),
        ("--keep", None, "no such file"),
        ("--device", "none", "--device none"),
    ],
)
def test_refused_input_is_told_without_waiting_for_jax(study, tmp_path, option, content, complaint):
    value = tmp_path / "value"
    if content is not None:
        value.write_text(content)
    given = {"--bgen": study.bgen, "--sample": study.sample, "--phenoFile": study.quantitative_phenotypes}
    given[option] = content if option == "--device" else value
    words = [str(word) for pair in given.items() for word in pair]
    answer = ask("regenie", *words, "--step", "2", "--ignore-pred", "--out", str(tmp_path / "out"))
    assert complaint in answer.error
    assert (answer.code, "jax" in answer.loaded) == ("2", False)
    assert not (tmp_path / "out.g").exists()


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


@pytest.mark.parametrize(("words", "code"), [(("--help",), 0), (("schema",), 0), (("nonsense",), 2)])
def test_the_process_leaves_with_its_code_and_all_that_it_said(words, code, capfd):
    assert cli.main(list(words)) == code
    said = capfd.readouterr()
    done = subprocess.run([sys.executable, "-m", "g_core", *words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (code, said.out, said.err)
