"""The checksum of rows: equal where the rows are, whatever file they lie in."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from g_assets.payloads.result_checksum import ResultError, column_bytes, rows_sha256

TABLE = pl.DataFrame(
    {"ID": ["a", "b", None, "d"], "BETA": [1.0, None, 0.0, -2.5], "N": pl.Series([1, 2, 3, 4], dtype=pl.Int32)}
)


def checksum(tmp_path, *tables, **options):
    names = []
    for number, table in enumerate(tables):
        names.append(f"part-{number}.parquet")
        table.write_parquet(tmp_path / names[-1], **options)
    return rows_sha256(tmp_path, [("trait", names)])


def test_parts_compression_column_order_and_dictionaries_do_not_count(tmp_path):
    whole = checksum(tmp_path, TABLE)
    assert checksum(tmp_path, TABLE[:1], TABLE[1:]) == whole
    assert checksum(tmp_path, TABLE, compression="uncompressed", row_group_size=2) == whole
    assert checksum(tmp_path, TABLE.select("N", "BETA", "ID")) == whole
    assert checksum(tmp_path, TABLE.with_columns(pl.col("ID").cast(pl.Categorical))) == whole


@pytest.mark.parametrize(
    "other",
    [
        TABLE[:3],
        TABLE.reverse(),
        TABLE.with_columns(pl.col("BETA").fill_null(0.0)),
        TABLE.with_columns(pl.col("ID").fill_null("")),
        TABLE.with_columns(pl.col("N").cast(pl.Int64)),
        TABLE.rename({"N": "M"}),
        TABLE.with_columns(BETA=pl.Series([1.0, None, -0.0, -2.5])),
    ],
    ids=["fewer", "reversed", "zero for null", "empty for null", "wider", "renamed", "minus zero"],
)
def test_any_other_content_counts(tmp_path, other):
    assert checksum(tmp_path, other) != checksum(tmp_path, TABLE)


@given(first=st.lists(st.text(max_size=3), max_size=4), second=st.lists(st.text(max_size=3), max_size=4))
def test_two_text_columns_read_alike_only_when_they_are_equal(first, second):
    columns = [pl.Series("x", texts, dtype=pl.String) for texts in (first, second)]
    assert (column_bytes(columns[0]) == column_bytes(columns[1])) is (first == second)


def test_a_trait_without_parts_still_counts(tmp_path):
    assert rows_sha256(tmp_path, [("a", [])]) != rows_sha256(tmp_path, [("b", [])])


def test_a_missing_part_is_told_with_its_trait(tmp_path):
    with pytest.raises(ResultError, match="trait height"):
        rows_sha256(tmp_path, [("height", ["gone.parquet"])])
