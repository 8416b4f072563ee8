"""A few golden cases, one of each kind, through the tool itself; CI runs all of them (.ci/run).

Skipped, with the reason, where the golden data are not there.
"""

import hashlib
import subprocess
import sys

import pytest

from g_assets.parity.record import ParityRecord

IDS = ("qt_linear_cov", "qt_wNA_default", "qt_gz", "bt_firth_approx_p05", "qt_bed", "err_bt_values", "err_no_bsize")

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


def test_a_case_of_each_kind_agrees_with_regenie_and_the_golden_folder_stays_as_it_was(golden, tmp_path):
    before = fingerprint(golden)
    completed = run_parity(str(golden), "--ids", *IDS, "--json", str(tmp_path / "parity.json"))

    assert completed.returncode == 0, completed.stdout + completed.stderr
    assert completed.stdout.splitlines()[-1] == f"{len(IDS)} passed, 0 failed"
    assert fingerprint(golden) == before
    cases = {case.id: case for case in ParityRecord.model_validate_json((tmp_path / "parity.json").read_text()).cases}
    assert cases["qt_linear_cov"].modes == ("regenie", "default")
    assert cases["qt_wNA_default"].modes == ("regenie",)  # the traits lack different samples
    assert cases["err_no_bsize"].difference == 2
    assert cases["bt_firth_approx_p05"].files[0].n_firth_rows > 0


def test_an_unknown_id_is_a_usage_error_that_names_the_nearest(golden):
    completed = run_parity(str(golden), "--ids", "qt_linear_covv")

    assert completed.returncode == 2
    assert completed.stderr == "error: no case is called qt_linear_covv; the nearest is qt_linear_cov\n"
    assert completed.stdout == ""
