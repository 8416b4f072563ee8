"""Tolerances and iteration limits of the kernels, as typed sections of the configuration.

Belongs here: one model a kernel, field for field the kernel's own config dataclass (tests hold them equal). Does not
belong here: what the numbers do (g_core/kernels), their defaults (default.toml).
"""

from g_core.config.section import Section


class GenotypeNumerics(Section):
    """How a variant is classified."""

    section_name = "genotype"
    sparse_maximum_nonzero_fraction: float
    minimum_coded_mean: float


class ProbabilityNumerics(Section):
    """Where fitted probabilities are held."""

    section_name = "probability"
    linear_predictor_limit: float
    epsilon: float


class BasisNumerics(Section):
    """Which directions of the covariates count."""

    section_name = "basis"
    relative_eigenvalue_cutoff: float


class LinearNumerics(Section):
    """When a quantitative test cannot be made."""

    section_name = "linear"
    minimum_scaled_sd: float
    minimum_unexplained_fraction: float
    double_precision_fraction: float
    minimum_residual_sd: float
    intercept_remainder_fraction: float
    largest_shared_missing_fraction: float


class ScoreNumerics(Section):
    """When a binary test cannot be made."""

    section_name = "score"
    minimum_denominator_root: float
    minimum_unexplained_fraction: float
    double_precision_fraction: float


class LogisticNullNumerics(Section):
    """The logistic null model."""

    section_name = "logistic_null"
    max_iterations: int
    score_tolerance: float
    deviance_tolerance: float
    max_step_evaluations: int
    near_score: float
    near_iterations: int
    away_score: float
    retry_case_weight: float


class FirthNullNumerics(Section):
    """The null model with Firth's penalty."""

    section_name = "firth_null"
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


class FirthApproximateNumerics(Section):
    """The Firth fit of one variant."""

    section_name = "firth_approximate"
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


class FirthExactNumerics(Section):
    """The exact Firth fits of one variant."""

    section_name = "firth_exact"
    null_score_tolerance: float
    null_max_step: float
    null_max_iterations: int
    null_max_score_increases: int
    null_restart_coefficient_limit: float
    score_tolerance: float
    max_step: float
    max_iterations: int
    max_step_evaluations: int
    newton_nudge: float
    pseudo_inner_iterations: int
    pseudo_max_stalls: int
    pseudo_first_coefficient_limit: float
    pseudo_late_iterations: int
    pseudo_late_score_limit: float
    pseudo_late_coefficient_limit: float


class SaddlepointNumerics(Section):
    """The saddlepoint test of one variant."""

    section_name = "saddlepoint"
    root_tolerance: float
    max_iterations: int
    exponent_limit: float
    minimum_p: float
    minimum_nonzero_dosage: float
