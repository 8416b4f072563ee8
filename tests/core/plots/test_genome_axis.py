"""Chromosomes side by side: in order, without overlap, each as long as its rows."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from g_core.plots.genome_axis import genome_axis

PLACES = st.lists(st.tuples(st.integers(1, 23), st.integers(1, 250_000_000)), min_size=1, max_size=60)


def arrays(places):
    codes, positions = zip(*places, strict=True)
    return np.array(codes, np.int8), np.array(positions, np.uint32)


@given(PLACES)
def test_the_order_on_the_axis_is_that_of_chromosome_and_position(places):
    codes, positions = arrays(places)
    drawn = genome_axis(codes, positions).place(codes, positions)
    order = np.argsort(drawn, kind="stable")
    key = codes.astype(np.int64) << 32 | positions
    assert np.all(np.diff(key[order]) >= 0)


@given(PLACES)
def test_everything_lies_on_the_axis_and_within_its_chromosome(places):
    codes, positions = arrays(places)
    axis = genome_axis(codes, positions)
    drawn = axis.place(codes, positions)
    assert drawn.min() == 0
    assert drawn.max() <= axis.stop
    for stretch in axis.stretches:
        own = drawn[codes == stretch.code]
        assert (own.min(), own.max()) == (stretch.start, stretch.stop)


def test_chromosomes_have_names_and_x_is_23():
    axis = genome_axis(np.array([23, 2], np.int8), np.array([5, 9], np.uint32))
    assert [stretch.label for stretch in axis.stretches] == ["2", "X"]


def test_an_empty_axis_has_a_length():
    axis = genome_axis(np.empty(0, np.int8), np.empty(0, np.uint32))
    assert axis.stretches == ()
    assert axis.stop == 1
