"""Points on a grid of pixels, so that a picture of millions of them costs no more than one of a few.

Belongs here: which pixels points cover. Does not belong here: colours and axes.
"""

import numpy as np
import numpy.typing as npt


def stamp_points(
    columns: npt.NDArray[np.float64],
    rows: npt.NDArray[np.float64],
    *,
    width: int,
    height: int,
    radius: float,
) -> npt.NDArray[np.bool_]:
    """Which pixels are covered by round points.

    Args:
        columns: [n] centres from the left edge, in pixels.
        rows: [n] centres from the bottom edge, in pixels.
        width: Pixels from left to right.
        height: Pixels from bottom to top.
        radius: Of a point, in pixels.

    Returns:
        [height, width], the first row at the bottom. What lies outside is cut off.
    """
    reach = int(np.floor(radius))
    # Points just outside still cover pixels inside.
    wide, high = width + 2 * reach, height + 2 * reach
    column, row = np.floor(columns).astype(np.int64) + reach, np.floor(rows).astype(np.int64) + reach
    inside = (column >= 0) & (column < wide) & (row >= 0) & (row < high)
    centres = np.zeros((high, wide), dtype=np.bool_)
    centres[row[inside], column[inside]] = True
    covered = np.zeros((height, width), dtype=np.bool_)
    for up in range(-reach, reach + 1):
        for right in range(-reach, reach + 1):
            if up * up + right * right <= radius * radius:
                covered |= centres[reach - up : reach - up + height, reach - right : reach - right + width]
    return covered


def colour_pixels(layers: list[tuple[npt.NDArray[np.bool_], tuple[int, int, int]]]) -> npt.NDArray[np.uint8]:
    """An image of several layers, later ones on top, clear where there is nothing.

    Args:
        layers: Covered pixels [height, width], and their red, green and blue.

    Returns:
        [height, width, 4], the fourth being opacity.
    """
    height, width = layers[0][0].shape
    image = np.zeros((height, width, 4), dtype=np.uint8)
    for covered, (red, green, blue) in layers:
        image[covered] = (red, green, blue, 255)
    return image
