"""The manifest of unusual BGEN files: right answers pass, wrong ones are found."""

import json
import shutil

import pytest

from g_assets.parity.bgen import main

VALID, DAMAGED, TRAILING, HUGE = "ploidy_mix_12", "bad_zlib_flip", "bad_count_low", "bad_D_huge"


@pytest.mark.golden
def test_every_file_of_the_golden_manifest_passes(golden, capsys):
    assert main([str(golden / "bgen_odd" / "manifest.json")]) == 0
    assert capsys.readouterr().out.endswith(" passed, 0 failed\n")


@pytest.fixture
def folder(golden, tmp_path):
    """Four files, and a manifest that a test may falsify."""
    files = json.loads((golden / "bgen_odd" / "manifest.json").read_text())["files"]
    kept = {file["id"]: file for file in files if file["id"] in {VALID, DAMAGED, TRAILING, HUGE}}
    for file in kept.values():
        shutil.copy(golden / "bgen_odd" / file["file"], tmp_path)

    def check(**changes):
        changed = [file | changes.get(name, {}) for name, file in kept.items()]
        (tmp_path / "manifest.json").write_text(json.dumps({"files": changed}))
        return main([str(tmp_path / "manifest.json")])

    check.truth = kept
    return check


def changed_variant(truth, **change):
    return {"variants": [truth["variants"][0] | change, *truth["variants"][1:]]}


@pytest.mark.golden
def test_each_kind_of_disagreement_is_one_failed_file(folder, capsys):
    assert folder() == 0
    assert capsys.readouterr().out.endswith("4 passed, 0 failed\n")
    truth = folder.truth[VALID]
    values = [list(row) for row in truth["variants"][0]["probabilities"]]
    values[3][0] += 2e-6
    dosage = [*truth["variants"][0]["dosage"][:-1], None]
    changes = {
        "sample identifiers": {"sample_ids": None},
        "compression": {"compression": "none"},
        "identity": changed_variant(truth, rsid="other"),
        "bits": changed_variant(truth, bits=9),
        "ploidy": changed_variant(truth, ploidy=[2] * 21),
        "probabilities of sample 4": changed_variant(truth, probabilities=values),
        "dosage of the second allele of sample 21": changed_variant(truth, dosage=dosage),
    }
    for words, change in changes.items():
        assert folder(**{VALID: change}) == 1
        output = capsys.readouterr().out
        assert f"FAILED {VALID}\n" in output
        assert words in output
        assert output.endswith("3 passed, 1 failed\n")


@pytest.mark.golden
def test_a_damaged_file_must_be_refused_and_a_refused_one_be_damaged(folder, capsys):
    assert folder(**{DAMAGED: {"valid": True, "variants": []}}) == 1
    assert "refused: " in capsys.readouterr().out
    must_refuse = {"valid": False, "must": "be refused with a clear error"}
    assert folder(**{VALID: must_refuse}) == 1
    assert "read without an error" in capsys.readouterr().out
    assert folder(**{VALID: must_refuse | {"must": "be refused without trying to allocate 4 GiB"}}) == 1
    assert "not refused cleanly within bounded memory" in capsys.readouterr().out
    assert folder(**{VALID: must_refuse | {"must": "read two variants"}}) == 1
    assert "went unnoticed" in capsys.readouterr().out
    assert folder(**{VALID: must_refuse | {"must": "sing"}}) == 1
    assert "no rule" in capsys.readouterr().out


def test_a_manifest_that_is_not_there_or_is_none_is_a_usage_error(tmp_path, capsys):
    assert main([str(tmp_path / "absent.json")]) == 2
    assert "absent.json" in capsys.readouterr().err
    (tmp_path / "other.json").write_text("[]")
    assert main([str(tmp_path / "other.json")]) == 2
    assert "not a manifest" in capsys.readouterr().err
