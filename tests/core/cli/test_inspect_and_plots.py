"""g inspect and g plots: what they print and write, and the promised exit codes."""

import json
import subprocess
import sys

import pytest
from PIL import Image

from g_core.cli import main as cli
from tests.core.inspection.run_directories import commit_parts, finish_run, make_run
from tests.core.results.result_rows import result_rows

ROWS = result_rows(600, chromosomes=(1, 23))
TRAITS = ["height/m", "数据"]


@pytest.fixture
def finished(tmp_path):
    directory = tmp_path / "out.g"
    make_run(directory, TRAITS)
    finish_run(directory, {name: commit_parts(directory, name, [ROWS]) for name in TRAITS}, failed=["constant"])
    return directory


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


def test_inspect_prints_a_page_and_changes_nothing(finished, capsys):
    before = names_in(finished)
    assert cli.main(["inspect", str(finished), "--strongest", "1"]) == 0
    printed = capsys.readouterr().out
    assert all(f"trait {name}: " in printed for name in [*TRAITS, "constant"])
    assert names_in(finished) == before


@pytest.mark.parametrize("command", ["inspect", "plots"])
def test_a_folder_that_is_no_run_is_a_fault_of_the_input(tmp_path, capsys, command):
    assert cli.main([command, str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith(f"error: {tmp_path}: not a run directory: ")
    assert names_in(tmp_path) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["inspect", "out.g", "--strongest", "-1"], "--strongest -1: allowed: a whole number at least 0"),
        (["plots", "out.g", "--width", "3"], "--width 3: allowed: a whole number from 200 to 10000"),
        (["plots", "out.g", "--height", "10001"], "--height 10001: allowed: a whole number from 200 to 10000"),
    ],
)
def test_numbers_out_of_bounds_are_refused(capsys, words, message):
    assert cli.main(words) == 2
    assert capsys.readouterr().err == f"error: {message}\n"


def test_plots_of_every_trait_have_the_asked_size(finished, capsys):
    assert cli.main(["plots", str(finished), "--width", "800", "--height", "400"]) == 0
    assert names_in(finished / "plots") == [
        "constant.manhattan.png",
        "constant.qq.png",
        "height%2Fm.manhattan.png",
        "height%2Fm.qq.png",
        "数据.manhattan.png",
        "数据.qq.png",
    ]
    for ending, size in (("manhattan", (800, 400)), ("qq", (400, 400))):
        with Image.open(finished / "plots" / f"height%2Fm.{ending}.png") as image:
            assert image.size == size
    printed = capsys.readouterr().out
    assert "trait height/m: 594 tests, lambda GC " in printed
    assert "trait constant: no row with a test (has only the value 1); the plots say so: " in printed


def test_one_trait_may_be_asked_for(finished, capsys):
    assert cli.main(["plots", str(finished), "--trait", "数据", "--width", "300", "--height", "300"]) == 0
    assert names_in(finished / "plots") == ["数据.manhattan.png", "数据.qq.png"]
    assert cli.main(["plots", str(finished), "--trait", "weight"]) == 2
    assert "error: --trait weight: not in this run, which has height/m, 数据, constant\n" in capsys.readouterr().err


def test_plots_of_a_run_that_is_not_finished_say_so(tmp_path, capsys):
    directory = tmp_path / "out.g"
    make_run(directory, ["height"])
    commit_parts(directory, "height", [ROWS])
    assert cli.main(["plots", str(directory), "--width", "300", "--height", "300"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == f"{directory}: the run is not finished; this is what is committed so far"
    assert printed[1].startswith("trait height: 594 tests, ")


def test_without_parquet_there_is_nothing_to_draw_and_that_is_told(finished, capsys):
    manifest = finished / "manifest.json"
    record = json.loads(manifest.read_text())
    for trait in record["traits"]:
        trait["parts"] = []
    manifest.write_text(json.dumps(record))
    assert cli.main(["plots", str(finished), "--trait", "数据"]) == 0
    assert "no plots: the run wrote no Parquet results (--format parquet)" in capsys.readouterr().out
    assert names_in(finished / "plots") == []


def test_a_part_that_is_gone_is_named(finished, capsys):
    part = finished / "height%2Fm" / "part-00000.parquet"
    part.unlink()
    for command in ("inspect", "plots"):
        assert cli.main([command, str(finished)]) == 2
        assert f"error: {part}: no such file" in capsys.readouterr().err


def test_inspect_does_not_wait_for_jax(finished):
    program = (
        "import sys\nfrom g_core.cli.main import main\n"
        "code = main(sys.argv[1:])\nprint(code, *[name for name in ('jax', 'matplotlib') if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "inspect", str(finished)], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "0"
