import numpy as np
import pytest

from g_core.kernels.genotype import (
    case_control_from_sums,
    find_sparse,
    orient_to_effect_allele,
    summarise_cases_and_controls,
    summarise_variants,
)
from tests.core.kernels.encoded_dosage import encode_dosage, padded
from tests.core.kernels.regenie_configs import GENOTYPE
from tests.reference.worked_example import DOSAGE, complete_case


def summarise(dosage, hom, *, male=None, males_halved=False):
    present = ~np.isnan(dosage)
    het = dosage - 2 * hom
    male = np.zeros(dosage.shape[1], dtype=bool) if male is None else male
    counted = np.where(male, dosage / 2, dosage) if males_halved else dosage
    return summarise_variants(
        n_present=present.sum(axis=1),
        dosage_sum=np.nansum(counted, axis=1),
        info_sum=np.nansum(4 * hom + het - dosage**2, axis=1),
        male_present=(present & male).sum(axis=1),
        male_dosage_sum=np.nansum(np.where(male, counted, 0), axis=1),
        males_halved=males_halved,
    )


def sparse(dosage, *, n_kept=None):
    present = ~np.isnan(dosage)
    flipped = np.nanmean(dosage, axis=1) > 1
    minor = np.where(flipped[:, None], 2 - dosage, dosage)
    return find_sparse(
        n_present=present.sum(axis=1),
        n_nonzero_present=(present & (minor != 0)).sum(axis=1),
        tested_sum=np.nansum(dosage, axis=1),
        flipped=flipped,
        n_samples=dosage.shape[1],
        n_kept=dosage.shape[1] if n_kept is None else n_kept,
        config=GENOTYPE,
    )


def probability_of_two(dosage):
    """The worked example's codes: 2 is certain, 1.6 is 0.6 and 0.4; the rest has none."""
    return np.select([dosage == 2.0, dosage == 1.6], [1.0, 0.6], 0.0)


@pytest.mark.parametrize(
    ("trait", "frequency", "info", "n_present"),
    [
        ("Q1", [0.517391, 0.178261], [0.94428, 0.976255], [23, 23]),
        ("Q2", [0.510526, 0.184211], [0.957876, 1.0], [19, 19]),
        ("B2", [0.478947, 0.215789], [0.95782, 0.975119], [19, 19]),
    ],
)
def test_worked_numbers(trait, frequency, info, n_present):
    dosage = complete_case(trait)[3]
    summary = summarise(dosage, probability_of_two(dosage))
    np.testing.assert_allclose(summary.allele_frequency, frequency, atol=5e-7)
    np.testing.assert_allclose(summary.info, info, atol=5e-7)
    np.testing.assert_array_equal(summary.n_present, n_present)


def test_the_worked_variants_are_dense_and_sparse():
    np.testing.assert_array_equal(sparse(DOSAGE), [False, True])


def test_missing_genotypes_count_as_not_zero_as_soon_as_one_allele_was_seen():
    dosage = np.array([[np.nan, 1.0, 0.0, 0.0], [np.nan, 0.0, 0.0, 0.0], [np.nan, np.nan, 1.0, 0.0]])
    np.testing.assert_array_equal(sparse(dosage), [True, True, False])
    assert sparse(dosage, n_kept=6)[2]


def test_males_count_half_on_x():
    dosage = np.array([[2.0, 2.0, 1.0, 0.0, 0.0]])
    male = np.array([True, False, False, True, True])
    summary = summarise(dosage, (dosage == 2).astype(float), male=male)
    assert summary.minor_allele_count[0] == min(2 / 2 + 3, 10 - 3 - 4)
    assert summary.allele_frequency[0] == 0.5


