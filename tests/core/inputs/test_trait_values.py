"""Rank-inverse-normal values (spec 1 and 4.1 step 1)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from g_core.inputs.rank_normal import rank_normal

NUMBERS = [0.5 * number for number in range(12)]


def reference(values):
    return special.ndtri((stats.rankdata(values, method="average") - 0.375) / (len(values) + 0.25))


@given(st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=60))
def test_ranks_become_normal_quantiles_and_equal_values_share_theirs(values):
    np.testing.assert_allclose(rank_normal(np.array(values)), reference(values), rtol=1e-12, atol=1e-12)


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30, unique=True))
def test_only_the_order_of_the_values_matters(values):
    transformed = rank_normal(np.array(values))
    assert np.array_equal(transformed, rank_normal(np.argsort(np.argsort(values)).astype(float)))
    np.testing.assert_allclose(np.sort(transformed), -np.sort(transformed)[::-1], atol=1e-12)


def test_a_trait_is_transformed_over_its_own_observed_samples_that_have_covariates(study):
    study.phenotypes(A=["NA", *NUMBERS[1:]], B=NUMBERS)
    study.covariates(age=[*range(1, 12), "NA"])
    first, second = study.load("--apply-rint", "--covarFile", "covar.txt").groups
    assert first.sample_indices.tolist() == list(range(1, 11))
    np.testing.assert_allclose(first.traits[0].values, reference(range(10)))
    np.testing.assert_allclose(second.traits[0].values, reference(range(11)))


def test_predictions_mask_after_the_transformation(study):
    study.phenotypes(A=NUMBERS)
    study.loco("a.loco", ["NA", *NUMBERS[1:]])
    study.write("pred.list", "A a.loco\n")
    (group,) = study.load("--apply-rint", "--pred", "pred.list").groups
    np.testing.assert_allclose(group.traits[0].values, reference(NUMBERS)[1:])


def test_missing_values_take_the_mean_of_the_transformed_ones(study):
    study.phenotypes(A=["NA", *NUMBERS[1:]], B=NUMBERS)
    (group,) = study.load("--apply-rint", "--force-impute").groups
    assert group.traits[0].values[0] == pytest.approx(0.0, abs=1e-12)


def test_complete_case_transforms_over_the_samples_that_have_every_trait(study):
    study.phenotypes(A=["NA", *NUMBERS[1:]], B=NUMBERS)
    (group,) = study.load("--apply-rint", "--strict").groups
    np.testing.assert_allclose(group.traits[1].values, reference(NUMBERS[1:]))


def test_a_case_status_is_never_transformed(study):
    study.phenotypes(B=[0, 1] * 6)
    assert study.load("--bt", "--minCaseCount", "1", "--apply-rint").groups[0].traits[0].values.tolist() == [0, 1] * 6
