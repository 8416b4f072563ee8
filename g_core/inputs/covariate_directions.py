"""Covariates that others explain, and traits that a covariate explains, by name.

Belongs here: warnings about a design. Does not belong here: the rule's use in a fit
(g_core/kernels/covariate_basis.py).
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from g_core.inputs.findings import Findings

WORRYING_EIGENVALUE_RATIO = 1e-12
EXPLAINED_REMAINDER = 1e-6
TWIN_UNEXPLAINED_FRACTION = 1e-9


def note_directions(
    columns: npt.NDArray[np.float64], names: Sequence[str], findings: Findings, *, relative_eigenvalue_cutoff: float
) -> None:
    """Note the covariates of the directions that are dropped, or that nearly are (spec section 3 and pitfall 7).

    Args:
        columns: [n, 1 + C] the design over all samples that are analysed for any trait.
        names: Of the columns.
        findings: Takes the note.
        relative_eigenvalue_cutoff: A direction is kept while its eigenvalue is above this share of the largest one.
    """
    eigenvalues = np.linalg.eigvalsh(columns.T @ columns)
    n_dropped = int(np.count_nonzero(eigenvalues <= relative_eigenvalue_cutoff * eigenvalues[-1]))
    if n_dropped:
        findings.note(
            f"covariates: {n_dropped} of {len(names)} directions (intercept included) are dropped by REGENIE's "
            f"rule and not adjusted for: {describe_last_columns(columns, names, n_dropped)}; leave them out, or "
            "centre and scale the covariates"
        )
    elif eigenvalues[0] < WORRYING_EIGENVALUE_RATIO * eigenvalues[-1]:
        findings.note(
            f"covariates: {describe_last_columns(columns, names, 1)} is nearly a direction that is dropped "
            f"(eigenvalue ratio {eigenvalues[0] / eigenvalues[-1]:.1g}), and REGENIE's own digits are unstable there; "
            "centre and scale the covariates"
        )


def describe_last_columns(columns: npt.NDArray[np.float64], names: Sequence[str], n_last: int) -> str:
    """The columns that a QR factorisation with pivoting takes last, each with what explains it.

    The pivot is the column of which the ones before it leave most. The triangle of a plain factorisation has all the
    lengths and angles, so the pivots are chosen on it.
    """
    triangle: npt.NDArray[np.float64] = np.asarray(np.linalg.qr(columns, mode="r"))
    left = triangle
    last = list(range(len(names)))
    first: list[int] = []
    for _ in range(len(names) - n_last):
        pivot = last.pop(int(np.argmax(np.linalg.norm(left[:, last], axis=0))))
        first.append(pivot)
        unit = left[:, pivot] / np.linalg.norm(left[:, pivot])
        left = left - np.outer(unit, unit @ left)
    lengths = np.linalg.norm(triangle, axis=0)
    unit_length = triangle / np.where(lengths > 0, lengths, 1.0)
    return ", ".join(describe_column(unit_length, names, column, sorted(first)) for column in last)


def describe_column(
    unit_length: npt.NDArray[np.float64], names: Sequence[str], column: int, others: Sequence[int]
) -> str:
    """A column with the others that it is a sum of, or that it is tiny beside them."""
    if not unit_length[:, column].any():
        return f"{names[column]} (always 0)"
    weights = np.linalg.lstsq(unit_length[:, others], unit_length[:, column], rcond=None)[0]
    remainder = np.linalg.norm(unit_length[:, column] - unit_length[:, others] @ weights)
    if remainder > EXPLAINED_REMAINDER:
        return f"{names[column]} (tiny beside the others)"
    parts = [
        names[other]
        for other, weight in zip(others, weights.tolist(), strict=True)
        if abs(weight) > EXPLAINED_REMAINDER
    ]
    return f"{names[column]} (explained by {', '.join(parts)})"


def centred_square_sums(design: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Sum of squares of each column about its mean, [1 + C]."""
    return np.einsum("nc,nc->c", design, design) - np.square(np.ones(len(design)) @ design) / len(design)


def find_twin(
    design: npt.NDArray[np.float64], square_sums: npt.NDArray[np.float64], values: npt.NDArray[np.float64]
) -> int | None:
    """The column that equals a trait but for shift and scale, or None.

    Args:
        design: [n, 1 + C], ones first.
        square_sums: [1 + C] of the design about the means, which the traits of a group share.
        values: [n], not constant.
    """
    centred = values - values.mean()
    products = centred @ design
    unexplained = 1.0 - products[1:] ** 2 / np.where(square_sums[1:] > 0, square_sums[1:] * (centred @ centred), np.inf)
    if unexplained.size == 0 or unexplained.min() > TWIN_UNEXPLAINED_FRACTION:
        return None
    return int(np.argmin(unexplained)) + 1
