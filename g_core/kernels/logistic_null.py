"""Null logistic regression with an offset."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LogisticNullConfig:
    """When the null logistic fit stops, and when it gives up (spec 5.2, REGENIE fit_logistic).

    Attributes:
        max_iterations: reweighted least squares steps of one attempt (``--niter``; REGENIE: 50).
        score_tolerance: converged when every element of the score is below this in size (REGENIE: 1e-6).
        deviance_tolerance: after the last iteration, the relative change of the deviance that still counts as
            converged (REGENIE: 1e-6).
        max_step_evaluations: trial points per step; each refusal halves the step (REGENIE: 25).
        near_score: a score below this counts as having been near the solution (REGENIE: 1).
        near_iterations: ``near_score`` is looked at before this iteration only, ``away_score`` after it only
            (REGENIE: 20).
        away_score: a fit that had been near and whose score rises above this has failed (REGENIE: 5).
        retry_case_weight: the fit without an offset starts at ``(y + retry_case_weight) / (1 + 2 retry_case_weight)``
            (REGENIE: 0.5).
    """

    max_iterations: int
    score_tolerance: float
    deviance_tolerance: float
    max_step_evaluations: int
    near_score: float
    near_iterations: int
    away_score: float
    retry_case_weight: float
