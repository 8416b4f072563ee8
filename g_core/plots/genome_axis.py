"""Chromosomes side by side on one axis.

Belongs here: where a position lies, and what the axis says. Does not belong here: drawing (manhattan.py).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

X_CHROMOSOME_CODE = 23
GAP_FRACTION = 0.005
"""Of all chromosomes, between two of them."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """One chromosome in base pairs: its rows cover ``first`` to ``last``, and ``first`` is drawn at ``start``."""

    code: int
    first: int
    last: int
    start: int

    @property
    def centre(self) -> float:
        """Middle of the stretch on the axis."""
        return self.start + (self.last - self.first) / 2

    @property
    def stop(self) -> int:
        """End of the stretch on the axis."""
        return self.start + (self.last - self.first)

    @property
    def label(self) -> str:
        """Name of the chromosome."""
        return "X" if self.code == X_CHROMOSOME_CODE else str(self.code)


@dataclass(frozen=True, slots=True)
class GenomeAxis:
    """All chromosomes that have a position, by code."""

    stretches: tuple[Stretch, ...]

    @property
    def stop(self) -> int:
        """End of the axis; 1 where it has no length."""
        return max(self.stretches[-1].stop, 1) if self.stretches else 1

    def place(self, codes: npt.NDArray[np.int8], positions: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
        """Where positions lie on the axis.

        Args:
            codes: [n] chromosome codes; the axis has each of them.
            positions: [n] base pairs.
        """
        offsets = np.zeros(int(codes.max(initial=0)) + 1, np.int64)
        for stretch in self.stretches:
            offsets[stretch.code] = stretch.start - stretch.first
        return positions + offsets[codes]


def genome_axis(codes: npt.NDArray[np.int8], positions: npt.NDArray[np.uint32]) -> GenomeAxis:
    """An axis of what is there: every chromosome from its first to its last position."""
    present = np.unique(codes)
    ends = [(int(code), positions[codes == code]) for code in present]
    spans = [(code, int(own.min()), int(own.max())) for code, own in ends]
    # Whole base pairs, so that nothing is rounded; at least one, so that chromosomes of one row stay apart.
    gap = max(1, round(GAP_FRACTION * sum(last - first for _, first, last in spans)))
    stretches: list[Stretch] = []
    start = 0
    for code, first, last in spans:
        stretches.append(Stretch(code, first, last, start))
        start = stretches[-1].stop + gap
    return GenomeAxis(tuple(stretches))
