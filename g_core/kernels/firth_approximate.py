"""Approximate Firth test of one variant."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FirthApproximateConfig:
    """When a one-parameter Firth fit stops and gives up, and how many run side by side (spec 6.3).

    Attributes:
        score_tolerance: converged when the modified score is below this in size (REGENIE: 2.5e-4).
        max_step: largest change of the coefficient in one step (REGENIE: 5).
        pseudo_max_iterations: sets of pseudo-data (REGENIE: 50).
        pseudo_max_iterations_sparse: the same for a sparse variant below ``carrier_maximum_mac`` (REGENIE: 125).
        pseudo_inner_iterations: Newton steps per set of pseudo-data (REGENIE: 25).
        pseudo_drift_iteration: the coefficient is remembered here and compared one iteration later (REGENIE: 14).
        pseudo_drift_limit: a coefficient that moved by more than this in between has failed (REGENIE: 0.1).
        newton_max_iterations: iterations of the fallback (REGENIE: 125).
        newton_max_step_evaluations: trial points per Newton step; each refusal halves the step (REGENIE: 25).
        newton_nudge: added to a step that no halving made acceptable (REGENIE: 1e-6).
        carrier_dosage: a sample whose minor allele dosage is above this is a carrier (REGENIE: 1e-4).
        carrier_maximum_mac: sparse variants with a minor allele count below this are fitted on carriers (REGENIE: 50).
        lanes: fits that run side by side; results do not depend on it.
        turns_per_call: evaluations of every lane between two looks at which lanes are done; results do not depend on
            it.
    """

    score_tolerance: float
    max_step: float
    pseudo_max_iterations: int
    pseudo_max_iterations_sparse: int
    pseudo_inner_iterations: int
    pseudo_drift_iteration: int
    pseudo_drift_limit: float
    newton_max_iterations: int
    newton_max_step_evaluations: int
    newton_nudge: float
    carrier_dosage: float
    carrier_maximum_mac: float
    lanes: int
    turns_per_call: int
