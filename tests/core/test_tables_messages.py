"""Every wrong text table is told with its file, line, column, the text found and what was expected.

Belongs here: what the native readers tolerate and what they refuse, one test a kind. Does not belong here: joining
people between files, and codings that depend on the trait type (tests/core/inputs).
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from g_core import _native
from g_core.errors import InputError


def read_all(path: Path) -> _native.TraitTable:
    """Every column of a table, as numbers."""
    return _native.read_trait_table(str(path), numeric=_native.read_table_header(str(path)), categorical=[])


def written(folder: Path, content: str | bytes, name: str = "table.txt") -> Path:
    """A file with this content, to the byte."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def refusal(read: Callable[[str], object], path: Path) -> str:
    """The message of the refusal, with FILE in place of the path."""
    with pytest.raises(InputError) as caught:
        read(str(path))
    message = str(caught.value)
    assert message.startswith(str(path))
    return message.replace(str(path), "FILE")


def table_refusal(folder: Path, content: str | bytes) -> str:
    return refusal(lambda path: read_all(Path(path)), written(folder, content))


PLAIN = "FID IID A B\n1 i1 0.5 -1\n2 i2 NA 2e3\n"


@pytest.mark.parametrize(
    "content",
    [
        PLAIN,
        PLAIN.replace("\n", "\r\n"),
        "\ufeff" + PLAIN,
        "#" + PLAIN,
        PLAIN.replace("FID IID", "fid iid"),
        PLAIN.replace(" ", "\t"),
        PLAIN.replace(" ", "  "),
        PLAIN.replace("0.5 -1", "0.5\t-1").replace("A B", "A\tB"),
        PLAIN.replace("\n", "\t\n"),
        PLAIN.replace("\n", " \n"),
        PLAIN + "\n\r\n  \n",
        PLAIN.rstrip("\n"),
        PLAIN.replace("0.5", "+0.5").replace("2e3", "2E+3"),
        PLAIN.replace("NA", "nan"),
        PLAIN.replace("NA", "NaN"),
        PLAIN.replace("NA", "."),
        PLAIN.replace(" ", "\t").replace("NA", ""),
    ],
    ids=[
        "plain",
        "CRLF",
        "byte order mark",
        "#FID",
        "lower case",
        "tabs",
        "runs of blanks",
        "mixed",
        "trailing tab",
        "trailing blank",
        "empty lines at the end",
        "no newline at the end",
        "signs and exponents",
        "nan",
        "NaN",
        "point",
        "empty cell between tabs",
    ],
)
def test_what_a_table_may_look_like(tmp_path: Path, content: str) -> None:
    table = read_all(written(tmp_path, content))
    assert table.numeric_names == ["A", "B"]
    assert table.family_ids == ["1", "2"]
    assert table.individual_ids == ["i1", "i2"]
    assert table.line_numbers.tolist() == [2, 3]
    np.testing.assert_array_equal(table.numeric, [[0.5, -1.0], [np.nan, 2000.0]])


def test_arrays_have_the_types_of_the_contract(tmp_path: Path) -> None:
    path = written(tmp_path, "FID IID A SITE\n1 1 0 x\n2 2 1 NA\n3 3 1 x\n")
    table = _native.read_trait_table(str(path), numeric=["A"], categorical=["SITE"])
    assert table.numeric.dtype == np.float64
    assert table.numeric.flags.c_contiguous
    assert table.line_numbers.dtype == np.int64
    assert table.categorical_names == ["SITE"]
    assert table.categorical == [["x", None, "x"]]
    assert _native.read_trait_table(str(path), numeric=[], categorical=["SITE"]).numeric.shape == (3, 0)


def test_sentinels_of_other_programs_stay_numbers(tmp_path: Path) -> None:
    assert read_all(written(tmp_path, "FID IID A\n1 1 -9\n2 2 -999\n")).numeric.tolist() == [[-9.0], [-999.0]]


@pytest.mark.parametrize(
    ("header", "advice"),
    [
        ("IID A", "a file with IID alone needs a FID column before it"),
        ("#IID A", "a file with IID alone needs a FID column before it"),
        ("FID,IID,A", "a file with commas must be written with tabs"),
        ('"FID" "IID" "A"', "write names without quotes"),
        ("1001 1001 0.5", 'found "1001 1001 0.5"'),
        ("", "the file or its first line is empty"),
    ],
)
def test_a_header_without_fid_and_iid(tmp_path: Path, header: str, advice: str) -> None:
    message = table_refusal(tmp_path, header + "\n1 1 0\n")
    assert message.startswith("FILE, line 1: expected a header that starts with FID IID (or #FID IID)")
    assert advice in message


def test_a_name_twice_in_the_header(tmp_path: Path) -> None:
    message = table_refusal(tmp_path, "FID IID A B A\n1 1 0 0 0\n")
    assert message == 'FILE, line 1, column 5: the name "A" is already that of column 3'


def test_fused_names_show_as_a_count(tmp_path: Path) -> None:
    message = table_refusal(tmp_path, "FID IID PC11PC12\n1 1 0.1 0.2\n")
    assert message.startswith("FILE, line 2: 4 fields, but the header has 3")


