"""The check of a GPU, rehearsed on the CPU: the same script, processes and comparisons, with packed genotypes."""

import subprocess
import sys

import pytest

from tests.gpu.check import ROOT


def run_check(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "tests.gpu.check", *arguments], capture_output=True, text=True, check=False, cwd=ROOT
    )


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_rehearsal_passes_and_tells_its_figures(tmp_path):
    done = run_check(
        *("--device", "cpu", "--samples", "300", "--variants", "400", "--scans", "quantitative"),
        *("--work", str(tmp_path), "--report", str(tmp_path / "report.txt")),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    told = (tmp_path / "report.txt").read_text().splitlines()
    assert [line for line in told if line.startswith("FAILED")] == []
    assert sum(line.startswith("passed  ") for line in told) == 6
    assert sum("variants/s warm" in line for line in told) == 3
    assert "0 failed" in told[-1]


def test_a_machine_without_a_gpu_is_told_what_to_do(tmp_path, monkeypatch):
    # Where there is a card, this hides it.
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    monkeypatch.setenv("JAX_PLATFORMS", "")
    done = run_check("--work", str(tmp_path))
    assert done.returncode == 1
    assert "JAX sees no NVIDIA GPU here" in done.stderr
    assert "Rehearse with --device cpu" in done.stderr
