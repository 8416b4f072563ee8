"""The golden cases through the command itself. Skipped, with the reason, where the golden data are not there."""

import hashlib
import subprocess
import sys

import pytest

IDS = (
    "qt_linear_cov",
    "qt_linear_nocov",
    "qt_3chr",
    "qt_3chr_zstd",
    "qt_ref_first",
    "bt_score",
    "bt_3chr_score",
    "bt_firth_approx_p05",
    "bt_firth_approx_p999",
    "bt_3chr_firth_approx",
    "sim_qt",
    "sim_bt_firth_approx",
)

pytestmark = [pytest.mark.golden, pytest.mark.timeout(600)]


def fingerprint(folder):
    """Path, size, modification time and digest of every file."""
    return {
        path.relative_to(folder): (path.stat().st_mtime_ns, hashlib.sha256(path.read_bytes()).hexdigest())
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def run_parity(*words):
    return subprocess.run(
        [sys.executable, "-m", "g_assets.parity", *words], capture_output=True, text=True, check=False
    )


def test_every_case_agrees_with_regenie_and_the_golden_folder_stays_as_it_was(golden):
    before = fingerprint(golden)
    completed = run_parity(str(golden), "--ids", *IDS)

    assert completed.returncode == 0, completed.stdout + completed.stderr
    assert completed.stdout.splitlines()[-1] == f"{len(IDS)} passed, 0 failed"
    assert fingerprint(golden) == before


def test_an_unknown_id_is_a_usage_error_that_names_the_nearest(golden):
    completed = run_parity(str(golden), "--ids", "qt_linear_covv")

    assert completed.returncode == 2
    assert completed.stderr == "error: no case is called qt_linear_covv; the nearest is qt_linear_cov\n"
    assert completed.stdout == ""
