"""Where a refusal of REGENIE's is a success here, by rule, and where it is not."""

import pytest

from g_assets.parity.differences import find_difference
from g_assets.parity.input_tables import read_inputs
from tests.parity.cases import golden_case

NOT_BINARY = "ERROR: a phenotype value is not 0/1/NA for individual: FID=1 IID=1 Y=2"
NO_NUMBER = "ERROR: could not convert value to double: '{}'"
BAD_HEADER = "ERROR: header of phenotype file must start with: FID IID."


def number_of(tmp_path, *words, error, phenotypes="FID IID Y\n1 1 1\n2 2 2\n", trait_type="bt"):
    (tmp_path / "inputs").mkdir(exist_ok=True)
    (tmp_path / "inputs/p.txt").write_bytes(phenotypes.encode())
    case = golden_case(*words, error=error, trait_type=trait_type)
    difference = find_difference(case, read_inputs(case, tmp_path), tmp_path)
    return None if difference is None else difference.number


@pytest.mark.parametrize(
    ("words", "error", "number"),
    [
        ((), "ERROR: must specify the block size using '--bsize'.", 2),
        (("--bsize", "100"), "ERROR: must specify the block size using '--bsize'.", None),
        ((), "ERROR: need at least one phenotype.", None),
    ],
)
def test_a_block_size_may_be_left_out(tmp_path, words, error, number):
    assert number_of(tmp_path, *words, error=error) == number


@pytest.mark.parametrize(("beside", "number"), [("a.loco", 3), ("b.loco", None)])
def test_a_path_of_the_prediction_list_may_hold_from_the_lists_folder(tmp_path, beside, number):
    (tmp_path / "inputs").mkdir()
    (tmp_path / "inputs/pred.list").write_text("Y a.loco\n")
    (tmp_path / "inputs" / beside).write_text("")

    assert number_of(tmp_path, "--pred", "inputs/pred.list", error="ERROR: cannot open file : a.loco") == number


@pytest.mark.parametrize(
    ("cells", "number"),
    [
        (("1", "2", "NA"), 9),
        (("1.0", "2.0", "2"), 9),
        (("0", "1", "-9"), 9),
        (("0", "1", "2"), None),
        (("1", "2", "3"), None),
        (("1", "2", "x"), None),
    ],
)
def test_one_and_two_are_a_binary_coding(tmp_path, cells, number):
    table = "FID IID Y\n" + "".join(f"{row} {row} {cell}\n" for row, cell in enumerate(cells))

    assert number_of(tmp_path, error=NOT_BINARY, phenotypes=table) == number
    assert number_of(tmp_path, error=NOT_BINARY, phenotypes=table, trait_type="qt") is None


@pytest.mark.parametrize(("cell", "number"), [(".", 10), ("", 10), ("urban", None), ("1,5", None)])
def test_a_cell_may_say_in_other_words_that_it_is_missing(tmp_path, cell, number):
    assert number_of(tmp_path, error=NO_NUMBER.format(cell)) == number


@pytest.mark.parametrize(
    ("phenotypes", "number"),
    [
        ("#FID IID Y\n1 1 0\n", 16),
        ("\ufeffFID IID Y\n1 1 0\n", 16),
        ("FID IID Y\r\n1 1 0\r\n", 16),
        ("ID IID Y\n1 1 0\n", None),
    ],
)
def test_a_table_of_another_system_is_read(tmp_path, phenotypes, number):
    assert number_of(tmp_path, error=BAD_HEADER, phenotypes=phenotypes) == number


@pytest.mark.parametrize(("chromosomes", "number"), [(("1", "2", "3"), None), (("2", "1", "3"), 20), (("1", "3"), 20)])
def test_loco_rows_in_another_order_are_found(tmp_path, chromosomes, number):
    (tmp_path / "inputs").mkdir()
    (tmp_path / "inputs/pred.list").write_text("Y inputs/y.loco\n")
    rows = "".join(f"{chromosome} 0.1 0.2\n" for chromosome in chromosomes)
    (tmp_path / "inputs/y.loco").write_text(f"FID_IID 1_1 2_2\n{rows}")

    assert number_of(tmp_path, "--pred", "inputs/pred.list", error="ERROR: blup file is not in order") == number


def test_phased_genotypes_are_read(tmp_path):
    assert number_of(tmp_path, error="ERROR: only unphased data are supported") == 21
    assert number_of(tmp_path, error="ERROR: only 8-bit data are supported") is None
