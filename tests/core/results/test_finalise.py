"""The one file of a trait: sorted, the same bytes however its rows were cut, and open to every reader."""

import itertools
from pathlib import Path

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g_core import _native
from g_core.config.choices import Compression
from g_core.errors import InputError, OutputError
from g_core.results.finalise import LEAST_ROW_GROUP_ROWS, finalise_trait
from g_core.results.schema import RESULT_SCHEMA
from tests.core.results.result_rows import result_rows, write_parts

ROWS = result_rows(2000, chromosomes=(1, 9, 22, 23))


def finalised(folder: Path, tables: list[pa.Table], *, threads: int = 2) -> tuple[Path, _native.CommittedPart]:
    parts = [Path(part.path) for part in write_parts(folder / "parts", tables)]
    target = folder / "whole.parquet"
    facts = finalise_trait(
        parts, target, staged=folder / ".whole", trait="数据", compression=Compression.ZSTD, threads=threads
    )
    return target, facts


def cut_at(bounds: list[int]) -> list[pa.Table]:
    ends = sorted({0, ROWS.num_rows, *bounds})
    return [ROWS.slice(start, stop - start) for start, stop in itertools.pairwise(ends)]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, _native.CommittedPart]:
    return finalised(tmp_path_factory.mktemp("whole"), [ROWS], threads=1)


@given(bounds=st.lists(st.integers(0, ROWS.num_rows), max_size=12), threads=st.integers(1, 4))
@settings(max_examples=15)
def test_the_same_rows_give_the_same_bytes_whatever_the_parts_and_threads(whole, tmp_path_factory, bounds, threads):
    _, facts = finalised(tmp_path_factory.mktemp("cut"), cut_at(bounds), threads=threads)
    assert (facts.rows, facts.bytes, facts.sha256) == (whole[1].rows, whole[1].bytes, whole[1].sha256)


def test_pyarrow_reads_what_was_written(whole):
    table = pq.read_table(whole[0])
    assert table.schema.remove_metadata() == RESULT_SCHEMA
    assert table.to_pylist() == ROWS.to_pylist()


def test_polars_reads_the_same(whole):
    frame = pl.read_parquet(whole[0])
    assert frame.columns == RESULT_SCHEMA.names
    for name in RESULT_SCHEMA.names:
        assert frame[name].to_list() == ROWS[name].to_pylist(), name


def test_duckdb_reads_the_same(whole):
    with duckdb.connect() as database:
        relation = database.read_parquet(str(whole[0]))
        assert relation.columns == RESULT_SCHEMA.names
        assert relation.fetchall() == list(zip(*(ROWS[name].to_pylist() for name in RESULT_SCHEMA.names), strict=True))
        strong = database.sql(f"select count(*) from '{whole[0]}' where CHROM = 'X' and LOG10P > 1").fetchall()
    frame = pl.from_arrow(ROWS)
    assert strong == [(frame.filter((pl.col("CHROM").cast(pl.String) == "X") & (pl.col("LOG10P") > 1)).height,)]


def test_the_footer_is_sorted_and_says_what_the_rows_are(whole):
    facts = pq.read_metadata(whole[0])
    content = whole[0].read_bytes()  # pyarrow hands the entries over in an order of its own
    places = [content.rfind(key) for key in sorted(facts.metadata)]
    assert places == sorted(places)
    assert facts.metadata[b"g.trait"].decode() == "数据"
    assert facts.metadata[b"g.schema_version"] == b"1"
    assert b"cut" not in facts.metadata
    sorting = facts.row_group(0).sorting_columns
    assert [RESULT_SCHEMA.names[column.column_index] for column in sorting] == ["CHROM_CODE", "GENPOS"]


@pytest.mark.parametrize(
    ("names", "encoding"),
    [
        (["A1FREQ", "INFO", "BETA", "SE", "CHISQ", "LOG10P"], "BYTE_STREAM_SPLIT"),
        (["CHROM_CODE", "GENPOS", "N"], "DELTA_BINARY_PACKED"),
        (["CHROM", "ALLELE0", "ALLELE1", "TEST", "CORRECTION", "STATUS", "REASON"], "RLE_DICTIONARY"),
        (["ID"], "DELTA_LENGTH_BYTE_ARRAY"),
    ],
)
def test_columns_are_encoded_by_what_they_hold(whole, names, encoding):
    group = pq.read_metadata(whole[0]).row_group(0)
    for name in names:
        column = group.column(RESULT_SCHEMA.names.index(name))
        assert encoding in column.encodings, name
        assert column.compression == "ZSTD"


def test_chromosomes_that_come_in_another_order_are_sorted(whole, tmp_path):
    parts = cut_at([500, 700, 1000, 1500])  # the chromosomes end at 500, 1000 and 1500
    _, facts = finalised(tmp_path, [parts[4], parts[3], parts[0], parts[1], parts[2]])
    assert facts.sha256 == whole[1].sha256


def test_no_row_group_is_short_where_there_are_rows_enough(tmp_path):
    n_rows = 2 * LEAST_ROW_GROUP_ROWS + 17
    repeated = pa.concat_tables([ROWS] * (n_rows // ROWS.num_rows + 1)).slice(0, n_rows)
    target, _ = finalised(tmp_path, [repeated.slice(0, 70_001), repeated.slice(70_001)])
    facts = pq.read_metadata(target)
    groups = [facts.row_group(number).num_rows for number in range(facts.num_row_groups)]
    assert groups == [LEAST_ROW_GROUP_ROWS, LEAST_ROW_GROUP_ROWS + 17]


def test_a_trait_without_parts_has_a_file_without_rows(tmp_path):
    target, facts = finalised(tmp_path, [])
    assert facts.rows == 0
    assert pq.read_table(target).schema.remove_metadata() == RESULT_SCHEMA
    assert pl.read_parquet(target).shape == (0, len(RESULT_SCHEMA))
    with duckdb.connect() as database:
        assert database.sql(f"select count(*) from '{target}'").fetchall() == [(0,)]


def test_a_damaged_part_is_named_and_nothing_is_left(tmp_path):
    finalised(tmp_path, cut_at([300]))
    part = tmp_path / "parts" / "part-00001.parquet"
    part.write_bytes(part.read_bytes()[:-10])
    (tmp_path / "whole.parquet").unlink()
    with pytest.raises(InputError, match=r"part-00001\.parquet: this part cannot be read"):
        finalise_trait(
            [tmp_path / "parts" / "part-00000.parquet", part],
            tmp_path / "whole.parquet",
            staged=tmp_path / ".whole",
            trait="Y",
            compression=Compression.ZSTD,
            threads=2,
        )
    assert [path.name for path in tmp_path.iterdir()] == ["parts"]


def test_a_folder_that_is_not_there_is_named(tmp_path):
    absent = tmp_path / "absent" / ".whole"
    with pytest.raises(OutputError, match=r"absent.*its folder does not exist"):
        finalise_trait(
            [], tmp_path / "whole.parquet", staged=absent, trait="Y", compression=Compression.NONE, threads=1
        )
