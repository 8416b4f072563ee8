"""Covariates that others explain, by name.

Belongs here: the warning about directions that REGENIE's rule drops. Does not belong here: the rule's use in a fit
(g_core/kernels/covariate_basis.py).
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from g_core.inputs.covariates import Design
from g_core.inputs.findings import Findings
from g_core.inputs.sample_sets import SampleMask

WORRYING_EIGENVALUE_RATIO = 1e-12


def note_directions(
    design: Design, samples: SampleMask, findings: Findings, *, relative_eigenvalue_cutoff: float
) -> None:
    """Note the covariates of the directions that are dropped, or that nearly are (spec section 3 and pitfall 7).

    Args:
        design: Of the run.
        samples: [N] who is analysed for any trait.
        findings: Takes the note.
        relative_eigenvalue_cutoff: A direction is kept while its eigenvalue is above this share of the largest one.
    """
    columns = design.columns[samples]
    eigenvalues = np.linalg.eigvalsh(columns.T @ columns)
    n_dropped = int(np.count_nonzero(eigenvalues <= relative_eigenvalue_cutoff * eigenvalues[-1]))
    if n_dropped:
        named = ", ".join(last_columns(columns, design.names, n_dropped))
        findings.note(
            f"covariates: {n_dropped} of {len(design.names)} directions (intercept included) are dropped by REGENIE's "
            f"rule and not adjusted for: {named}; the other columns explain them, or they are tiny beside them; "
            "leave them out, or centre and scale the covariates"
        )
    elif eigenvalues[0] < WORRYING_EIGENVALUE_RATIO * eigenvalues[-1]:
        named = ", ".join(last_columns(columns, design.names, 1))
        findings.note(
            f"covariates: {named} is nearly explained by the others, or tiny beside them (eigenvalue ratio "
            f"{eigenvalues[0] / eigenvalues[-1]:.1g}); REGENIE's own digits are unstable there; centre and scale the "
            "covariates"
        )


def last_columns(columns: npt.NDArray[np.float64], names: Sequence[str], n_last: int) -> tuple[str, ...]:
    """The columns that a QR factorisation with pivoting takes last, in the order of the design.

    The pivot is the column of which the ones before it leave most. The triangle of a plain factorisation has all the
    lengths and angles, so the pivots are chosen on it.
    """
    left: npt.NDArray[np.float64] = np.asarray(np.linalg.qr(columns, mode="r"))
    remaining = list(range(len(names)))
    for _ in range(len(names) - n_last):
        lengths = np.linalg.norm(left[:, remaining], axis=0)
        pivot = remaining.pop(int(np.argmax(lengths)))
        unit = left[:, pivot] / np.linalg.norm(left[:, pivot])
        left = left - np.outer(unit, unit @ left)
    return tuple(names[column] for column in remaining)
