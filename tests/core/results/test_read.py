"""Reading committed parts: every row with a test, and the strongest rows."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g_core.errors import InputError
from g_core.results.read import read_part, read_strongest_rows, read_tested_rows
from tests.core.results.result_rows import result_rows, write_parts

ROWS = result_rows(600)


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    tables = [ROWS.slice(0, 250), ROWS.slice(250, 1), ROWS.slice(251)]
    return [Path(part.path) for part in write_parts(tmp_path_factory.mktemp("parts"), tables)]


def test_rows_without_a_test_are_left_out(parts):
    rows = read_tested_rows(parts)
    tested = ROWS.filter([status == "ok" for status in ROWS["STATUS"].to_pylist()])
    assert rows.positions.tolist() == tested["GENPOS"].to_pylist()
    assert rows.chromosome_codes.tolist() == tested["CHROM_CODE"].to_pylist()
    np.testing.assert_array_equal(rows.chi_square, tested["CHISQ"])
    np.testing.assert_array_equal(rows.log10_p, tested["LOG10P"])


def test_no_parts_have_no_rows():
    rows = read_tested_rows([])
    assert rows.log10_p.size == rows.positions.size == 0
    assert read_strongest_rows([], 5, ("LOG10P",)) == []


@given(count=st.integers(0, 700))
@settings(max_examples=20)
def test_the_strongest_rows_are_those_of_a_whole_sort(parts, count):
    strengths = [value for value in ROWS["LOG10P"].to_pylist() if value is not None]
    found = [row["LOG10P"] for row in read_strongest_rows(parts, count, ("ID", "LOG10P"))]
    assert found == sorted(strengths, reverse=True)[:count]


def test_of_equal_rows_the_first_ones_are_told(tmp_path):
    one = ROWS.slice(0, 1)
    paths = [Path(part.path) for part in write_parts(tmp_path, [ROWS.slice(0, 1), one, ROWS.slice(5, 1)])]
    found = read_strongest_rows([paths[0], paths[1], paths[0]], 2, ("ID", "LOG10P"))
    assert [row["ID"] for row in found] == ["rs0", "rs0"]


def test_a_part_that_is_gone_is_named(tmp_path):
    with pytest.raises(InputError, match=r"part-00007\.parquet: no such file"):
        read_tested_rows([tmp_path / "part-00007.parquet"])


def test_a_damaged_part_is_named(tmp_path):
    damaged = tmp_path / "part.parquet"
    damaged.write_bytes(b"PAR1 and nothing else")
    with pytest.raises(InputError, match=r"part\.parquet: cannot be read"):
        read_part(damaged, ["LOG10P"])


def test_another_table_is_told_apart(tmp_path, parts):
    with pytest.raises(InputError, match="has no column EFFECT"):
        read_part(parts[0], ["LOG10P", "EFFECT"])
