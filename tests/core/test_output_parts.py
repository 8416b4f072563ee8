"""Parquet parts: what is committed is whole, hashed, readable by others, and in order.

Belongs here: the native part writer. Does not belong here: the result schema and the run directory.
"""

import hashlib
import itertools
import os
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

from g_core import _native
from g_core.errors import OutputError

SCHEMA = pa.schema(
    [
        pa.field("CHROM", pa.dictionary(pa.int8(), pa.string()), nullable=False),
        pa.field("CHROM_CODE", pa.int8(), nullable=False),
        pa.field("GENPOS", pa.uint32(), nullable=False),
        pa.field("ID", pa.string(), nullable=False),
        pa.field("N", pa.int32(), nullable=False),
        pa.field("BETA", pa.float64()),
        pa.field("REASON", pa.dictionary(pa.int8(), pa.string())),
    ]
)


def batch_of(start: int, stop: int) -> pa.RecordBatch:
    """Rows of a made-up result; every fifth has no effect and a reason."""
    rows = np.arange(start, stop)
    failed = rows % 5 == 4
    words = pa.array(["no_variance", "数据"])
    columns = [
        pa.DictionaryArray.from_arrays(pa.array(np.zeros(len(rows), np.int8)), pa.array(["chr22"])),
        pa.array(np.full(len(rows), 22, np.int8)),
        pa.array((1000 + 3 * rows).astype(np.uint32)),
        pa.array([f"rs{row}" for row in rows], pa.string()),
        pa.array(np.full(len(rows), 500, np.int32)),
        pa.array(np.sin(rows), mask=failed),
        pa.DictionaryArray.from_arrays(pa.array((rows % 2).astype(np.int8), mask=~failed), words),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=SCHEMA)


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def submit(writer: _native.PartWriter, folder: Path, name: str, batches: list[pa.RecordBatch]) -> None:
    writer.submit(
        temporary_path=str(folder / f".{name}.tmp"),
        final_path=str(folder / name),
        batches=batches,
        metadata={"schema_version": "1", "plan": "数据"},
    )


@pytest.mark.parametrize("compression", ["zstd", "none"])
def test_a_part_reads_the_same_in_pyarrow_and_polars(tmp_path: Path, compression: str) -> None:
    writer = _native.PartWriter(threads=2, queue_depth=2, compression=compression)
    submit(writer, tmp_path, "part.parquet", [batch_of(0, 700), batch_of(700, 2000)])
    writer.close()
    expected = pa.Table.from_batches([batch_of(0, 2000)])
    read = pyarrow.parquet.read_table(tmp_path / "part.parquet")
    assert read.equals(expected.cast(read.schema))
    assert read.schema.names == SCHEMA.names
    assert pa.types.is_dictionary(read.schema.field("CHROM").type)
    assert read.schema.field("GENPOS").type == pa.uint32()
    frame = pl.read_parquet(tmp_path / "part.parquet")
    for name in SCHEMA.names:
        assert frame[name].cast(pl.String).to_list() == pl.Series(read[name].to_pylist()).cast(pl.String).to_list(), (
            name
        )


def test_the_committed_part_describes_its_file(tmp_path: Path) -> None:
    writer = _native.PartWriter(threads=1, queue_depth=1, compression="zstd")
    submit(writer, tmp_path, "part.parquet", [batch_of(0, 100)])
    (part,) = writer.close()
    content = (tmp_path / "part.parquet").read_bytes()
    assert part.path == str(tmp_path / "part.parquet")
    assert part.rows == 100
    assert part.bytes == len(content)
    assert part.sha256 == hashlib.sha256(content).hexdigest()


def test_the_footer_carries_the_metadata_and_the_columns_their_statistics(tmp_path: Path) -> None:
    writer = _native.PartWriter(threads=1, queue_depth=1, compression="zstd")
    submit(writer, tmp_path, "part.parquet", [batch_of(0, 100)])
    writer.close()
    facts = pyarrow.parquet.read_metadata(tmp_path / "part.parquet")
    assert facts.metadata[b"schema_version"] == b"1"
    assert facts.metadata[b"plan"].decode() == "数据"
    columns = {facts.row_group(0).column(index).path_in_schema: index for index in range(facts.num_columns)}
    positions = facts.row_group(0).column(columns["GENPOS"])
    assert (positions.statistics.min, positions.statistics.max) == (1000, 1297)
    assert "DELTA_BINARY_PACKED" in positions.encodings
    assert "BYTE_STREAM_SPLIT" in facts.row_group(0).column(columns["BETA"]).encodings
    assert facts.row_group(0).column(columns["CHROM"]).has_dictionary_page


def test_bytes_depend_on_the_rows_alone(tmp_path: Path) -> None:
    digests = set[str]()
    for name, cuts, threads in (("a", [0, 3000], 1), ("b", [0, 7, 1000, 3000], 2), ("c", [0, 2999, 3000], 4)):
        writer = _native.PartWriter(threads=threads, queue_depth=1, compression="zstd")
        batches = [batch_of(start, stop) for start, stop in itertools.pairwise(cuts)]
        submit(writer, tmp_path, name, batches)
        digests.update(part.sha256 for part in writer.close())
    assert len(digests) == 1


