"""REGENIE's text, to the byte: digits, missing values, failed lines, and the commit of the file.

Belongs here: the native text writer. Does not belong here: which rows a result has.
"""

import gzip
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from g_core import _native
from g_core.errors import OutputError


@given(st.floats(allow_nan=False))
@example(-0.0)
@example(999999.5)
@example(123456.5)
@example(1.2345650000000001e-06)
@example(5e-324)
def test_numbers_are_printed_as_c_prints_them(value: float) -> None:
    assert _native.format_g6(value) == f"{value:.6g}"


@given(st.integers(100_000, 999_999), st.integers(-20, 20), st.integers(-2, 2))
def test_numbers_near_a_half_are_printed_as_c_prints_them(digits: int, exponent: int, steps: int) -> None:
    value = float(f"{digits}5e{exponent}")
    for _ in range(abs(steps)):
        value = float(np.nextafter(value, np.inf * steps))
    assert _native.format_g6(value) == f"{value:.6g}"


def test_nan_is_na() -> None:
    assert _native.format_g6(float("nan")) == "NA"


def batch_of_rows(n_rows: int, **changes: pa.Array) -> pa.RecordBatch:
    """Made-up rows of a binary trait, the third one failed."""
    rows = np.arange(n_rows)
    failed = rows == 2
    columns = {
        "CHROM_CODE": pa.array(np.full(n_rows, 23, np.int8)),
        "GENPOS": pa.array((100 + rows).astype(np.uint32)),
        "ID": pa.array([f"rs{row}" for row in rows], pa.string()),
        "ALLELE0": pa.array(["A"] * n_rows, pa.string()),
        "ALLELE1": pa.array(["CTT"] * n_rows, pa.string()).dictionary_encode(),
        "A1FREQ": pa.array(0.123456789 + rows * 1e-6),
        "A1FREQ_CASES": pa.array(0.1 + rows),
        "A1FREQ_CONTROLS": pa.array(0.2 + rows),
        "INFO": pa.array(np.full(n_rows, 0.94428)),
        "N": pa.array(np.full(n_rows, 600, np.int32)),
        "N_CASES": pa.array(np.full(n_rows, 60, np.int32)),
        "N_CONTROLS": pa.array(np.full(n_rows, 540, np.int32)),
        "TEST": pa.array(["ADD"] * n_rows, pa.string()).dictionary_encode(),
        "BETA": pa.array(-0.000123456789 * (rows + 1), mask=failed),
        "SE": pa.array(0.25 * (rows + 1), mask=failed),
        "CHISQ": pa.array(1234567.0 + rows, mask=failed),
        "LOG10P": pa.array(1087.68375 + rows, mask=failed),
        "STATUS": pa.array(["failed" if row == 2 else "ok" for row in rows], pa.string()).dictionary_encode(),
    }
    return pa.RecordBatch.from_pydict(columns | changes)


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def written(
    folder: Path, batches: list[pa.RecordBatch], *, compressed: bool = False, case_control_columns: bool = False
) -> bytes:
    writer = _native.RegenieTextWriter(
        temporary_path=str(folder / ".text.tmp"),
        final_path=str(folder / "text"),
        gzip=compressed,
        case_control_columns=case_control_columns,
    )
    for batch in batches:
        writer.append(batch)
    assert not (folder / "text").exists()
    assert writer.finish() == sum(batch.num_rows for batch in batches)
    assert names_in(folder) == ["text"]
    return (folder / "text").read_bytes()


def test_the_lines_of_a_binary_trait(tmp_path: Path) -> None:
    assert written(tmp_path, [batch_of_rows(3)], case_control_columns=True).decode().split("\n") == [
        (
            "CHROM GENPOS ID ALLELE0 ALLELE1 A1FREQ A1FREQ_CASES A1FREQ_CONTROLS INFO N N_CASES N_CONTROLS "
            "TEST BETA SE CHISQ LOG10P EXTRA"
        ),
        "23 100 rs0 A CTT 0.123457 0.1 0.2 0.94428 600 60 540 ADD -0.000123457 0.25 1.23457e+06 1087.68 NA",
        "23 101 rs1 A CTT 0.123458 1.1 1.2 0.94428 600 60 540 ADD -0.000246914 0.5 1.23457e+06 1088.68 NA",
        "23 102 rs2 A CTT 0.123459 2.1 2.2 0.94428 600 60 540 ADD NA NA NA NA TEST_FAIL",
        "",
    ]


