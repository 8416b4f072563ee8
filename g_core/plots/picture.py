"""A figure of a size in pixels with one pair of axes, and its PNG.

Belongs here: the size, the title of any text, the frame, the file. Does not belong here: what is drawn in the axes.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font

from g_core.errors import OutputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DOTS_PER_INCH = 100
MARGIN_PIXELS = {"left": 70, "right": 20, "top": 50, "bottom": 55}
LONGEST_TITLE = 100


@dataclass(frozen=True, slots=True)
class PictureSize:
    """Of a PNG, in pixels."""

    width: int
    height: int


class Picture:
    """One pair of axes, drawn without a window and without matplotlib's global state."""

    def __init__(self, size: PictureSize, title: str) -> None:
        self.size = size
        self.figure = Figure(figsize=(size.width / DOTS_PER_INCH, size.height / DOTS_PER_INCH), dpi=DOTS_PER_INCH)
        self.canvas = FigureCanvasAgg(self.figure)
        left, bottom = MARGIN_PIXELS["left"] / size.width, MARGIN_PIXELS["bottom"] / size.height
        self.axes: Axes = self.figure.add_axes(
            (left, bottom, self.inner_width / size.width, self.inner_height / size.height)
        )
        self.axes.set_title(drawable(title), loc="left", fontsize=11, parse_math=False)
        for side in ("top", "right"):
            self.axes.spines[side].set_visible(False)

    @property
    def inner_width(self) -> int:
        """Pixels of the axes from left to right."""
        return self.size.width - MARGIN_PIXELS["left"] - MARGIN_PIXELS["right"]

    @property
    def inner_height(self) -> int:
        """Pixels of the axes from bottom to top."""
        return self.size.height - MARGIN_PIXELS["bottom"] - MARGIN_PIXELS["top"]

    def set_limits(self, width: float, height: float) -> None:
        """Let both axes begin at 0 and end here, in the units of the data."""
        self.axes.set_xlim(0, width)
        self.axes.set_ylim(0, height)

    def show_pixels(self, image: npt.NDArray[np.uint8]) -> None:
        """Fill the axes with an image [inner_height, inner_width, 4] whose first row is the lowest."""
        extent = (*self.axes.get_xlim(), *self.axes.get_ylim())
        # Drawn above the axes' own lines, so that a point on an axis is not half hidden.
        self.axes.imshow(image, extent=extent, origin="lower", aspect="auto", interpolation="none", zorder=3)

    def say_empty(self) -> None:
        """Say in the middle that there is nothing to draw."""
        self.axes.text(0.5, 0.5, "no row with a test", ha="center", va="center", transform=self.axes.transAxes)

    def save(self, path: Path) -> None:
        """Write the PNG whole or not at all.

        Raises:
            OutputError: The file system refused.
        """
        temporary = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            self.figure.savefig(temporary, format="png", dpi=DOTS_PER_INCH)
            temporary.replace(path)
        except OSError as error:
            temporary.unlink(missing_ok=True)
            raise OutputError(f"{path}: cannot write: {error.strerror}") from None


def drawable(text: str) -> str:
    """Any text on one line, with letters that the font lacks written as their code, and cut when very long."""
    font: Any = get_font(findfont(FontProperties()))
    known = font.get_charmap()
    shown = "".join(
        letter if letter.isprintable() and ord(letter) in known else letter.encode("unicode_escape").decode()
        for letter in text
    )
    return shown if len(shown) <= LONGEST_TITLE else shown[: LONGEST_TITLE - 3] + "..."
