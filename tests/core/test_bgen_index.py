"""A .bgi beside a BGEN file: one of another file, or of an older state, is found out."""

import sqlite3

import numpy as np
import pytest

from g_core._native import BgenReader, BgenWriter
from g_core.bgen_index import describe_index, index_beside
from g_core.cli.main import main

N_VARIANTS = 3


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "a 100% file?.bgen"
    writer = BgenWriter(str(path), sample_ids=None, n_samples=2, compression="zlib", level=6, threads=1)
    writer.write(
        chromosome="1",
        rsids=["rs"] * N_VARIANTS,
        positions=np.arange(N_VARIANTS, dtype=np.uint32),
        first_alleles=["A"] * N_VARIANTS,
        second_alleles=["C"] * N_VARIANTS,
        probabilities=np.zeros((N_VARIANTS, 2, 2), np.uint8),
        missing=None,
    )
    writer.finish()
    return path


@pytest.fixture
def make_index(path):
    def make(*, size=None, beginning=None, count=N_VARIANTS, end=None, metadata=True):
        content = path.read_bytes()
        size, beginning, end = size or len(content), beginning or content[:1000], end or len(content)
        index = path.with_name(f"{path.name}.bgi")
        index.unlink(missing_ok=True)
        with sqlite3.connect(index) as connection:
            connection.execute("CREATE TABLE Variant (rsid TEXT, file_start_position INT, size_in_bytes INT)")
            rows = [("rs", end - 10 * number, 0) for number in range(count)]
            connection.executemany("INSERT INTO Variant VALUES (?, ?, ?)", rows)
            if metadata:
                connection.execute("CREATE TABLE Metadata (file_size INT, first_1000_bytes BLOB)")
                connection.execute("INSERT INTO Metadata VALUES (?, ?)", (size, beginning))
        connection.close()
        return describe_index(index, BgenReader(str(path)))

    return make


def test_an_index_that_fits_is_not_needed(make_index):
    assert "it is not needed" in make_index()
    assert "it is not needed" in make_index(metadata=False)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"size": 17}, "of a file of 17 bytes"),
        ({"beginning": b"other"}, "begins differently"),
        ({"count": 2}, "it has 2 variants, the file 3"),
        ({"end": 55, "metadata": False}, "ends at byte 55"),
    ],
)
def test_an_index_of_another_file_is_named_with_the_reason(make_index, change, words):
    note = make_index(**change)
    assert "does not fit" in note
    assert words in note


def test_info_tells_of_the_index_beside_the_file(path, make_index, capsys):
    assert index_beside(path) is None
    make_index(count=1)
    assert main(["bgen", "info", str(path)]) == 0
    assert "it has 1 variants, the file 3" in capsys.readouterr().out
    path.with_name(f"{path.name}.bgi").write_text("not SQLite")
    assert main(["bgen", "info", str(path)]) == 0
    assert "it is no readable index" in capsys.readouterr().out
