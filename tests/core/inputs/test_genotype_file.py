"""A scan tells what is odd about a genotype file that can be read."""

import numpy as np
import pytest

from g_core._native import BgenReader, BgenWriter
from g_core.inputs.findings import Findings
from g_core.inputs.genotype_file import note_genotype_file


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "study.bgen"
    writer = BgenWriter(str(path), sample_ids=None, n_samples=2, compression="zlib", level=6, threads=1)
    writer.write(
        chromosome="1",
        rsids=["rs1"],
        positions=np.array([10], np.uint32),
        first_alleles=["A"],
        second_alleles=["C"],
        probabilities=np.zeros((1, 2, 2), np.uint8),
        missing=None,
    )
    writer.finish()
    return path


def notes(path):
    findings = Findings()
    note_genotype_file(BgenReader(str(path)), findings)
    return findings.notes


def test_a_sound_file_needs_no_note(path):
    assert notes(path) == []


def test_bytes_after_the_last_variant_are_told(path):
    path.write_bytes(path.read_bytes() + b"xyz")
    assert notes(path) == [f"{path}: 3 bytes follow the last of 1 variants and are not read; g bgen check tells where"]


def test_an_index_of_another_file_is_told_and_not_used(path):
    path.with_name("study.bgen.bgi").write_text("stale")
    (note,) = notes(path)
    assert "study.bgen.bgi: does not fit" in note
    assert note.endswith("it is not used")
