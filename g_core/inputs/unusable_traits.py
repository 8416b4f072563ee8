"""Traits that their samples leave nothing to test of.

Belongs here: what is known of a trait once its samples are. Does not belong here: values that are wrong in themselves
(traits.py), and models that do not converge (g_core/engine).
"""

import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from g_core.config.choices import TraitType
from g_core.inputs import sample_sets
from g_core.inputs.join_report import DropReason
from g_core.inputs.joined_inputs import JoinedInputs
from g_core.inputs.sample_sets import SampleMask


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A trait with its samples: why each is left out, who stays, and the values; each [N]."""

    name: str
    passes: Mapping[DropReason, SampleMask]
    mask: SampleMask
    values: npt.NDArray[np.float64]


def find_reason(
    candidate: Candidate, joined: JoinedInputs, trait_type: TraitType, chromosome_codes: Sequence[int]
) -> str | None:
    """Why a trait cannot be analysed, or None."""
    n_samples, n_columns = int(np.count_nonzero(candidate.mask)), joined.design.columns.shape[1]
    if n_samples == 0:
        drops = sample_sets.count_drops(joined.kept, candidate.passes)
        reasons = ", ".join(f"{drop.n_samples} {drop.reason}" for drop in drops)
        return f"no sample is left of {int(joined.kept.sum())}: {reasons}"
    values = candidate.values[candidate.mask]
    if values.min() == values.max():
        what = ("cases" if values[0] == 1.0 else "controls") if trait_type is TraitType.BINARY else "equal"
        return f"all {n_samples} samples that have everything are {what}"
    if n_samples <= n_columns:
        return f"{n_samples} samples for {n_columns} covariate columns (intercept included)"
    if joined.predictions is None:
        return None
    return joined.predictions[candidate.name].find_problem(chromosome_codes, candidate.mask, joined.genotyped.index)
