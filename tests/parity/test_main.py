"""The tool from its command line, on a made folder whose runs are refused at once."""

import json

import pytest

from g_assets.parity.__main__ import main
from g_assets.parity.record import ParityRecord

ARGUMENTS = ["--step", "2", "--qt", "--bgen", "not_there.bgen", "--phenoFile", "p.txt", "--ignore-pred", "--out"]
ERROR = "ERROR: not_there.bgen doesn't exist for option --bgen"


@pytest.fixture
def folder(tmp_path):
    golden = tmp_path / "golden"
    golden.mkdir()
    (golden / "p.txt").write_text("FID IID Y\n1 1 0.5\n")
    cases = [
        {
            "id": name,
            "trait_type": "qt",
            "expect": expect,
            "genotype_format": "bgen",
            "argv": [*ARGUMENTS, f"step2/{name}/out"],
            "inputs": ["p.txt"],
            "outputs": [],
            **({"error": ERROR} if expect == "error" else {}),
        }
        for name, expect in (("err_made", "error"), ("qt_made", "ok"))
    ]
    (golden / "cases.json").write_text(json.dumps({"program": "regenie", "version": "4.1.2", "cases": cases}))
    return golden


def test_an_expected_refusal_passes_and_an_unexpected_one_fails(folder, tmp_path, capsys):
    assert main([str(folder), "--output", str(tmp_path / "kept")]) == 1

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("passed err_made")
    assert lines[1].startswith("FAILED qt_made")
    assert "not_there.bgen" in lines[2]
    assert lines[-1] == "1 passed, 1 failed"
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == ["err_made", "qt_made"]
    assert sorted(path.name for path in folder.iterdir()) == ["cases.json", "p.txt"]


def test_chosen_cases_that_pass_end_with_exit_code_0_and_the_record_says_so(folder, tmp_path, capsys):
    assert main([str(folder), "--ids", "err_made", "--json", str(tmp_path / "parity.json")]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 passed, 0 failed"

    record = ParityRecord.model_validate_json((tmp_path / "parity.json").read_text())
    assert record.passed
    assert record.reference == "regenie 4.1.2"
    assert [(case.id, case.passed) for case in record.cases] == [("err_made", True)]
    assert record.largest_relative_error("BETA") is None


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--ids", "err_mad"], "the nearest is err_made"),
        (["--output", "."], "new folder"),
        (["--ids", "err_made", "--json", "."], "--json"),
    ],
)
def test_what_cannot_be_run_is_a_usage_error(folder, capsys, words, named):
    assert main([str(folder), *words]) == 2
    assert named in capsys.readouterr().err


def test_a_folder_without_cases_is_a_usage_error(tmp_path, capsys):
    assert main([str(tmp_path)]) == 2
    assert "cases.json" in capsys.readouterr().err
