"""Quantitative score test."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LinearConfig:
    """When a quantitative test cannot be made (spec 4.1 step 5 and 4.5).

    Attributes:
        minimum_scaled_sd: a variant whose genotype, after the covariates, has a standard deviation below this (in
            alleles) has no variance (REGENIE: 1e-6).
        minimum_unexplained_fraction: a variant of whose variance the covariates leave less than this share has no
            variance either: the rest would be the rounding of the float32 product (REGENIE: none; here 1e-6).
        minimum_residual_sd: a trait whose residual standard deviation is below this share of its own standard
            deviation lies in the span of the covariates (1e-6; REGENIE compares the residual alone).
    """

    minimum_scaled_sd: float
    minimum_unexplained_fraction: float
    minimum_residual_sd: float
