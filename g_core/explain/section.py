"""What an explanation consists of: titled lists of names and values.

Belongs here: the type and its printing. Does not belong here: what is explained.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Section:
    """A title and named values in order; a name may be empty where lines form a table."""

    title: str
    entries: tuple[tuple[str, str], ...]

    def lines(self) -> list[str]:
        """As printed: the title, then an indented line an entry."""
        width = max((len(name) for name, _ in self.entries), default=0)
        return [self.title, *(f"  {name:<{width}}  {value}".rstrip() for name, value in self.entries)]


def number(value: float) -> str:
    """A number with ten significant digits: more than REGENIE prints, fewer than rounding spoils."""
    return f"{value:.10g}"


def numbers(values: Iterable[float] | npt.NDArray[np.float64]) -> str:
    """Numbers separated by blanks."""
    return " ".join(number(float(value)) for value in values)


def named_numbers(names: Sequence[str], values: npt.NDArray[np.float64]) -> str:
    """``name value`` pairs separated by commas."""
    return ", ".join(f"{name} {number(float(value))}" for name, value in zip(names, values, strict=True))


def table(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> Section:
    """A section whose lines are the rows of a table with aligned columns."""
    widths = [max(len(row[place]) for row in (header, *rows)) for place in range(len(header))]
    lines = ("  ".join(f"{text:>{width}}" for text, width in zip(row, widths, strict=True)) for row in (header, *rows))
    return Section(title, tuple(("", line) for line in lines))
