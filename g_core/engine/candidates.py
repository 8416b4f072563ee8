"""Variants of a block whose score test is to be corrected, and their genotype values.

Belongs here: keeping the values of possible candidates while their chunk is at hand, and cutting out one trait's own.
Does not belong here: which statistic makes a candidate (binary_test.py), the corrections (corrections.py).
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from g_core.engine.group_context import BlockGenotypes
from g_core.engine.tiles import FloatArray


@dataclass(frozen=True, slots=True)
class Candidates:
    """One trait's candidates of a block, [N] each.

    Attributes:
        values: float32 [N, C], centred minor-allele dosage in units.
        unit: dosage of one unit.
        centre: dosage where a value is 0.
        sparse: REGENIE's rule.
        minor_allele_count: over the trait's samples.
    """

    values: npt.NDArray[np.float32]
    unit: FloatArray
    centre: FloatArray
    sparse: npt.NDArray[np.bool_]
    minor_allele_count: FloatArray


@dataclass(slots=True)
class CandidateValues:
    """Values of variants that may be candidates of any trait, chunk by chunk.

    Attributes:
        variants: Their places in the block, ascending.
        values: Their rows.
    """

    variants: list[npt.NDArray[np.intp]] = field(default_factory=list[npt.NDArray[np.intp]])
    values: list[npt.NDArray[np.float32]] = field(default_factory=list[npt.NDArray[np.float32]])

    def keep(self, first_variant: int, rows: npt.NDArray[np.intp], values: npt.NDArray[np.float32]) -> None:
        """Keep rows of a chunk, [k], whose first variant has this place in the block, and their values, [k, C]."""
        self.variants.append(rows + first_variant)
        self.values.append(values)

    def of_trait(self, variants: npt.NDArray[np.intp], genotypes: BlockGenotypes, trait: int) -> Candidates:
        """The candidates of one trait, all of which were kept.

        Args:
            variants: Their places in the block, ascending.
            genotypes: Of the block.
            trait: The trait's place in its group.
        """
        # Put together for the first trait, and kept so for the others.
        if len(self.variants) > 1:
            self.variants, self.values = [np.concatenate(self.variants)], [np.concatenate(self.values)]
        (kept,), (values,) = self.variants, self.values
        moments, summary = genotypes.moments, genotypes.traits[trait].summary
        return Candidates(
            values=values[np.searchsorted(kept, variants)],
            unit=moments.unit[variants],
            centre=moments.centre[variants],
            sparse=genotypes.sparse[variants],
            minor_allele_count=summary.minor_allele_count[variants],
        )
