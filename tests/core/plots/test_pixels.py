"""Points on a grid against the rule that a pixel is covered where a point is near enough."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from g_core.plots.pixels import colour_pixels, stamp_points

CENTRES = st.lists(st.tuples(st.floats(-5, 25), st.floats(-5, 20)), max_size=8)


@given(CENTRES, st.floats(0, 4))
def test_a_pixel_is_covered_where_a_point_is_within_the_radius(centres, radius):
    columns, rows = (np.array([centre[axis] for centre in centres]) for axis in (0, 1))
    covered = stamp_points(columns, rows, width=20, height=15, radius=radius)
    expected = np.zeros((15, 20), bool)
    for column, row in np.floor(np.stack([columns, rows], axis=1)):
        for y in range(15):
            for x in range(20):
                expected[y, x] |= (x - column) ** 2 + (y - row) ** 2 <= radius**2
    np.testing.assert_array_equal(covered, expected)


def test_later_layers_lie_on_top_and_the_rest_is_clear():
    first, second = np.array([[True, True, False]]), np.array([[False, True, False]])
    image = colour_pixels([(first, (10, 20, 30)), (second, (40, 50, 60))])
    assert image.tolist() == [[[10, 20, 30, 255], [40, 50, 60, 255], [0, 0, 0, 0]]]
