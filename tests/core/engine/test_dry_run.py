"""A dry run tells what a run would do, writes nothing, and starts no device."""

import subprocess
import sys
from pathlib import Path

import pytest

from g_core.config.build_plan import build_run_plan
from g_core.config.load import load_config
from g_core.engine.dry_run import dry_run
from g_core.errors import InputError
from g_core.simulate.dataset import SimulatedDataset
from tests.core.engine.conftest import binary_arguments, quantitative_arguments, write_three_traits


def told(arguments: list[str], out: Path) -> list[str]:
    return dry_run(build_run_plan(load_config([*arguments, "--dry-run", "--out", str(out)])))


def test_the_command_prints_the_plan_and_leaves_nothing(dataset: SimulatedDataset, tmp_path: Path) -> None:
    command = [*binary_arguments(dataset), "--dry-run", "--chunk-variants", "150", "--chunks-per-part", "8"]
    command += ["--out", str(tmp_path / "out")]
    script = (
        "import sys; from g_core.cli.main import main; code = main(['regenie', *sys.argv[1:]]); "
        "assert 'jax' not in sys.modules; sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", script, *command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert "chunks: 3 of at most 150 variants, 8 a part" in lines
    assert "tiles of each group of samples: 2048 x 304 (1 trait)" in lines
    assert [line for line in lines if line.startswith("variants: 400 of 400 in ")]
    assert [line for line in lines if line.startswith("memory: about ")]
    assert lines[-1] == "dry run: nothing was written"
    assert list(tmp_path.iterdir()) == []


def test_every_group_of_samples_has_its_tile(dataset: SimulatedDataset, tmp_path: Path) -> None:
    phenotypes = write_three_traits(tmp_path / "phenotypes.txt", dataset)
    (line,) = [
        line
        for line in told(quantitative_arguments(dataset, phenotypes), tmp_path / "out")
        if line.startswith("tiles ")
    ]
    assert "(2 traits)" in line
    assert "(1 trait)" in line


def test_a_problem_of_the_inputs_is_found(dataset: SimulatedDataset, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no variant of 400 is left"):
        told([*quantitative_arguments(dataset), "--chr", "1"], tmp_path / "out")


def test_a_directory_that_holds_a_run_is_told(dataset: SimulatedDataset, tmp_path: Path) -> None:
    (tmp_path / "out.g").mkdir()
    (tmp_path / "out.g" / "manifest.json").write_text("{}")
    note = f"note: {tmp_path}/out.g already holds a run, and would be refused without --resume"
    assert note in told(quantitative_arguments(dataset), tmp_path / "out")
    assert note not in told([*quantitative_arguments(dataset), "--resume"], tmp_path / "out")
