"""g regenie on bad input: one message that names file and place, exit code 2, and no results."""

import numpy as np
import pytest

from g_core import _native
from g_core.cli.main import main

SAMPLES = [f"{number}_{number}" for number in range(1, 21)]


@pytest.fixture
def study(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    writer = _native.BgenWriter(
        "study.bgen", sample_ids=SAMPLES, n_samples=len(SAMPLES), compression="zlib", level=6, threads=1
    )
    writer.write(
        chromosome="22",
        rsids=["rs1", "rs2"],
        positions=np.array([10, 20], np.uint32),
        first_alleles=["A", "A"],
        second_alleles=["C", "C"],
        probabilities=np.full((2, len(SAMPLES), 2), 80, np.uint8),
        missing=None,
    )
    writer.finish()
    rows = "".join(f"{number} {number} {number * 0.3:.1f}\n" for number in range(1, 21))
    (tmp_path / "pheno.txt").write_text(f"FID IID Y\n{rows}")
    (tmp_path / "y.loco").write_text(f"FID_IID {' '.join(SAMPLES)}\n1 {' '.join(['0.1'] * len(SAMPLES))}\n")
    (tmp_path / "pred.list").write_text("Y y.loco\n")
    return tmp_path


def refusal(capsys, study, *words):
    before = {path.name for path in study.iterdir()}
    given = ["--bgen", "study.bgen", "--phenoFile", "pheno.txt", "--out", "out", *words]
    if "--pred" not in words:
        given.append("--ignore-pred")
    assert main(["regenie", *given]) == 2
    assert {path.name for path in study.iterdir()} == before
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    return error.removeprefix("error: ")


def test_a_missing_file(study, capsys):
    (study / "study.bgen").unlink()
    assert refusal(capsys, study) == "--bgen study.bgen: no such file\n"


def test_a_file_that_is_no_bgen(study, capsys):
    content = bytearray((study / "study.bgen").read_bytes())
    content[16:20] = b"BGEX"
    (study / "study.bgen").write_bytes(content)
    assert "study.bgen: not a BGEN file" in refusal(capsys, study)


def test_a_bgen_that_is_cut_short(study, capsys):
    (study / "study.bgen").write_bytes((study / "study.bgen").read_bytes()[:-5])
    assert "study.bgen: file ends inside variant 2 of 2" in refusal(capsys, study)


def test_no_sample_in_common(study, capsys):
    (study / "pheno.txt").write_text("FID IID Y\na a 1\nb b 2\nc c 3\n")
    assert refusal(capsys, study) == (
        "pheno.txt: 0 of 3 samples are in the genotypes; identifiers are compared as FID_IID\n"
        "in this file: 'a_a' (line 2), 'b_b' (line 3), 'c_c' (line 4)\n"
        "in study.bgen: '1_1', '2_2', '3_3'\n"
        "give --sample FILE to name the samples of the BGEN\n"
    )


def test_an_absent_column(study, capsys):
    assert refusal(capsys, study, "--phenoCol", "Z") == "pheno.txt: no column Z (--phenoColList); columns: Y\n"


def test_a_trait_without_predictions(study, capsys):
    (study / "pred.list").write_text("Z y.loco\n")
    assert refusal(capsys, study, "--pred", "pred.list") == (
        "pred.list: no predictions for any trait of the run (Y); the list has: Z\n"
    )


def test_a_chromosome_without_predictions(study, capsys):
    assert refusal(capsys, study, "--pred", "pred.list") == (
        "trait Y: y.loco: no row for chromosome 22; rows present: 1\n"
    )
