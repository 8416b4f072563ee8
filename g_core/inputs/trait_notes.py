"""What a user should know of the traits of a run before it starts.

Belongs here: notes that depend on the samples each trait ended up with. Does not belong here: reasons to refuse a
trait (unusable_traits.py), counts (join_report.py).
"""

from collections.abc import Mapping

import numpy as np

from g_core.config.choices import TraitType
from g_core.config.run_plan import CorrectionMethod, RunPlan
from g_core.inputs import sample_sets
from g_core.inputs.findings import Findings
from g_core.inputs.joined_inputs import JoinedInputs
from g_core.inputs.sample_sets import SampleMask

FEWEST_CASES_A_CONTROL = 1 / 20


def note_traits(
    plan: RunPlan, joined: JoinedInputs, masks: Mapping[str, SampleMask], findings: Findings, *, is_joint: bool
) -> None:
    """Note joint analysis, imputed values, and unbalanced traits that nothing corrects."""
    if is_joint:
        union = sample_sets.of_any(masks.values())
        shown = ", ".join(f"{name} {int(mask.sum())}" for name, mask in masks.items())
        consequence = (
            "samples that a trait lacks enter its Firth information with weight 1"
            if plan.trait.type is TraitType.BINARY
            else "a missing value counts as 0 on the raw scale before the covariates are taken out"
        )
        findings.note(
            f"sample mode regenie: the traits share {int(union.sum())} samples, of which they have {shown}; as in "
            f"REGENIE {consequence}, so each result depends on the other traits of the run (docs/samples.md)"
        )
    if plan.trait.type is TraitType.BINARY and plan.binary.correction is CorrectionMethod.NONE:
        for name, mask in masks.items():
            n_cases, n_samples = np.count_nonzero(joined.values[name][mask] == 1.0), np.count_nonzero(mask)
            note_imbalance(name, int(n_cases), int(n_samples), findings)


def note_imbalance(name: str, n_cases: int, n_samples: int, findings: Findings) -> None:
    """Note a trait whose rarer class has fewer than one sample in twenty-one: its score tests are too small in P."""
    rarer, commoner = sorted((n_cases, n_samples - n_cases))
    if rarer < FEWEST_CASES_A_CONTROL * commoner:
        findings.note(
            f"trait {name}: {n_cases} cases to {n_samples - n_cases} controls, beyond 1 to 20: score tests of rare "
            "variants are inflated without --firth --approx"
        )
