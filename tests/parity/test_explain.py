"""``python -m g_assets.parity explain``: REGENIE's row beside what ``g explain`` prints."""

import json
import subprocess

import pytest

from g_assets.parity import explain as explain_module
from g_assets.parity.__main__ import main
from tests.parity.tables import ROWS, write_table


@pytest.fixture
def folder(tmp_path):
    case = {
        "id": "made",
        "trait_type": "bt",
        "genotype_format": "bgen",
        "expect": "ok",
        "argv": ["--bgen", "a.bgen", "--bt", "--out", "step2/made/out"],
        "inputs": [],
        "outputs": ["step2/made/out_Y1.regenie", "step2/made/out_Y1.regenie.ids", "step2/made/out_Y2.regenie"],
    }
    (tmp_path / "cases.json").write_text(json.dumps({"program": "regenie", "version": "4.1.2", "cases": [case]}))
    write_table(tmp_path / "step2/made/out_Y1.regenie")
    write_table(tmp_path / "step2/made/out_Y2.regenie", rows=ROWS[:1])
    return tmp_path


@pytest.fixture
def commands(monkeypatch):
    """The command lines of ``g explain``, which stands in for itself with a line of text."""
    seen = []

    def run(arguments, **_):
        seen.append(arguments[3:])
        return subprocess.CompletedProcess(arguments, 0, stdout="ours: N 500\n", stderr="")

    monkeypatch.setattr(explain_module.subprocess, "run", run)
    return seen


def test_every_trait_that_regenie_printed_is_explained_with_its_row(folder, commands, capsys):
    assert main(["explain", "made", "rs1", "--folder", str(folder)]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "ours: N 500"
    assert lines[2] == "REGENIE printed (made, trait Y1):"
    assert "  BETA     0.5" in lines
    assert "REGENIE printed (made, trait Y2):" in lines
    assert [words[-4:] for words in commands] == [["--variant", "rs1", "--trait", trait] for trait in ("Y1", "Y2")]
    assert commands[0][:2] == ["explain", "--bgen"]
    assert commands[0][-6:-4] == ["--sample-mode", "regenie"]
    assert "step2/made/out" not in commands[0]


@pytest.mark.parametrize(("words", "trait"), [(["rs2"], "Y1"), (["rs1", "--trait", "Y2"], "Y2")])
def test_a_trait_may_be_chosen_and_one_without_the_variant_is_left_out(folder, commands, words, trait):
    assert main(["explain", "made", *words, "--folder", str(folder)]) == 0
    assert [command[-1] for command in commands] == [trait]


def test_each_trait_of_a_file_of_all_is_explained_with_its_own_columns(folder, commands, capsys):
    cases = json.loads((folder / "cases.json").read_text())
    cases["cases"][0]["outputs"] = ["step2/made/out.regenie"]
    (folder / "cases.json").write_text(json.dumps(cases))
    header = "CHROM GENPOS ID ALLELE0 ALLELE1 TEST BETA.Y1 BETA.Y2 EXTRA"
    write_table(folder / "step2/made/out.regenie", header=header, rows=("1 100 rs1 G A ADD 0.5 0.25 NA",))
    (folder / "step2/made/out.regenie.Ydict").write_text("Y1 height\nY2 weight\n")

    assert main(["explain", "made", "rs1", "--folder", str(folder)]) == 0
    of_height, of_weight = capsys.readouterr().out.split("REGENIE printed")[1:]
    assert ("BETA.Y1  0.5" in of_height, "BETA.Y2" in of_height) == (True, False)
    assert ("BETA.Y2  0.25" in of_weight, "BETA.Y1" in of_weight) == (True, False)
    assert [words[-1] for words in commands] == ["height", "weight"]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["made", "rs9"], "variant rs9"),
        (["made", "rs1", "--trait", "Y3"], "it has rs1 for Y1, Y2"),
        (["mad", "rs1"], "the nearest is made"),
    ],
)
def test_what_regenie_did_not_print_is_a_usage_error(folder, commands, capsys, words, named):
    assert main(["explain", *words, "--folder", str(folder)]) == 2
    assert named in capsys.readouterr().err
    assert commands == []