def test_halved_males_count_one_allele_in_the_frequency_too():
    dosage = np.array([[2.0, 2.0, 1.0, 0.0, 0.0]])
    male = np.array([True, False, False, True, True])
    summary = summarise(dosage, (dosage == 2).astype(float), male=male, males_halved=True)
    assert summary.minor_allele_count[0] == min(2 / 2 + 3, 10 - 3 - 4)
    assert summary.allele_frequency[0] == 4 / 7


def test_minor_allele_count_is_of_the_rarer_allele():
    dosage = np.array([[2.0, 2.0, 1.0], [0.0, 0.0, 1.0]])
    np.testing.assert_array_equal(summarise(dosage, (dosage == 2).astype(float)).minor_allele_count, [1.0, 1.0])


@pytest.mark.parametrize("dosage", [0.0, 2.0])
def test_a_monomorphic_variant_has_info_one(dosage):
    rows = np.full((1, 4), dosage)
    assert summarise(rows, rows / 2).info[0] == 1.0


def test_nobody_present_is_undefined_and_not_an_error():
    summary = summarise_variants(
        n_present=np.array([0]),
        dosage_sum=np.zeros(1),
        info_sum=np.zeros(1),
        male_present=np.array([0]),
        male_dosage_sum=np.zeros(1),
        males_halved=False,
    )
    assert np.isnan(summary.allele_frequency[0])
    assert np.isnan(summary.info[0])
    assert summary.minor_allele_count[0] == 0


def test_case_and_control_frequencies_leave_missing_genotypes_out():
    rng = np.random.default_rng(4)
    dosage = np.round(rng.uniform(0, 2, (6, 50)) * 255) / 255
    dosage[3:] = np.clip(dosage[3:] + 0.8, 0, 2)
    dosage[rng.random(dosage.shape) < 0.1] = np.nan
    cases = (rng.random((50, 2)) < 0.3).astype(float)
    tile = encode_dosage(dosage, padded(50))
    missing = [np.flatnonzero(np.isnan(row)) for row in dosage]
    summary = summarise_cases_and_controls(
        cases=cases,
        case_value_sum=tile.values[:, :50].astype(float) @ cases,
        n_present=(~np.isnan(dosage)).sum(axis=1),
        dosage_sum=np.nansum(dosage, axis=1),
        unit=tile.unit,
        centre=tile.centre,
        flipped=tile.flipped,
        missing_offsets=np.cumsum([0, *map(len, missing)]),
        missing_columns=np.concatenate(missing).astype(np.uint32),
    )
    assert tile.flipped.any()
    for trait in range(2):
        chosen = cases[:, trait] == 1
        np.testing.assert_array_equal(summary.n_cases[:, trait], (~np.isnan(dosage[:, chosen])).sum(axis=1))
        np.testing.assert_array_equal(summary.n_controls[:, trait], (~np.isnan(dosage[:, ~chosen])).sum(axis=1))
        np.testing.assert_allclose(summary.frequency_cases[:, trait], np.nanmean(dosage[:, chosen], axis=1) / 2)
        np.testing.assert_allclose(summary.frequency_controls[:, trait], np.nanmean(dosage[:, ~chosen], axis=1) / 2)


def test_effects_of_a_flipped_variant_change_sign():
    beta = np.array([[1.0, -2.0], [3.0, np.nan]])
    np.testing.assert_array_equal(orient_to_effect_allele(beta, np.array([False, True])), [[1.0, -2.0], [-3.0, np.nan]])


def test_frequencies_from_sums_over_the_cases_themselves():
    summary = case_control_from_sums(
        n_present=np.array([[10, 8]]),
        dosage_sum=np.array([[6.0, 5.0]]),
        n_cases=np.array([[4, 0]]),
        case_dosage_sum=np.array([[4.0, 0.0]]),
    )
    np.testing.assert_array_equal(summary.n_controls, [[6, 8]])
    np.testing.assert_array_equal(summary.frequency_cases, [[0.5, np.nan]])
    np.testing.assert_array_equal(summary.frequency_controls, [[2 / 12, 5 / 16]])