def test_a_part_is_the_same_whether_it_shares_columns_with_the_one_before_or_not(tmp_path: Path) -> None:
    first = [batch_of(0, 700), batch_of(700, 2000)]
    effects = SCHEMA.names.index("BETA")
    second = [
        batch.set_column(effects, SCHEMA.field("BETA"), pa.array(np.cos(np.arange(batch.num_rows)))) for batch in first
    ]
    writer = _native.PartWriter(threads=2, queue_depth=2, compression="zstd")
    for name, batches in (("a", first), ("b", second), ("c", first)):
        submit(writer, tmp_path, name, batches)
    shared = [part.sha256 for part in writer.close()]
    for name, batches in (("a", first), ("b", second)):
        alone = _native.PartWriter(threads=1, queue_depth=1, compression="zstd")
        submit(alone, tmp_path, f"alone-{name}", batches)
        (part,) = alone.close()
        assert part.sha256 == shared["abc".index(name)]
    assert shared[0] == shared[2] != shared[1]
    table = pyarrow.parquet.read_table(tmp_path / "b")
    assert table["BETA"].to_pylist() == [value for batch in second for value in batch["BETA"].to_pylist()]
    assert table["ID"].to_pylist() == [f"rs{row}" for row in range(2000)]


def test_parts_are_reported_once_in_the_order_of_submission(tmp_path: Path) -> None:
    writer = _native.PartWriter(threads=3, queue_depth=1, compression="none")
    names = [f"part-{index:02}" for index in range(12)]
    reported: list[_native.CommittedPart] = []
    for index, name in enumerate(names):
        submit(writer, tmp_path, name, [batch_of(0, 5000 if index % 3 == 0 else 10)])
        reported.extend(writer.committed())
    reported.extend(writer.close())
    assert [Path(part.path).name for part in reported] == names
    assert names_in(tmp_path) == names
    assert writer.close() == []


def test_a_folder_that_is_not_there_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    writer = _native.PartWriter(threads=1, queue_depth=4, compression="zstd")
    submit(writer, tmp_path / "absent", "part", [batch_of(0, 10)])
    with pytest.raises(OutputError, match=r"absent/\.part\.tmp: cannot be created: its folder does not exist"):
        writer.close()
    with pytest.raises(OutputError, match="absent"):
        submit(writer, tmp_path, "later", [batch_of(0, 10)])
    with pytest.raises(OutputError, match="absent"):
        writer.committed()
    assert names_in(tmp_path) == []


def test_a_final_name_that_cannot_be_taken_removes_the_temporary_file(tmp_path: Path) -> None:
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "inside").touch()
    writer = _native.PartWriter(threads=1, queue_depth=1, compression="none")
    submit(writer, tmp_path, "part", [batch_of(0, 10)])
    with pytest.raises(OutputError, match="part: cannot be renamed into place"):
        writer.close()
    assert names_in(tmp_path) == ["part"]


def test_a_full_disk_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    # Writing to this device fails as on a full disk; the link goes, not the device.
    (tmp_path / ".part.tmp").symlink_to("/dev/full")
    writer = _native.PartWriter(threads=1, queue_depth=1, compression="none")
    submit(writer, tmp_path, "part", [batch_of(0, 200_000)])
    with pytest.raises(OutputError, match="part: cannot be written: the disk is full"):
        writer.close()
    assert names_in(tmp_path) == []


def test_batches_that_do_not_fit_together(tmp_path: Path) -> None:
    writer = _native.PartWriter(threads=1, queue_depth=1, compression="none")
    submit(writer, tmp_path, "part", [batch_of(0, 3), batch_of(0, 3).select(["CHROM", "ID"])])
    with pytest.raises(OutputError, match="part: the batches of this part do not fit together: batch 1 has"):
        writer.close()
    assert names_in(tmp_path) == []


def test_a_folder_that_refuses_is_told_and_stays_empty(tmp_path: Path) -> None:
    folder = tmp_path / "read_only"
    folder.mkdir(mode=0o555)
    nobody = 65534
    own = os.geteuid()
    writer = _native.PartWriter(threads=1, queue_depth=1, compression="none")
    try:
        if own == 0:
            os.seteuid(nobody)  # the superuser may write anywhere
        submit(writer, folder, "part", [batch_of(0, 10)])
        with pytest.raises(OutputError, match=r"\.part\.tmp: cannot be created: permission denied"):
            writer.close()
    finally:
        os.seteuid(own)
    assert names_in(folder) == []


def test_a_dropped_writer_discards_its_queue_and_leaves_no_temporary_file(tmp_path: Path) -> None:
    writer = _native.PartWriter(threads=1, queue_depth=8, compression="zstd")
    for index in range(8):
        submit(writer, tmp_path, f"part-{index}", [batch_of(0, 20_000)])
    del writer
    names = names_in(tmp_path)
    assert names == [f"part-{index}" for index in range(len(names))]


@pytest.mark.parametrize(
    ("threads", "compression", "words"), [(0, "zstd", "1 or more"), (1, "snappy", "use none or zstd")]
)
def test_settings_that_cannot_be_used(threads: int, compression: str, words: str) -> None:
    with pytest.raises(OutputError, match=words):
        _native.PartWriter(threads=threads, queue_depth=1, compression=compression)