def test_a_failed_line_prints_the_uncorrected_effect(tmp_path: Path) -> None:
    effects = {"TEXT_BETA": pa.array([None, None, 1.25]), "TEXT_SE": pa.array([None, None, 0.5])}
    lines = written(tmp_path, [batch_of_rows(3, **effects)]).decode().split("\n")
    assert lines[1] == "23 100 rs0 A CTT 0.123457 0.94428 600 ADD -0.000123457 0.25 1.23457e+06 1087.68 NA"
    assert lines[3] == "23 102 rs2 A CTT 0.123459 0.94428 600 ADD 1.25 0.5 NA NA TEST_FAIL"


@pytest.mark.parametrize("standard_error", [None, 0.0, -1.0, float("nan"), float("inf"), 1e-310])
def test_an_effect_without_a_usable_error_is_na(tmp_path: Path, standard_error: float | None) -> None:
    batch = batch_of_rows(1, SE=pa.array([standard_error], pa.float64()))
    assert written(tmp_path, [batch]).decode().split("\n")[1].endswith(" ADD NA NA 1.23457e+06 1087.68 NA")


@pytest.mark.parametrize(
    ("column", "value"),
    [("CHISQ", -1e-9), ("CHISQ", None), ("LOG10P", 0.0), ("LOG10P", float("nan")), ("LOG10P", None)],
)
def test_a_statistic_out_of_range_is_na(tmp_path: Path, column: str, value: float | None) -> None:
    batch = batch_of_rows(1, **{column: pa.array([value], pa.float64())})
    assert written(tmp_path, [batch]).decode().split("\n")[1].endswith(" ADD -0.000123457 0.25 NA NA NA")


def test_a_negative_info_and_a_null_frequency_are_na(tmp_path: Path) -> None:
    batch = batch_of_rows(1, INFO=pa.array([-0.5]), A1FREQ=pa.array([None], pa.float64()))
    assert " CTT NA NA 600 " in written(tmp_path, [batch]).decode()


def test_a_polars_frame_prints_the_same(tmp_path: Path) -> None:
    frame = pl.from_arrow(pa.Table.from_batches([batch_of_rows(3)]))
    assert isinstance(frame, pl.DataFrame)
    (batch,) = frame.to_arrow(compat_level=pl.CompatLevel.newest()).to_batches()
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    assert written(tmp_path / "a", [batch]) == written(tmp_path / "b", [batch_of_rows(3)])


