"""Record batches cross between Python and the native module without a copy, and each side frees its own once."""

import gc
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest

from g_core import _native


def write(folder: Path, batch: object) -> None:
    """Hand one object over as a batch and wait until it is written."""
    writer = _native.PartWriter(threads=1, queue_depth=1, compression="none")
    writer.submit(
        temporary_path=str(folder / ".part"),
        final_path=str(folder / "part"),
        batches=[batch],  # pyright: ignore[reportArgumentType]
        metadata={},
    )
    writer.close()


def test_a_batch_outlives_the_object_it_came_from(tmp_path: Path) -> None:
    batch = pa.record_batch({"number": [1.5, None, 3.0], "text": ["a", "bb", None]})
    expected = batch.to_pylist()
    writer = _native.PartWriter(threads=1, queue_depth=4, compression="none")
    writer.submit(
        temporary_path=str(tmp_path / ".part"), final_path=str(tmp_path / "part"), batches=[batch], metadata={}
    )
    del batch
    gc.collect()
    writer.close()
    assert pyarrow.parquet.read_table(tmp_path / "part").to_pylist() == expected


def test_one_batch_may_be_handed_over_many_times(tmp_path: Path) -> None:
    batch = pa.record_batch({"number": list(range(1000))})
    for _ in range(50):
        write(tmp_path, batch)
    assert pyarrow.parquet.read_table(tmp_path / "part").column("number").to_pylist() == list(range(1000))
    assert batch.column(0).to_pylist() == list(range(1000))


def test_a_slice_hands_over_its_own_rows(tmp_path: Path) -> None:
    write(tmp_path, pa.record_batch({"number": list(range(10)), "text": list("abcdefghij")}).slice(3, 4))
    assert pyarrow.parquet.read_table(tmp_path / "part").to_pylist() == [
        {"number": number, "text": text} for number, text in zip(range(3, 7), "defg", strict=True)
    ]


@pytest.mark.parametrize(
    ("thing", "message"),
    [
        ({"number": [1]}, "expected a record batch: an object with the Arrow method __arrow_c_array__"),
        (pa.array([1, 2]), "expected a record batch, got an Arrow array of Int64"),
        (pa.array([{"a": 1}, None]), "a record batch has no null rows of its own"),
    ],
)
def test_what_is_no_batch_is_refused(tmp_path: Path, thing: object, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        write(tmp_path, thing)
    assert list(tmp_path.iterdir()) == []
