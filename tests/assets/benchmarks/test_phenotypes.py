"""Tables: the same bytes each time, and what their kind promises."""

import numpy as np
import pytest

from g_assets.benchmarks.phenotypes import Table, TableKind, table_columns, table_text

IDS = [(f"F{number}", f"I{number}") for number in range(3)]


@pytest.mark.parametrize("kind", TableKind)
def test_a_table_is_the_same_each_time(kind):
    assert table_text(Table(kind, 2), IDS) == table_text(Table(kind, 2), IDS)


def test_a_table_has_a_header_and_a_line_a_sample():
    lines = table_text(Table(TableKind.BINARY, 2), IDS).splitlines()
    assert lines[0] == "FID IID B1 B2"
    assert [line.split()[:2] for line in lines[1:]] == [list(ids) for ids in IDS]
    assert {value for line in lines[1:] for value in line.split()[2:]} <= {"0", "1"}


def test_tables_of_one_kind_begin_with_the_same_columns():
    few, many = (table_columns(Table(TableKind.QUANTITATIVE, count), 50) for count in (1, 4))
    assert many[:1] == few
    assert len({tuple(column) for column in many}) == 4


def test_each_masked_trait_lacks_its_own_five_in_a_hundred():
    columns = table_columns(Table(TableKind.QUANTITATIVE_MASKED, 8), 4000)
    masks = [tuple(value == "NA" for value in column) for column in columns]
    assert len(set(masks)) == 8
    assert all(0.03 < np.mean(mask) < 0.07 for mask in masks)


def test_one_sample_in_ten_is_a_case():
    (column,) = table_columns(Table(TableKind.BINARY, 1), 4000)
    assert 0.08 < np.mean([value == "1" for value in column]) < 0.14