@pytest.mark.parametrize(
    ("row", "found"),
    [("2 i2 0", 3), ("2 i2 0 0 0", 5), ("NA 123 i2 0 0", 5)],
    ids=["short", "long", "blank in an id"],
)
def test_a_row_of_another_length(tmp_path: Path, row: str, found: int) -> None:
    message = table_refusal(tmp_path, f"FID IID A B\n1 i1 0 0\n{row}\n")
    assert message.startswith(f"FILE, line 3: {found} fields, but the header has 4")
    assert message.endswith(f'The line is "{row}"')


def test_a_blank_in_an_id_of_a_tab_separated_table(tmp_path: Path) -> None:
    message = table_refusal(tmp_path, "FID\tIID\tA\nNA 123\t1\t0\n")
    assert message.startswith("FILE, line 2: 4 fields, but the header has 3; a blank inside an id or a name?")


def test_a_blank_in_an_id_cannot_hide_behind_an_empty_cell(tmp_path: Path) -> None:
    message = table_refusal(tmp_path, "FID\tIID\tA\tB\nNA 123\t1\t\t0\n")
    assert message.startswith("FILE, line 2: 5 fields, but the header has 4")


@pytest.mark.parametrize(
    ("cell", "advice"),
    [
        ("M", "name a covariate that holds text in --catCovarList"),
        ("1,5", "a decimal comma? write a point"),
        ("1x", "remove what is not part of the number"),
        ("na", "write NA for a missing value"),
        ("N/A", "write NA for a missing value"),
        ("#N/A", "write NA for a missing value"),
        ("NULL", "write NA for a missing value"),
        ("1e999", "not a finite number in double precision"),
        ("-inf", "not a finite number in double precision"),
        ('"1"', "write numbers without quotes"),
    ],
)
def test_a_cell_that_is_no_number(tmp_path: Path, cell: str, advice: str) -> None:
    message = table_refusal(tmp_path, f"FID IID AGE SEX\n1 1 30 0\n2 2 31 {cell}\n")
    shown = cell.replace('"', '\\"')
    assert message == f'FILE, line 3, column 4 (SEX): found "{shown}", expected a number or NA; {advice}'


def test_hidden_characters_are_shown(tmp_path: Path) -> None:
    assert 'found "1\\u{a0}"' in table_refusal(tmp_path, "FID IID A\n1 1 1\u00a0\n")


def test_bad_cells_are_told_together_ten_and_a_count(tmp_path: Path) -> None:
    rows = "".join(f"{row} {row} x\n" for row in range(13))
    message = table_refusal(tmp_path, "FID IID A\n" + rows)
    lines = message.split("\n")
    assert lines[0] == "FILE: 13 problems"
    assert lines[1].startswith('  line 2, column 3 (A): found "x"')
    assert len(lines) == 12
    assert lines[-1] == "  and 3 more"


def test_a_person_twice(tmp_path: Path) -> None:
    message = table_refusal(tmp_path, "FID IID A\n1 i 0\n2 i 0\n1 i 1\n")
    assert message == 'FILE, line 4: FID "1" IID "i" is already on line 2'


def test_an_empty_line_between_rows(tmp_path: Path) -> None:
    message = table_refusal(tmp_path, "FID IID A\n1 1 0\n\n2 2 0\n")
    assert message == "FILE, line 3: the line is empty, and there are rows after it"


def test_a_header_without_rows(tmp_path: Path) -> None:
    assert table_refusal(tmp_path, "FID IID A\n") == "FILE, line 1: there is a header but no row after it"


def test_a_column_that_is_not_there(tmp_path: Path) -> None:
    path = written(tmp_path, "FID IID A B\n1 1 0 0\n")
    message = refusal(lambda name: _native.read_trait_table(name, numeric=["A", "C"], categorical=["D"]), path)
    assert message == 'FILE, line 1: there is no column "C"; the columns are A B'


def test_bytes_that_are_no_utf8(tmp_path: Path) -> None:
    message = table_refusal(tmp_path, "FID IID A\nJörg 1 0\n".encode("latin-1"))
    assert message == "FILE, line 2: the bytes are not UTF-8 text; save the file as UTF-8 text"
    assert "UTF-16" in table_refusal(tmp_path, "FID IID A\n".encode("utf-16"))


def test_letters_of_any_script_in_ids_and_paths(tmp_path: Path) -> None:
    folder = tmp_path / "数据 a b"
    folder.mkdir()
    table = read_all(written(folder, "FID IID Größe\nJörg 数据 1.5\n"))
    assert (table.family_ids, table.individual_ids, table.numeric_names) == (["Jörg"], ["数据"], ["Größe"])


def test_a_gzip_table_reads_as_its_plain_twin(golden: Path) -> None:
    plain = read_all(golden / "inputs" / "covariates.txt")
    compressed = read_all(golden / "inputs" / "covariates.txt.gz")
    assert compressed.individual_ids == plain.individual_ids
    np.testing.assert_array_equal(compressed.numeric, plain.numeric)


@pytest.mark.parametrize(
    "read",
    [
        read_all,
        _native.read_sample_file,
        _native.read_prediction_list,
        _native.read_loco_file,
        _native.read_id_list,
        _native.read_sample_list,
    ],
)
def test_a_path_that_cannot_be_read_is_always_named(tmp_path: Path, read: Callable[[str], object]) -> None:
    assert refusal(read, tmp_path / "nowhere.txt") == "FILE: cannot be read: there is no such file"
    assert refusal(read, tmp_path) == "FILE: cannot be read: it is a folder, not a file"
