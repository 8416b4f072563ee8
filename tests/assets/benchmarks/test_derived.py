"""Figures of two rows."""

import pytest

from g_assets.artifacts.models import Unit
from g_assets.benchmarks.derived import derive
from tests.assets.benchmarks.records import floor, full_record, make_record


def derived(title):
    return next(figure for figure in derive(full_record()) if figure.title.startswith(title))


def test_start_up_is_the_whole_process_without_the_warm_scan():
    figure = derived("start-up beyond the scan, quantitative")
    assert (figure.value, figure.unit, figure.at_most) == (pytest.approx(1.5 - 0.4), Unit.SECONDS, 1.3)


def test_an_empty_cache_costs_what_its_process_takes_longer():
    assert derived("an empty compile cache adds, quantitative").value == pytest.approx(2.5)


def test_two_threads_are_as_much_faster_as_one_takes_longer():
    figure = derived("1 to 2 threads, quantitative")
    assert (figure.value, figure.at_least) == (pytest.approx(0.7 / 0.4), 1.7)


def test_time_a_variant_is_flat_at_one():
    assert derived("time a variant, 300 to 900 variants").value == pytest.approx((0.6 / 900) / (0.1 / 300))


def test_time_a_genotype_is_flat_at_one():
    figure = derived("time a genotype, 200 to 400 samples")
    assert figure.value == pytest.approx((0.4 / 600 / 400) / (0.1 / 300 / 200))


def test_a_figure_whose_rows_were_not_measured_is_left_out():
    assert derive(make_record(floor(0.1))) == ()
