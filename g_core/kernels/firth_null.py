"""Null Firth fit."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FirthNullConfig:
    """When the null Firth fit stops, retries and gives up (spec 6.2 and 6.5, REGENIE fit_approx_firth_null).

    Attributes:
        max_step: largest change of one coefficient in a Newton step (``--maxstep-null``; REGENIE: 25).
        max_iterations: iterations of one run (``--maxiter-null``; REGENIE: 1000).
        retry: False when the user gave one of the two above: then there is one Newton run and no retry.
        score_tolerance: converged when every element of the modified score is below this in size (REGENIE: 5e-5).
        max_step_evaluations: trial points per Newton step; each refusal halves the step (REGENIE: 25).
        max_score_increases: consecutive iterations with a growing score that end a Newton run (REGENIE: 25).
        trials: Newton-then-pseudo-data trials (REGENIE: 4).
        retry_step_divisor: ``max_step`` is divided by this after the second trial (REGENIE: 5).
        retry_iteration_factor: ``max_iterations`` is multiplied by this after the second trial (REGENIE: 5).
        pseudo_inner_iterations: reweighted least squares steps per set of pseudo-data (REGENIE: 25).
        pseudo_max_stalls: consecutive iterations without a new smallest score that end the run (REGENIE: 3).
        pseudo_first_coefficient_limit: a first coefficient above this after two iterations ends it (REGENIE: 1e13).
        pseudo_late_iterations: after this many the two limits below hold (REGENIE: 50).
        pseudo_late_score_limit: (REGENIE: 1000).
        pseudo_late_coefficient_limit: (REGENIE: 1e12).
    """

    max_step: float
    max_iterations: int
    retry: bool
    score_tolerance: float
    max_step_evaluations: int
    max_score_increases: int
    trials: int
    retry_step_divisor: int
    retry_iteration_factor: int
    pseudo_inner_iterations: int
    pseudo_max_stalls: int
    pseudo_first_coefficient_limit: float
    pseudo_late_iterations: int
    pseudo_late_score_limit: float
    pseudo_late_coefficient_limit: float
