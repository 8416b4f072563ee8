"""The quantitative score test in plain float64, one trait and one variant at a time (spec 3 and 4)."""

import numpy as np
from scipy import special


def covariate_residual(design, vector):
    """What least squares on the design leaves of a vector, in coordinates that a large offset does not spoil."""
    others = design[:, 1:]
    others = others - others.mean(axis=0)
    others = others / np.linalg.norm(others, axis=0)
    columns = np.column_stack([np.full(len(vector), len(vector) ** -0.5), others])
    span, _ = np.linalg.qr(columns)
    once = vector - span @ (span.T @ vector)
    return once - span @ (span.T @ once)


def log10_p(chi_square):
    """-log10 of the upper tail of chi-square(1)."""
    return -(np.log(2) + special.log_ndtr(-np.sqrt(chi_square))) / np.log(10)


def linear_test(trait, design, predictions, dosage):
    """Return beta, se, chi_square, log10_p of a complete dosage vector."""
    degrees_of_freedom = design.shape[0] - design.shape[1]
    residual = covariate_residual(design, trait)
    trait_sd = np.linalg.norm(residual) / np.sqrt(degrees_of_freedom)
    residual = residual / trait_sd - predictions
    chromosome_sd = np.linalg.norm(residual) / np.sqrt(degrees_of_freedom)
    residual = residual / chromosome_sd
    adjusted = covariate_residual(design, dosage)
    denominator = adjusted @ adjusted
    z = (residual @ adjusted) / np.sqrt(denominator)
    se = trait_sd * chromosome_sd / np.sqrt(denominator)
    return np.array([z * se, se, z * z, log10_p(z * z)])
