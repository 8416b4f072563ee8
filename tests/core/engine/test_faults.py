"""Faults of the disk, provoked for real: full, read-only, a folder that vanishes. Mounting needs root."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from g_core.cli.main import main
from g_core.engine.journal import read_journal
from g_core.engine.manifest import read_manifest
from g_core.simulate.dataset import SimulatedDataset
from tests.core.engine.conftest import quantitative_arguments
from tests.core.engine.test_resume import content

WORDS = ("--chunk-variants", "10", "--chunks-per-part", "1", "--format", "parquet", "--format", "regenie")

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="mounting a file system needs root")


@contextmanager
def mounted(folder: Path, options: str) -> Iterator[Path]:
    """A file system in memory, mounted while the block runs."""
    folder.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.root
@needs_root
def test_a_full_disk_is_one_message_and_the_run_goes_on_when_there_is_room(
    dataset: SimulatedDataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [*quantitative_arguments(dataset), *WORDS]
    assert main(["regenie", *arguments, "--out", str(tmp_path / "whole")]) == 0
    with mounted(tmp_path / "small", "size=320k") as small:
        prefix = small / "out"
        capsys.readouterr()
        assert main(["regenie", *arguments, "--out", str(prefix)]) == 1
        printed = capsys.readouterr()
        assert printed.err.count("\n") == 1
        # The system's words, or a native writer's: which file the disk is too small for may differ.
        assert "No space left on device" in printed.err or "the disk is full" in printed.err
        assert not list(small.glob("*.regenie"))
        assert not Path(f"{prefix}.g/manifest.json").exists()
        for line in read_journal(Path(f"{prefix}.g")):
            assert line.parquet is not None
            assert (Path(f"{prefix}.g") / line.parquet.path).stat().st_size == line.parquet.bytes
        subprocess.run(["mount", "-o", "remount,size=8m", str(small)], check=True)
        assert main(["regenie", *arguments, "--out", str(prefix), "--resume"]) == 0
        assert content(prefix) == content(tmp_path / "whole")


@pytest.mark.root
@needs_root
def test_a_read_only_folder_is_one_message(
    dataset: SimulatedDataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with mounted(tmp_path / "fixed", "size=1m,ro") as fixed:
        assert main(["regenie", *quantitative_arguments(dataset), "--out", str(fixed / "out")]) == 1
        message = capsys.readouterr().err
        assert message == f"error: {fixed}/out.g: cannot make the run directory: Read-only file system\n"
        assert list(fixed.iterdir()) == []


def test_an_input_that_vanished_before_it_goes_on_is_named(
    dataset: SimulatedDataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    traits = tmp_path / "traits.txt"
    shutil.copy(dataset.quantitative_phenotypes, traits)
    arguments = quantitative_arguments(dataset)
    arguments[arguments.index("--phenoFile") + 1] = str(traits)
    assert main(["regenie", *arguments, "--out", str(tmp_path / "out")]) == 0
    assert read_manifest(tmp_path / "out.g").rows > 0
    traits.unlink()
    capsys.readouterr()
    assert main(["regenie", *arguments, "--out", str(tmp_path / "out"), "--resume"]) == 2
    assert f"{traits}" in capsys.readouterr().err
