"""g bgen: what a file holds, and its first variants."""

import numpy as np
import pytest

from g_core import _native
from g_core.cli.main import main


@pytest.fixture
def bgen(tmp_path):
    path = tmp_path / "small.bgen"
    writer = _native.BgenWriter(
        str(path), sample_ids=["1_1", "2_2", "3_3", "4_4"], n_samples=4, compression="zlib", level=6, threads=1
    )
    writer.write(
        chromosome="22",
        rsids=["rs1", "rs2", "rs3"],
        positions=np.array([10, 20, 30], np.uint32),
        first_alleles=["A"] * 3,
        second_alleles=["C"] * 3,
        probabilities=np.zeros((3, 4, 2), np.uint8),
        missing=None,
    )
    writer.finish()
    return path


def test_info_prints_what_the_file_holds(bgen, capsys):
    assert main(["bgen", "info", str(bgen)]) == 0
    assert capsys.readouterr().out == (
        f"file         {bgen}\n"
        f"bytes        {bgen.stat().st_size}\n"
        "layout       2\n"
        "compression  zlib\n"
        "samples      4\n"
        "identifiers  1_1, 2_2, 3_3, ...\n"
        "variants     3\n"
    )


def test_first_copies_as_many_variants_as_asked(bgen, tmp_path, capsys):
    target = tmp_path / "cut.bgen"
    assert main(["bgen", "first", "--variants", "2", str(bgen), str(target)]) == 0
    assert capsys.readouterr().out == f"{target}: 2 variants\n"
    assert _native.BgenReader(str(target)).n_variants == 2


def test_a_file_that_is_not_there_is_an_input_error(tmp_path, capsys):
    path = tmp_path / "none.bgen"
    assert main(["bgen", "info", str(path)]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert str(path) in error
