"""Stored null Firth coefficients: REGENIE's files to the byte, and a note wherever a stored start cannot be used."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from g_core.engine.null_firth_files import NullFirthWriter, load_null_firth_starts
from g_core.engine.run_directory import RunDirectory
from g_core.errors import InputError


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    """A list of two traits; the first one's file has two chromosomes of three coefficients, the other's is gzip."""
    (tmp_path / "first.firth").write_text("1 0.5 -2 1e-3\r\nX 1 2 3\n")
    (tmp_path / "second.firth.gz").write_bytes(gzip.compress(b"22 7 8\n"))
    path = tmp_path / "firth.list"
    path.write_text("height first.firth\nweight second.firth.gz\n")
    return path


def refusal(path: Path, *traits: str) -> str:
    with pytest.raises(InputError) as refused:
        load_null_firth_starts(path, traits)
    return str(refused.value)


def test_coefficients_are_found_by_trait_and_chromosome(stored: Path) -> None:
    starts = load_null_firth_starts(stored, ["weight", "height"])
    first, x, second = starts.start("height", 1, 3), starts.start("height", 23, 3), starts.start("weight", 22, 2)
    assert first is not None
    assert x is not None
    assert second is not None
    assert (first.tolist(), x.tolist(), second.tolist()) == ([0.5, -2.0, 1e-3], [1.0, 2.0, 3.0], [7.0, 8.0])
    assert first.dtype == np.float64
    assert starts.notes == []


def test_what_does_not_fit_is_noted_once_and_leaves_the_usual_start(stored: Path) -> None:
    starts = load_null_firth_starts(stored, ["height", "age"])
    assert starts.start("age", 1, 3) is None
    for _ in range(2):
        assert starts.start("height", 2, 3) is None
        assert starts.start("height", 1, 4) is None
    folder = stored.parent
    assert starts.notes == [
        f"trait age: the null Firth fit has its usual start: {stored} has no line for the trait",
        (
            f"trait height: the null Firth fit of chromosome 2 has its usual start: {folder}/first.firth has no line "
            "for it; lines present: 1, 23"
        ),
        (
            f"trait height: the null Firth fit of chromosome 1 has its usual start: {folder}/first.firth has 3 "
            "coefficients for it, and the covariates of this run have 4 directions"
        ),
    ]


def test_every_wrong_line_and_file_is_told(stored: Path, tmp_path: Path) -> None:
    (tmp_path / "first.firth").write_text("1 0.5 x\nMT 1 2\n\n2\n3 1\n3 nan\n03 4\n")
    stored.write_text("height first.firth\nweight absent.firth\nage other.firth\n")
    assert refusal(stored, "height", "weight") == (
        "6 problems:\n"
        f"  - {tmp_path}/first.firth, line 1: 'x' is no number\n"
        f"  - {tmp_path}/first.firth, line 2: 'MT' is no chromosome\n"
        f"  - {tmp_path}/first.firth, line 4: no coefficients after the chromosome\n"
        f"  - {tmp_path}/first.firth, line 6: 'nan' is no number\n"
        f"  - {tmp_path}/first.firth, line 7: chromosome 3 has a line above\n"
        f"  - {stored}, line 2: no such file absent.firth or {tmp_path}/absent.firth"
    )


def test_a_file_that_holds_nothing_usable_is_refused(stored: Path, tmp_path: Path) -> None:
    (tmp_path / "first.firth").write_text("\n")
    assert "holds no coefficients" in refusal(stored, "height")
    (tmp_path / "first.firth").write_text("1 2\n01 3\n")
    assert refusal(stored, "height").endswith("first.firth, line 2: chromosome 1 has a line above")
    (tmp_path / "first.firth").write_bytes(gzip.compress(b"1 2\n")[:-4])
    assert "is no text" in refusal(stored, "height")
    (tmp_path / "first.firth").write_bytes(b"\xff\xfe")
    assert "is no text" in refusal(stored, "height")


def test_files_are_written_and_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    directory = RunDirectory(Path("out"))
    directory.create()
    directory.create_rooms(())
    writer = NullFirthWriter(["Y1", "Y2", "Y3"])
    writer.add("Y3", 1, np.array([1.0 / 3.0, -1234567.0]))
    writer.add("Y1", 22, np.array([2.0, 3.0]))
    writer.add("Y1", 23, np.array([4.0, 1e-7]))
    assert writer.write(directory) == ("out_1.firth", "out_3.firth", "out_firth.list")
    assert (tmp_path / "out_1.firth").read_bytes() == b"22 2 3\n23 4 1e-07\n"
    assert (tmp_path / "out_3.firth").read_bytes() == b"1 0.333333 -1.23457e+06\n"
    assert (tmp_path / "out_firth.list").read_text() == f"Y1 {tmp_path}/out_1.firth\nY3 {tmp_path}/out_3.firth\n"
    again = load_null_firth_starts(Path("out_firth.list"), ["Y1"]).start("Y1", 23, 2)
    assert again is not None
    assert again.tolist() == [4.0, 1e-7]


@pytest.mark.golden
def test_files_of_regenie_are_written_again_to_the_byte(
    golden: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(golden)
    starts = load_null_firth_starts(Path("step2/bt_write_null_firth/out_firth.list"), ["Y1", "Y2"])
    writer = NullFirthWriter(["Y1", "Y2"])
    for trait in ("Y1", "Y2"):
        coefficients = starts.start(trait, 1, 4)
        assert coefficients is not None
        writer.add(trait, 1, coefficients)
    directory = RunDirectory(tmp_path / "out")
    directory.create()
    directory.create_rooms(())
    for name in writer.write(directory)[:-1]:
        assert (tmp_path / name).read_bytes() == (golden / "step2/bt_write_null_firth" / name).read_bytes()
