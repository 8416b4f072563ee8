"""How large the datasets of the benchmarks are, and how often everything is measured.

Belongs here: numbers of samples, variants and rounds. Does not belong here: making the files (datasets.py).
"""

from dataclasses import dataclass
from enum import StrEnum


class Extent(StrEnum):
    """How much is measured."""

    SMALL = "small"
    STANDARD = "standard"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class Shape:
    """Samples and variants of one simulated BGEN."""

    n_samples: int
    n_variants: int

    @property
    def name(self) -> str:
        """Of its folder."""
        return f"bench_{self.n_samples}x{self.n_variants}"

    @property
    def n_genotypes(self) -> int:
        """Genotypes in the file."""
        return self.n_samples * self.n_variants

    def text(self) -> str:
        """``10,000 samples x 20,000 variants``."""
        return f"{self.n_samples:,} samples x {self.n_variants:,} variants"


@dataclass(frozen=True, slots=True)
class Shapes:
    """Every dataset of one extent."""

    rounds: int
    """How often each row is measured, after one round that does not count."""
    yardstick: Shape
    """What the demands are told of."""
    variant_steps: tuple[Shape, ...]
    """Equal samples, more and more variants."""
    sample_steps: tuple[Shape, ...]
    """More and more samples; the yardstick stands among them."""
    many_samples: Shape
    """For memory; few variants are enough."""
    panel: Shape | None
    """A whole chromosome of a reference panel."""
    makes_panel: bool
    """Make its file where it is not there, which takes minutes; else it is measured only where it is there."""
    peer_reading_variants: int
    """Variants that the package bgen reads: its rate is the same over all, and it is slow."""


STANDARD = Shapes(
    rounds=5,
    yardstick=Shape(10_000, 20_000),
    variant_steps=(Shape(2_504, 10_000), Shape(2_504, 100_000)),
    sample_steps=(Shape(1_000, 20_000), Shape(10_000, 20_000), Shape(100_000, 2_000)),
    many_samples=Shape(500_000, 300),
    panel=Shape(2_504, 418_943),
    makes_panel=False,
    peer_reading_variants=3_000,
)

SHAPES = {
    Extent.SMALL: Shapes(
        rounds=1,
        yardstick=Shape(400, 600),
        variant_steps=(Shape(200, 300), Shape(200, 900)),
        sample_steps=(Shape(200, 300), Shape(400, 600)),
        many_samples=Shape(2_000, 60),
        panel=None,
        makes_panel=False,
        peer_reading_variants=100,
    ),
    Extent.STANDARD: STANDARD,
    Extent.FULL: Shapes(
        rounds=STANDARD.rounds,
        yardstick=STANDARD.yardstick,
        variant_steps=(*STANDARD.variant_steps, Shape(2_504, 1_000_000)),
        sample_steps=STANDARD.sample_steps,
        many_samples=STANDARD.many_samples,
        panel=STANDARD.panel,
        makes_panel=True,
        peer_reading_variants=STANDARD.peer_reading_variants,
    ),
}
