"""Summaries of genotypes."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GenotypeConfig:
    """How a variant is classified (spec 4.4).

    Attributes:
        sparse_maximum_nonzero_fraction: a variant is sparse when at most this share of the kept samples has a minor
            allele dosage that is not 0 (REGENIE: 1 - 0.5).
    """

    sparse_maximum_nonzero_fraction: float