def test_gzip_holds_the_same_text_and_no_time(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
    plain = written(tmp_path / "a", [batch_of_rows(20_000)])
    compressed = written(tmp_path / "b", [batch_of_rows(20_000)], compressed=True)
    batch = batch_of_rows(20_000)
    cut = written(tmp_path / "c", [batch.slice(0, 7), batch.slice(7, 11_000), batch.slice(11_007)], compressed=True)
    assert gzip.decompress(compressed) == plain
    assert compressed[4:8] == bytes(4)
    assert cut == compressed


def test_a_run_without_rows_leaves_a_header(tmp_path: Path) -> None:
    assert written(tmp_path, []) == b"CHROM GENPOS ID ALLELE0 ALLELE1 A1FREQ INFO N TEST BETA SE CHISQ LOG10P EXTRA\n"


def test_a_column_that_is_not_there_is_named(tmp_path: Path) -> None:
    writer = _native.RegenieTextWriter(
        temporary_path=str(tmp_path / ".text"),
        final_path=str(tmp_path / "text"),
        gzip=False,
        case_control_columns=False,
    )
    with pytest.raises(OutputError, match="text: column SE: it is not in the batch, which has CHROM_CODE GENPOS ID"):
        writer.append(batch_of_rows(1).drop_columns(["SE"]))
    with pytest.raises(OutputError, match="text: column BETA: its type is Utf8, expected a number"):
        writer.append(batch_of_rows(1, BETA=pa.array(["1"])))


def test_without_finish_nothing_stays(tmp_path: Path) -> None:
    writer = _native.RegenieTextWriter(
        temporary_path=str(tmp_path / ".text"),
        final_path=str(tmp_path / "text"),
        gzip=False,
        case_control_columns=False,
    )
    writer.append(batch_of_rows(3))
    assert names_in(tmp_path) == [".text"]
    del writer
    assert names_in(tmp_path) == []


def test_a_finished_writer_takes_no_rows(tmp_path: Path) -> None:
    writer = _native.RegenieTextWriter(
        temporary_path=str(tmp_path / ".text"),
        final_path=str(tmp_path / "text"),
        gzip=False,
        case_control_columns=False,
    )
    writer.finish()
    with pytest.raises(OutputError, match="this writer is closed"):
        writer.append(batch_of_rows(1))


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"absent/\.text: cannot be created: its folder does not exist"):
        _native.RegenieTextWriter(
            temporary_path=str(tmp_path / "absent" / ".text"),
            final_path=str(tmp_path / "text"),
            gzip=False,
            case_control_columns=False,
        )


def test_a_full_disk_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    # Writing to this device fails as on a full disk; the link goes, not the device.
    (tmp_path / ".text").symlink_to("/dev/full")
    writer = _native.RegenieTextWriter(
        temporary_path=str(tmp_path / ".text"),
        final_path=str(tmp_path / "text"),
        gzip=False,
        case_control_columns=False,
    )
    with pytest.raises(OutputError, match="text: cannot be written: the disk is full"):
        writer.append(batch_of_rows(20_000))
    assert names_in(tmp_path) == []


def floats_of(cells: list[str]) -> pa.Array:
    return pa.array([None if cell == "NA" else float(cell) for cell in cells], pa.float64())


def batch_of_text(lines: list[list[str]], names: list[str]) -> pa.RecordBatch:
    """The result batch that a REGENIE file's rows came from."""
    cells = {name: [line[index] for line in lines] for index, name in enumerate(names)}
    integers = {
        "CHROM": pa.int8(),
        "GENPOS": pa.uint32(),
        "N": pa.int32(),
        "N_CASES": pa.int32(),
        "N_CONTROLS": pa.int32(),
    }
    columns = dict[str, pa.Array]()
    for name, texts in cells.items():
        if name in integers:
            columns["CHROM_CODE" if name == "CHROM" else name] = pa.array([int(text) for text in texts], integers[name])
        elif name in {"ID", "ALLELE0", "ALLELE1", "TEST"}:
            columns[name] = pa.array(texts, pa.string())
        elif name == "EXTRA":
            columns["STATUS"] = pa.array(["failed" if text == "TEST_FAIL" else "ok" for text in texts], pa.string())
        else:
            columns[name] = floats_of(texts)
    return pa.RecordBatch.from_pydict(columns)


def test_golden_files_are_written_again_to_the_byte(golden: Path, tmp_path: Path) -> None:
    written_again = 0
    failed_lines = 0
    for path in sorted((golden / "step2").glob("*/out_*.regenie")):
        content = path.read_bytes()
        names, *lines = (line.split(" ") for line in content.decode().splitlines())
        if "INFO" not in names or names[-2] != "LOG10P":
            continue  # another genotype format, or one file for all traits
        folder = tmp_path / str(written_again)
        folder.mkdir()
        batch = batch_of_text(lines, names)
        assert written(folder, [batch], case_control_columns="N_CASES" in names) == content, path
        written_again += 1
        failed_lines += content.count(b" TEST_FAIL")
    assert written_again > 100
    assert failed_lines > 0
