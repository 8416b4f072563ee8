"""REGENIE's own thresholds, as every kernel test uses them."""

from g_core.kernels.binary_null import BinaryNullConfigs
from g_core.kernels.settings import (
    BasisConfig,
    FirthApproximateConfig,
    FirthExactConfig,
    FirthNullConfig,
    GenotypeConfig,
    LinearConfig,
    LogisticNullConfig,
    ProbabilityConfig,
    SaddlepointConfig,
    ScoreConfig,
)

BASIS = BasisConfig(relative_eigenvalue_cutoff=1e-15)
GENOTYPE = GenotypeConfig(sparse_maximum_nonzero_fraction=0.5, minimum_coded_mean=1e-6)
PROBABILITY = ProbabilityConfig(linear_predictor_limit=30.0, epsilon=10 * 2.0**-52)
LINEAR = LinearConfig(
    minimum_scaled_sd=1e-6,
    minimum_unexplained_fraction=1e-12,
    double_precision_fraction=0.1,
    minimum_residual_sd=1e-6,
    intercept_remainder_fraction=1e-18,
    largest_shared_missing_fraction=0.2,
)
SCORE = ScoreConfig(minimum_denominator_root=1e-6, minimum_unexplained_fraction=1e-12, double_precision_fraction=0.1)
LOGISTIC_NULL = LogisticNullConfig(
    max_iterations=50,
    score_tolerance=1e-6,
    deviance_tolerance=1e-6,
    max_step_evaluations=25,
    near_score=1.0,
    near_iterations=20,
    away_score=5.0,
    retry_case_weight=0.5,
)
FIRTH_NULL = FirthNullConfig(
    max_step=25.0,
    max_iterations=1000,
    retry=True,
    score_tolerance=5e-5,
    max_step_evaluations=25,
    max_score_increases=25,
    trials=4,
    retry_step_divisor=5,
    retry_iteration_factor=5,
    pseudo_inner_iterations=25,
    pseudo_max_stalls=3,
    pseudo_first_coefficient_limit=1e13,
    pseudo_late_iterations=50,
    pseudo_late_score_limit=1000.0,
    pseudo_late_coefficient_limit=1e12,
)
FIRTH_APPROXIMATE = FirthApproximateConfig(
    score_tolerance=2.5e-4,
    max_step=5.0,
    pseudo_max_iterations=50,
    pseudo_max_iterations_sparse=125,
    pseudo_inner_iterations=25,
    pseudo_drift_iteration=14,
    pseudo_drift_limit=0.1,
    newton_max_iterations=125,
    newton_max_step_evaluations=25,
    newton_nudge=1e-6,
    carrier_dosage=1e-4,
    carrier_maximum_mac=50.0,
    lanes=16,
)
FIRTH_EXACT = FirthExactConfig(
    null_score_tolerance=1e-5,
    null_max_step=25.0,
    null_max_iterations=500,
    null_max_score_increases=25,
    null_restart_coefficient_limit=1e12,
    score_tolerance=2.5e-4,
    max_step=5.0,
    max_iterations=125,
    max_step_evaluations=25,
    newton_nudge=1e-6,
    pseudo_inner_iterations=25,
    pseudo_max_stalls=3,
    pseudo_first_coefficient_limit=1e13,
    pseudo_late_iterations=50,
    pseudo_late_score_limit=1000.0,
    pseudo_late_coefficient_limit=1e12,
    lanes=16,
)
SADDLEPOINT = SaddlepointConfig(
    root_tolerance=2.0**-13,
    max_iterations=1000,
    exponent_limit=708.0,
    minimum_p=10 * 2.0**-1022,
    minimum_nonzero_dosage=1e-12,
    lanes=16,
)
BINARY_NULL = BinaryNullConfigs(
    basis=BASIS, probability=PROBABILITY, logistic_null=LOGISTIC_NULL, firth_null=FIRTH_NULL
)
