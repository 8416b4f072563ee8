"""The QQ plot: p-values against those of no effect anywhere.

Belongs here: drawing it. Does not belong here: its numbers (quantiles.py), pixels (pixels.py), files.
"""

import numpy as np

from g_core.plots.picture import Picture, PictureSize
from g_core.plots.pixels import colour_pixels, stamp_points
from g_core.plots.quantiles import expected_log10_p, lambda_gc
from g_core.results.read import TestedRows

LEAST_EXTENT_LOG10_P = 1.0
HEADROOM = 1.05
POINT_RADIUS_PIXELS = 2.5
COLOUR = (31, 73, 125)


def draw_qq(rows: TestedRows, size: PictureSize, title: str) -> Picture:
    """Draw every test, with lambda GC; without a test the picture says so.

    Args:
        rows: Tests of one trait.
        size: Of the picture.
        title: Over it; any text.
    """
    picture = Picture(size, title)
    observed, expected = -np.sort(-rows.log10_p), expected_log10_p(rows.log10_p.size)
    width = max(LEAST_EXTENT_LOG10_P, HEADROOM * float(expected.max(initial=0)))
    height = max(LEAST_EXTENT_LOG10_P, HEADROOM * float(observed.max(initial=0)))
    picture.set_limits(width, height)
    axes = picture.axes
    axes.set_xlabel("-log10 p expected without any effect")
    axes.set_ylabel("-log10 p")
    axes.axline((0, 0), slope=1, color="firebrick", linewidth=0.8)
    inflation = lambda_gc(rows.chi_square)
    if inflation is None:
        picture.say_empty()
        return picture
    covered = stamp_points(
        expected / width * picture.inner_width,
        observed / height * picture.inner_height,
        width=picture.inner_width,
        height=picture.inner_height,
        radius=POINT_RADIUS_PIXELS,
    )
    picture.show_pixels(colour_pixels([(covered, COLOUR)]))
    told = f"lambda GC {inflation:.4f}\n{rows.log10_p.size:,} tests"
    axes.text(0.03, 0.97, told, ha="left", va="top", transform=axes.transAxes, fontsize=10, zorder=4)
    return picture
