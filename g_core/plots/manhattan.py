"""The Manhattan plot: strength of every test along the genome.

Belongs here: drawing it. Does not belong here: the axis (genome_axis.py), pixels (pixels.py), files.
"""

import numpy as np
from matplotlib.ticker import MaxNLocator

from g_core.plots.genome_axis import GenomeAxis, genome_axis
from g_core.plots.picture import Picture, PictureSize
from g_core.plots.pixels import colour_pixels, stamp_points
from g_core.results.read import TestedRows

SUGGESTIVE_LOG10_P = 5.0
"""p = 1e-5."""
GENOME_WIDE_LOG10_P = float(-np.log10(5e-8))
LEAST_HEIGHT_LOG10_P = 8.5
"""Every plot shows both lines."""
HEADROOM = 1.05
POINT_RADIUS_PIXELS = 2.0
COLOURS = ((31, 73, 125), (120, 160, 205))
"""Chromosomes alternate."""


def draw_manhattan(rows: TestedRows, size: PictureSize, title: str) -> Picture:
    """Draw every test; without one the picture says so.

    Args:
        rows: Tests of one trait.
        size: Of the picture.
        title: Over it; any text.
    """
    picture = Picture(size, title)
    axis = genome_axis(rows.chromosome_codes, rows.positions)
    height = max(LEAST_HEIGHT_LOG10_P, HEADROOM * float(rows.log10_p.max(initial=0)))
    picture.set_limits(axis.stop, height)
    label_axes(picture, axis)
    for level, style in ((SUGGESTIVE_LOG10_P, "--"), (GENOME_WIDE_LOG10_P, "-")):
        picture.axes.axhline(level, color="firebrick", linewidth=0.8, linestyle=style)
    if not rows.log10_p.size:
        picture.say_empty()
        return picture
    columns = axis.place(rows.chromosome_codes, rows.positions) / axis.stop * picture.inner_width
    levels = rows.log10_p / height * picture.inner_height
    order = np.searchsorted([stretch.code for stretch in axis.stretches], rows.chromosome_codes)
    layers = [
        (
            stamp_points(
                columns[order % len(COLOURS) == turn],
                levels[order % len(COLOURS) == turn],
                width=picture.inner_width,
                height=picture.inner_height,
                radius=POINT_RADIUS_PIXELS,
            ),
            colour,
        )
        for turn, colour in enumerate(COLOURS)
    ]
    picture.show_pixels(colour_pixels(layers))
    return picture


def label_axes(picture: Picture, axis: GenomeAxis) -> None:
    """Chromosomes below the axis; one alone has its positions instead."""
    axes = picture.axes
    axes.set_ylabel("-log10 p")
    if len(axis.stretches) == 1:
        (only,) = axis.stretches
        ticks = [tick for tick in MaxNLocator().tick_values(only.first, only.last) if only.first <= tick <= only.last]
        axes.set_xticks([only.start + tick - only.first for tick in ticks], [f"{tick / 1e6:.10g}" for tick in ticks])
        axes.set_xlabel(f"position on chromosome {only.label} (Mb)")
        return
    axes.set_xticks([stretch.centre for stretch in axis.stretches], [stretch.label for stretch in axis.stretches])
    axes.tick_params(axis="x", length=0, labelsize=8)
    axes.set_xlabel("chromosome")
