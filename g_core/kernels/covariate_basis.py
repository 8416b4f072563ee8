"""Orthonormal basis of the covariates.

Belongs here: which directions of a design count, and a basis of their span. Does not belong here: reading covariates,
dummies of categories (inputs/), or any fit. On the host in float64: it is done once per group and once per trait and
chromosome, and costs less than one tile.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from g_core.kernels.settings import BasisConfig


@dataclass(frozen=True, slots=True)
class CovariateBasis:
    """An orthonormal basis ``basis = design @ coordinates``.

    Attributes:
        basis: [n, K] float64, orthonormal columns.
        coordinates: [p, K] float64: ``coordinates @ b`` are the coefficients of the design's own columns.
        eigenvalue_ratio: smallest over largest eigenvalue of ``Z'Z``, dropped ones included; below about 1e-12 the
            user should centre and scale the covariates.
        n_dropped: directions left out, p - K.
    """

    basis: npt.NDArray[np.float64]
    coordinates: npt.NDArray[np.float64]
    eigenvalue_ratio: float
    n_dropped: int

    @property
    def n_columns(self) -> int:
        """K, the degrees of freedom charged, intercept included."""
        return self.basis.shape[1]


def covariate_basis(design: npt.NDArray[np.float64], config: BasisConfig) -> CovariateBasis:
    """Return a basis of the design's columns (spec 3, REGENIE getBasis).

    REGENIE's rule decides how many directions are kept. The span itself comes from a QR factorisation, which is right
    to rounding however the covariates are shifted and scaled; REGENIE divides eigenvectors by small eigenvalues. The
    basis is then turned to REGENIE's own coordinates, because stopping rules like max|X'r| depend on them.

    Args:
        design: [n, p] float64, n >= p, at least one column that is not 0.
        config: the cut-off.
    """
    eigenvalues, eigenvectors = np.linalg.eigh(design.T @ design)
    kept = eigenvalues > config.relative_eigenvalue_cutoff * eigenvalues[-1]
    n_dropped = int(np.count_nonzero(~kept))
    directions = eigenvectors[:, kept] if n_dropped else np.eye(design.shape[1])
    orthonormal, triangle = np.linalg.qr(design @ directions if n_dropped else design)
    whitened = triangle @ (directions.T @ eigenvectors[:, kept]) / np.sqrt(eigenvalues[kept])
    # The nearest rotation: exactly orthogonal where the division by a small eigenvalue is not.
    left, _, right = np.linalg.svd(whitened)
    rotation = left @ right
    return CovariateBasis(
        basis=orthonormal @ rotation,
        coordinates=directions @ np.linalg.solve(triangle, rotation),
        eigenvalue_ratio=float(eigenvalues[0] / eigenvalues[-1]),
        n_dropped=n_dropped,
    )
