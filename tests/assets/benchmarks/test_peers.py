"""Other programs: found by name or variable, told by version, run on the same files."""

import sys
from pathlib import Path

import pytest

from g_assets.benchmarks.cases import BT1, QT1
from g_assets.benchmarks.datasets import Dataset
from g_assets.benchmarks.peer_tasks import Peer, Program, find_peer, peer_command, peer_task, supports
from g_assets.benchmarks.programme import missing_peers
from g_assets.benchmarks.shapes import Shape
from g_assets.benchmarks.tasks import Workbench
from g_assets.benchmarks.warm_process import BenchmarkError

DATASET = Dataset(Shape(400, 600), Path("data"), Path("data/x.bgen"), Path("data/x.sample"))


@pytest.fixture
def make_program(tmp_path):
    def make(exit_code):
        path = tmp_path / "program"
        path.write_text(
            f"#!{sys.executable}\nimport sys\nprint('program 1.2\\nmore')\nsys.exit({exit_code})\n", encoding="utf-8"
        )
        path.chmod(0o755)
        return path

    return make


@pytest.fixture
def bench(tmp_path):
    return Workbench(warm=None, scratch=tmp_path, working_directory=tmp_path)


def test_the_variable_names_the_program_and_its_first_line_is_the_version(make_program, monkeypatch):
    path = make_program(0)
    monkeypatch.setenv("PLINK2_BIN", str(path))
    assert find_peer(Program.PLINK2_BIN) == Peer(Program.PLINK2_BIN, str(path), "program 1.2")


def test_a_program_that_is_not_there_is_none(monkeypatch, tmp_path):
    monkeypatch.setenv("REGENIE_BIN", str(tmp_path / "nothing"))
    assert find_peer(Program.REGENIE_BIN) is None


def test_an_absent_peer_leaves_a_row_that_says_how_to_name_it():
    (row,) = missing_peers(DATASET, (Peer(Program.PLINK2_BIN, "plink2", "2"),))
    assert row.reason == "regenie is not on the search path, and REGENIE_BIN is not set"


def test_a_peer_is_timed(make_program, bench):
    task = peer_task(Peer(Program.REGENIE_BIN, str(make_program(0)), "1"), QT1, DATASET, threads=2)
    assert task.observe(bench)["peer.regenie.qt1"] > 0


def test_a_peer_that_fails_is_no_measurement(make_program, bench):
    task = peer_task(Peer(Program.REGENIE_BIN, str(make_program(3)), "1"), QT1, DATASET, threads=2)
    with pytest.raises(BenchmarkError, match=r"exit code 3, not 0: .*program 1\.2"):
        task.observe(bench)


def test_peers_read_the_same_files_with_the_same_threads():
    for program in Program:
        command = peer_command(Peer(program, "peer", "1"), QT1, DATASET, Path("out"), threads=2)
        for word in (DATASET.bgen, DATASET.sample, DATASET.table(QT1.traits), DATASET.table(QT1.covariates)):
            assert str(word) in command
        assert command[command.index("--threads") + 1] == "2"


def test_plink2_has_no_approximate_firth():
    assert supports(Program.REGENIE_BIN, BT1)
    assert supports(Program.PLINK2_BIN, QT1)
    assert not supports(Program.PLINK2_BIN, BT1)
