"""What is said of a variant in one set of samples, from its moments.

Belongs here: allele frequency, INFO, minor allele count, missing genotypes, case and control frequencies, orientation.
Does not belong here: filters (engine/), decoding (rust/bgen).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from g_core.kernels.settings import GenotypeConfig

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class VariantSummary:
    """One entry per variant of a chunk, in one set of samples.

    Attributes:
        n_present: [R] int64, samples with a genotype.
        dosage_sum: [R] float64, of the effect allele over them.
        allele_frequency: [R] float64 of the effect allele; NaN where no sample has a genotype.
        info: [R] float64, IMPUTE info, not clamped; 1 where the frequency is exactly 0 or 1; NaN where undefined.
        minor_allele_count: [R] float64.
    """

    n_present: npt.NDArray[np.int64]
    dosage_sum: FloatArray
    allele_frequency: FloatArray
    info: FloatArray
    minor_allele_count: FloatArray


def summarise_variants(
    *,
    n_present: npt.NDArray[np.int64],
    dosage_sum: FloatArray,
    info_sum: FloatArray,
    male_present: npt.NDArray[np.int64],
    male_dosage_sum: FloatArray,
    males_halved: bool,
) -> VariantSummary:
    """Summarise variants (spec 7). All arrays are [R], as VariantMoments and GenotypeSums have them.

    Args:
        n_present: samples with a genotype.
        dosage_sum: sum of the effect allele's dosage over them.
        info_sum: sum of 4 P(hom effect) + P(het) - dosage squared.
        male_present: males with a genotype; 0 outside the non-pseudo-autosomal X, where males count as one allele.
        male_dosage_sum: their share of dosage_sum; 0 elsewhere.
        males_halved: ``--skip-dosage-comp``: the sums have males on the 0..1 scale already, and the frequency counts
            one allele of them. Otherwise they are on the 0..2 scale, and only the minor allele count halves them.
    """
    frequency_alleles = 2.0 * n_present - (male_present if males_halved else 0)
    allele_count = dosage_sum if males_halved else dosage_sum - 0.5 * male_dosage_sum
    with np.errstate(divide="ignore", invalid="ignore"):
        frequency = dosage_sum / frequency_alleles
        info = 1.0 - info_sum / (2.0 * n_present * frequency * (1.0 - frequency))
    info = np.where((frequency == 0.0) | (frequency == 1.0), 1.0, info)
    return VariantSummary(
        n_present=n_present,
        dosage_sum=dosage_sum,
        allele_frequency=frequency,
        info=info,
        minor_allele_count=np.minimum(allele_count, 2.0 * n_present - male_present - allele_count),
    )


def find_sparse(
    *,
    n_present: npt.NDArray[np.int64],
    n_nonzero_present: npt.NDArray[np.int64],
    tested_sum: FloatArray,
    flipped: npt.NDArray[np.bool_],
    n_samples: int,
    n_kept: int,
    config: GenotypeConfig,
) -> npt.NDArray[np.bool_]:
    """Return which variants REGENIE takes for sparse, [R] (spec 4.4): by the dosage that is tested, after imputation.

    Args:
        n_present: samples with a genotype.
        n_nonzero_present: those of them whose tested dosage is not 0.
        tested_sum: sum of the tested dosage before flipping.
        flipped: the tested dosage counts the other allele.
        n_samples: size of the set.
        n_kept: samples after keep and remove, which the rule compares with.
        config: the rule.
    """
    mean_is_positive = np.where(flipped, 2.0 * n_present - tested_sum, tested_sum) > 0.0
    # A missing genotype is imputed with the mean, which is not 0 as soon as one allele was seen.
    n_imputed_nonzero = np.where(mean_is_positive, n_samples - n_present, 0)
    return n_nonzero_present + n_imputed_nonzero <= n_kept * config.sparse_maximum_nonzero_fraction


@dataclass(frozen=True, slots=True)
class CaseControlSummary:
    """One entry per variant and binary trait, [R, T]; frequencies of the effect allele, NaN where nobody is counted."""

    n_cases: npt.NDArray[np.int64]
    n_controls: npt.NDArray[np.int64]
    frequency_cases: FloatArray
    frequency_controls: FloatArray


def summarise_cases_and_controls(
    *,
    cases: FloatArray,
    case_value_sum: FloatArray,
    n_present: npt.NDArray[np.int64],
    dosage_sum: FloatArray,
    unit: FloatArray,
    centre: FloatArray,
    flipped: npt.NDArray[np.bool_],
    missing_offsets: npt.NDArray[np.int64],
    missing_columns: npt.NDArray[np.uint32],
) -> CaseControlSummary:
    """Split counts and frequencies by case status (spec 7, ``--af-cc``).

    Args:
        cases: [n, T] 0/1.
        case_value_sum: [R, T] sum of ``values`` over the cases (from binary_score).
        n_present: [R].
        dosage_sum: [R] of the effect allele.
        unit: [R].
        centre: [R].
        flipped: [R].
        missing_offsets: [R + 1] into missing_columns.
        missing_columns: samples without a genotype, variant by variant.
    """
    n_variants, n_traits = case_value_sum.shape
    n_all_cases = cases.sum(axis=0)
    missing_cases = np.zeros((n_variants, n_traits))
    variant_of_missing = np.repeat(np.arange(n_variants), np.diff(missing_offsets))
    np.add.at(missing_cases, variant_of_missing, cases[missing_columns])
    flipped_sum = centre[:, None] * n_all_cases + unit[:, None] * case_value_sum
    imputed_sum = np.where(flipped[:, None], 2.0 * n_all_cases - flipped_sum, flipped_sum)
    n_cases = n_all_cases - missing_cases
    n_controls = n_present[:, None] - n_cases
    with np.errstate(divide="ignore", invalid="ignore"):
        # Imputed genotypes hold the mean of those present; they are taken out again.
        case_sum = imputed_sum - np.where(missing_cases > 0, missing_cases * (dosage_sum / n_present)[:, None], 0.0)
        frequency_cases = case_sum / (2.0 * n_cases)
        frequency_controls = (dosage_sum[:, None] - case_sum) / (2.0 * n_controls)
    return CaseControlSummary(
        n_cases=n_cases.astype(np.int64),
        n_controls=n_controls.astype(np.int64),
        frequency_cases=frequency_cases,
        frequency_controls=frequency_controls,
    )


def case_control_from_sums(
    *,
    n_present: npt.NDArray[np.int64],
    dosage_sum: FloatArray,
    n_cases: npt.NDArray[np.int64],
    case_dosage_sum: FloatArray,
) -> CaseControlSummary:
    """As summarise_cases_and_controls, [R, T], from sums over the cases themselves.

    Args:
        n_present: [R, T] samples of the trait with a genotype.
        dosage_sum: [R, T] of the effect allele over them.
        n_cases: [R, T] cases with a genotype.
        case_dosage_sum: [R, T] over them.
    """
    n_controls = n_present - n_cases
    with np.errstate(divide="ignore", invalid="ignore"):
        frequency_cases = case_dosage_sum / (2.0 * n_cases)
        frequency_controls = (dosage_sum - case_dosage_sum) / (2.0 * n_controls)
    return CaseControlSummary(
        n_cases=n_cases, n_controls=n_controls, frequency_cases=frequency_cases, frequency_controls=frequency_controls
    )


def orient_to_effect_allele(beta: FloatArray, flipped: npt.NDArray[np.bool_]) -> FloatArray:
    """Return effects [R, T] of the flipped dosage as effects of the effect allele; ``flipped`` is [R]."""
    return np.where(flipped[:, None], -beta, beta)
