"""Null logistic, score test and null Firth in plain float64, solved tightly (spec 5 and 6.1)."""

import numpy as np
from scipy import linalg, optimize, special


def logistic_null(cases, design, offset):
    """Return maximum likelihood coefficients and probabilities; Newton to rounding."""
    coefficients = np.zeros(design.shape[1])
    for _ in range(100):
        p = special.expit(offset + design @ coefficients)
        step = linalg.solve(design.T @ (design * (p * (1 - p))[:, None]), design.T @ (cases - p), assume_a="pos")
        coefficients = coefficients + step
        if np.max(np.abs(step)) < 1e-13:
            break
    return coefficients, special.expit(offset + design @ coefficients)


def score_test(cases, design, probabilities, dosage):
    """Return statistic, se and denominator of a complete dosage vector."""
    w = probabilities * (1 - probabilities)
    root = np.sqrt(w)
    weighted = root * dosage
    fitted, *_ = np.linalg.lstsq(root[:, None] * design, weighted, rcond=None)
    adjusted = weighted - root * (design @ fitted)
    denominator = adjusted @ adjusted
    statistic = adjusted @ ((cases - probabilities) / root) / np.sqrt(denominator)
    return statistic, 1 / np.sqrt(denominator), denominator


def covariate_adjusted(design, probabilities, dosage):
    """Return g - X (X'WX)^-1 X'W g."""
    w = probabilities * (1 - probabilities)
    return dosage - design @ linalg.solve(design.T @ (design * w[:, None]), design.T @ (w * dosage), assume_a="pos")


def firth_score(coefficients, cases, design, offset):
    """Return the modified score X'(y - p + h (1/2 - p))."""
    p = special.expit(offset + design @ coefficients)
    w = p * (1 - p)
    information = design.T @ (design * w[:, None])
    hat = w * np.einsum("ij,ji->i", design, linalg.solve(information, design.T))
    return design.T @ (cases - p + hat * (0.5 - p))


def firth_null(cases, design, offset):
    """Return the coefficients where the modified score vanishes."""
    start = np.zeros(design.shape[1])
    solution = optimize.root(firth_score, start, args=(cases, design, offset), tol=1e-13)
    return solution.x
