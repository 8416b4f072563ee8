"""`.sample` files, prediction lists, LOCO files and id lists: what they may hold and how a wrong line is told.

Belongs here: the native readers of these files. Does not belong here: which samples they then keep
(tests/core/inputs).
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from g_core import _native
from g_core.errors import InputError


def written(folder: Path, content: str, name: str = "input.txt") -> str:
    path = folder / name
    path.write_bytes(content.encode())
    return str(path)


def refusal(read: Callable[[str], object], path: str) -> str:
    """The message of the refusal, with FILE in place of the path."""
    with pytest.raises(InputError) as caught:
        read(path)
    return str(caught.value).replace(path, "FILE")


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_sex_is_the_fourth_field(tmp_path: Path, ending: str) -> None:
    rows = ["ID_1 ID_2 missing sex", "0 0 0 D", "f1 i1 0 1", "f2 i2 0 2", "f3 i3 0 NA", "f4 i4 0 0"]
    table = _native.read_sample_file(written(tmp_path, ending.join(rows) + ending))
    assert table.family_ids == ["f1", "f2", "f3", "f4"]
    assert table.individual_ids == ["i1", "i2", "i3", "i4"]
    assert table.sex.dtype == np.int8
    assert table.sex.tolist() == [1, 2, 0, 0]


@pytest.mark.parametrize("types", ["0 0 0 D", "0 0 0 B", "0 0 0 C", "0 0 0 P", "0 0 0 0"])
def test_every_type_row_is_a_type_row(tmp_path: Path, types: str) -> None:
    assert _native.read_sample_file(written(tmp_path, f"ID_1 ID_2 missing sex\n{types}\n1 1 0 2\n")).sex.tolist() == [2]


def test_a_sample_file_without_type_row(tmp_path: Path) -> None:
    message = refusal(_native.read_sample_file, written(tmp_path, "ID_1 ID_2 missing\n1 1 0\n2 2 0\n"))
    assert message.startswith("FILE, line 2: expected the row of column types, which starts with 0 0")
    assert message.endswith('found "1 1 0". A .sample file has two header lines')


def test_an_unknown_type_is_named(tmp_path: Path) -> None:
    message = refusal(_native.read_sample_file, written(tmp_path, "ID_1 ID_2 missing sex\n0 0 0 S\n1 1 0 1\n"))
    assert message == 'FILE, line 2, column 4: found "S", expected a column type: 0, D, C, P or B'


def test_a_sample_file_without_header(tmp_path: Path) -> None:
    message = refusal(_native.read_sample_file, written(tmp_path, "1 1 0\n2 2 0\n"))
    assert message.startswith("FILE, line 1: expected the header of a .sample file, which starts with ID_1 ID_2")
    assert message.endswith('found "1 1 0"')


def test_wrong_samples_are_told_together(tmp_path: Path) -> None:
    content = "ID_1 ID_2 missing sex\n0 0 0 D\n1 1 0 male\n1 1 0 1\nNA 2 2 0 1\n3 3 0\n"
    lines = refusal(_native.read_sample_file, written(tmp_path, content)).split("\n")
    assert lines[0] == "FILE: 4 problems"
    assert lines[1].startswith('  line 3, column 4 (sex): found "male", expected sex as 1 (male), 2 (female), 0 or NA')
    assert lines[2] == '  line 4: the sample "1" "1" is already on line 3'
    assert lines[3].startswith("  line 5: 5 fields, but the header has 4; a blank inside an id")
    assert lines[4].startswith("  line 6: 3 fields, but the header has 4")


def test_the_golden_sample_file(golden: Path) -> None:
    table = _native.read_sample_file(str(golden / "inputs" / "sim.sample"))
    assert len(table.individual_ids) == 600
    assert set(table.sex.tolist()) == {1, 2}


def test_a_path_of_the_prediction_list_may_hold_anything(tmp_path: Path) -> None:
    content = "\ufeffY1 数据 a b/y 1.loco\r\nY2\tplain.loco \r\n\r\n"
    assert _native.read_prediction_list(written(tmp_path, content)) == [
        ("Y1", "数据 a b/y 1.loco", 1),
        ("Y2", "plain.loco", 2),
    ]


def test_wrong_lines_of_the_prediction_list_are_told_together(tmp_path: Path) -> None:
    message = refusal(_native.read_prediction_list, written(tmp_path, "Y1\nY2 a.loco\nY2 b.loco\n"))
    assert message.split("\n") == [
        "FILE: 2 problems",
        '  line 1: expected a trait and the path of its LOCO file; found "Y1"',
        '  line 3: the trait "Y2" is already on line 2',
    ]


def test_an_empty_prediction_list(tmp_path: Path) -> None:
    assert "line 1: the list is empty" in refusal(_native.read_prediction_list, written(tmp_path, "\n"))


def test_loco_rows_are_known_by_their_label(tmp_path: Path) -> None:
    table = _native.read_loco_file(written(tmp_path, "FID_IID a_1 b_2\r\n2 0.5 -1e-3 \r\nchrX NA 1\r\n01 1 2\r\n"))
    assert table.sample_keys == ["a_1", "b_2"]
    assert table.chromosomes == [2, 23, 1]
    np.testing.assert_array_equal(table.values, [[0.5, -1e-3], [np.nan, 1.0], [1.0, 2.0]])


def test_a_loco_file_with_another_header(tmp_path: Path) -> None:
    message = refusal(_native.read_loco_file, written(tmp_path, "FID IID Y1\n1 1 0.5\n"))
    assert message.startswith("FILE, line 1: expected the header of a LOCO prediction file")
    assert message.endswith('found "FID IID Y1"')


def test_wrong_loco_rows_are_told_together(tmp_path: Path) -> None:
    content = "FID_IID a_1 b_2 a_1\n1 0 0 x\n2 0 0\n3 0 0 0 0\nX 0 0 0\n23 0 0 0\nMT 0 0 0\n"
    message = refusal(_native.read_loco_file, written(tmp_path, content))
    assert message.split("\n") == [
        "FILE: 6 problems",
        '  line 1, field 4: the sample "a_1" is already in field 2',
        '  line 2, field 4 (chromosome 1, sample "a_1"): found "x", expected a number or NA',
        "  line 3: the row of chromosome 2 has 2 values, but the header names 3 samples",
        "  line 4: the row of chromosome 3 has 4 values, but the header names 3 samples",
        '  line 6: chromosome "23" is already on line 5',
        '  line 7: the row starts with "MT", expected a chromosome: 1 to 23, or X',
    ]


def test_a_loco_file_without_rows(tmp_path: Path) -> None:
    assert "no chromosome row" in refusal(_native.read_loco_file, written(tmp_path, "FID_IID a_1\n"))


def test_golden_predictions_read_as_numpy_reads_them(golden: Path) -> None:
    files = sorted((golden / "step1").glob("*.loco"))
    assert files
    for path in files:
        table = _native.read_loco_file(str(path))
        rows = [line.split() for line in path.read_text().splitlines()]
        assert table.sample_keys == rows[0][1:]
        assert table.chromosomes == [int(row[0]) for row in rows[1:]]
        expected = [[float(cell.replace("NA", "nan")) for cell in row[1:]] for row in rows[1:]]
        np.testing.assert_array_equal(table.values, expected)


def test_a_short_golden_loco_row_is_refused(golden: Path) -> None:
    message = refusal(_native.read_loco_file, str(golden / "inputs" / "bad_pred_1.loco"))
    assert message == "FILE, line 2: the row of chromosome 1 has 497 values, but the header names 500 samples"


def test_variant_lists(tmp_path: Path) -> None:
    assert _native.read_id_list(written(tmp_path, "rs1\r\n\r\nrs2 note\r\n rs3\n")) == ["rs1", "rs2", "rs3"]
    assert _native.read_id_list(written(tmp_path, "")) == []


def test_sample_lists(tmp_path: Path) -> None:
    for content in ("1 a\n2 b\n", "#FID IID\r\n1\ta\t\r\n2\tb\r\n\r\n"):
        assert _native.read_sample_list(written(tmp_path, content)) == [("1", "a"), ("2", "b")]


def test_wrong_lines_of_a_sample_list_are_told_together(tmp_path: Path) -> None:
    message = refusal(_native.read_sample_list, written(tmp_path, "1 1\n2\nNA 3 3\n"))
    assert message.split("\n") == [
        "FILE: 2 problems",
        '  line 2: expected FID and IID; found "2"',
        '  line 3: 3 fields, but line 1 has 2; a blank inside an id? The line is "NA 3 3"',
    ]
