"""Binary score test."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ScoreConfig:
    """When a binary test cannot be made (spec 5.3).

    Attributes:
        minimum_denominator_root: a variant whose weighted genotype, after the covariates, has a norm below this has
            no variance (REGENIE: 1e-6).
        minimum_unexplained_fraction: a variant of whose weighted square sum the covariates leave less than this share
            has no variance either: the rest would be the rounding of the float32 product (REGENIE: none; here 1e-6).
    """

    minimum_denominator_root: float
    minimum_unexplained_fraction: float
