"""Thresholds and limits of every kernel, as frozen fields: what a result depends on besides its data.

Belongs here: one class a kernel, with REGENIE's value beside each field. Does not belong here: anything that computes,
so that a plan can be made without importing JAX. Values come from g_core/config/default.toml.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProbabilityConfig:
    """Where a fitted probability stops following its linear predictor (spec 5.1, REGENIE get_pvec).

    Attributes:
        linear_predictor_limit: beyond plus or minus this the probability is held constant (REGENIE: 30).
        epsilon: the constant: ``1 / (1 + epsilon)`` above, ``epsilon / (1 + epsilon)`` below (REGENIE: 10 * 2**-52).
    """

    linear_predictor_limit: float
    epsilon: float


@dataclass(frozen=True, slots=True)
class BasisConfig:
    """Which directions of the covariates count (spec 3, REGENIE getBasis).

    Attributes:
        relative_eigenvalue_cutoff: a direction is kept while its eigenvalue of ``Z'Z`` is above this share of the
            largest one (REGENIE: 1e-15).
    """

    relative_eigenvalue_cutoff: float


@dataclass(frozen=True, slots=True)
class GenotypeConfig:
    """How a variant is classified (spec 4.4 and 7).

    Attributes:
        sparse_maximum_nonzero_fraction: a variant is sparse when at most this share of the kept samples has a tested
            dosage that is not 0 (REGENIE: 1 - 0.5).
        minimum_coded_mean: a variant whose dominant or recessive dosage has a smaller mean is not tested (REGENIE:
            1e-6).
    """

    sparse_maximum_nonzero_fraction: float
    minimum_coded_mean: float


@dataclass(frozen=True, slots=True)
class LinearConfig:
    """When a quantitative test cannot be made (spec 4.1 step 5 and 4.5).

    Attributes:
        minimum_scaled_sd: a variant whose genotype, after the covariates, has a standard deviation below this (in
            alleles) has no variance (REGENIE: 1e-6).
        minimum_unexplained_fraction: a variant of whose variance the covariates leave less than this share has no
            variance either: the rest would be rounding (REGENIE: none; here 1e-12).
        double_precision_fraction: a variant of whose variance the covariates leave less than this share is tested with
            double-precision products (0.1).
        minimum_residual_sd: a trait whose residual standard deviation is below this share of its own standard
            deviation lies in the span of the covariates (1e-6; REGENIE compares the residual alone).
        intercept_remainder_fraction: the intercept lies in the span of the covariates when they leave less than this
            share of its square sum (1e-18: rounding).
        largest_shared_missing_fraction: a trait that lacks at most this share of the kept samples is tested on the
            values of all of them, with columns that are 0 where it is missing; one that lacks more gets values of its
            own (0.2). The two differ in rounding only.
    """

    minimum_scaled_sd: float
    minimum_unexplained_fraction: float
    double_precision_fraction: float
    minimum_residual_sd: float
    intercept_remainder_fraction: float
    largest_shared_missing_fraction: float


@dataclass(frozen=True, slots=True)
class ScoreConfig:
    """When a binary test cannot be made (spec 5.3).

    Attributes:
        minimum_denominator_root: a variant whose weighted genotype, after the covariates, has a norm below this has
            no variance (REGENIE: 1e-6).
        minimum_unexplained_fraction: a variant of whose weighted square sum the covariates leave less than this share
            has no variance either: the rest would be rounding (REGENIE: none; here 1e-12).
        double_precision_fraction: a variant of whose weighted square sum the covariates leave less than this share is
            tested with double-precision products (0.1).
    """

    minimum_denominator_root: float
    minimum_unexplained_fraction: float
    double_precision_fraction: float


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
        lanes: most fits that run side by side; on a CPU fewer where samples are many. A result does not depend on the
            other lanes, but another number of them may change its last bits: choose it from the device only.
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


@dataclass(frozen=True, slots=True)
class FirthExactConfig:
    """When the two fits of a candidate stop and give up, and how many candidates run side by side (spec 6.5).

    Attributes:
        null_score_tolerance: the fit without the variant has converged when every element of its modified score is
            below this in size (REGENIE: 1e-5).
        null_max_step: largest change of a coefficient in a Newton step of that fit (REGENIE: 25).
        null_max_iterations: iterations of each of its two algorithms (REGENIE: 500).
        null_max_score_increases: consecutive Newton iterations with a growing score that end it (REGENIE: 25).
        null_restart_coefficient_limit: its Newton run starts at the covariates' own fit, not where the pseudo-data
            algorithm stopped, when the first coefficient there is above this (REGENIE: 1e12).
        score_tolerance: the same as the first for the fit with the variant (REGENIE: 2.5e-4).
        max_step: (REGENIE: 5).
        max_iterations: (REGENIE: 125).
        max_step_evaluations: trial points per Newton step; each refusal halves the step (REGENIE: 25).
        newton_nudge: added to the first coefficient when no halving made a step acceptable; fit with the variant only
            (REGENIE: 1e-6).
        pseudo_inner_iterations: reweighted least squares steps per set of pseudo-data (REGENIE: 25).
        pseudo_max_stalls: consecutive iterations without a new smallest score that end the run (REGENIE: 3).
        pseudo_first_coefficient_limit: a first coefficient above this after two iterations ends it (REGENIE: 1e13).
        pseudo_late_iterations: after this many the two limits below hold (REGENIE: 50).
        pseudo_late_score_limit: (REGENIE: 1000).
        pseudo_late_coefficient_limit: (REGENIE: 1e12).
        lanes: candidates that run side by side. A result does not depend on the other lanes, but another number of
            them may change its last bits: choose it from sample count and device only.
    """

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
    lanes: int


@dataclass(frozen=True, slots=True)
class SaddlepointConfig:
    """When a tail equation is solved, and when it cannot be (spec 6.6).

    Attributes:
        root_tolerance: a root is found when the equation is this near to 0 (REGENIE: 2**-13).
        max_iterations: Newton steps per tail (REGENIE: 1000).
        exponent_limit: an exponent above this ends the solution of a tail without result (REGENIE: 708).
        minimum_p: a smaller p-value is reported as this (REGENIE: 10 times the smallest normal double).
        minimum_nonzero_dosage: a dosage above this is not 0; smaller ones are rounding.
        lanes: candidates that run side by side. A result does not depend on the other lanes, but another number of
            them may change its last bits: choose it from sample count and device only.
    """

    root_tolerance: float
    max_iterations: int
    exponent_limit: float
    minimum_p: float
    minimum_nonzero_dosage: float
    lanes: int
