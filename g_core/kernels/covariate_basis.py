"""Orthonormal basis of the covariates."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BasisConfig:
    """Which directions of the covariates count (spec 3, REGENIE getBasis).

    Attributes:
        relative_eigenvalue_cutoff: a direction is kept while its eigenvalue of ``Z'Z`` is above this share of the
            largest one (REGENIE: 1e-15).
    """

    relative_eigenvalue_cutoff: float
