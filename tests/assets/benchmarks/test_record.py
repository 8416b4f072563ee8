"""A row's numbers: the middle of its observations, and floors variant for variant."""

import pytest

from g_assets.benchmarks.record import Section
from tests.assets.benchmarks.records import floor, full_record, make_record, measured


def test_a_row_is_told_by_the_middle_of_its_observations():
    assert measured("qt1.scan", 5.0, 1.0, 2.0).median == 2.0


def test_floors_are_the_time_over_the_floor_of_the_same_run():
    record = full_record()
    assert record.floors(record.find("qt1.scan")) == pytest.approx(2.0)


def test_a_row_over_fewer_variants_is_compared_variant_for_variant():
    peer = measured("reading.peer", 0.3, section=Section.READING, n_variants=100)
    assert make_record(floor(0.2), peer).floors(peer) == pytest.approx(0.3 / 100 / (0.2 / 600))


def test_a_row_whose_floor_was_not_measured_has_none():
    row = measured("qt1.scan", 0.3)
    assert make_record(row).floors(row) is None


def test_a_row_that_is_not_about_variants_has_no_time_of_one():
    row = measured("start.help", 0.1, section=Section.START_UP, n_samples=None, n_variants=None)
    assert row.seconds_per_variant is None
    assert row.seconds_per_genotype is None


def test_a_scan_knows_the_call_it_was_part_of():
    record = full_record()
    assert record.whole_call(record.find("qt1.scan")).median == 0.7
    assert record.whole_call(record.find("bt1.scan")) is None
    assert record.whole_call(record.find("start.help")) is None
