"""The numbers of the QQ plot against the chi-square distribution."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from g_core.plots.quantiles import MEDIAN_CHI_SQUARE, expected_log10_p, lambda_gc


def test_uniform_p_values_have_a_lambda_of_one():
    p = (np.arange(10_001) + 0.5) / 10_001
    assert lambda_gc(stats.chi2.isf(p, 1)) == pytest.approx(1.0, abs=1e-12)


@given(factor=st.floats(0.1, 10))
def test_statistics_that_are_inflated_have_the_factor_as_lambda(factor):
    p = (np.arange(501) + 0.5) / 501
    assert lambda_gc(factor * stats.chi2.isf(p, 1)) == pytest.approx(factor)


def test_the_median_is_that_of_the_distribution():
    assert pytest.approx(stats.chi2.median(1), rel=1e-14) == MEDIAN_CHI_SQUARE


def test_without_a_test_there_is_no_lambda():
    assert lambda_gc(np.empty(0)) is None


def test_expected_values_are_those_of_uniform_p_values():
    np.testing.assert_allclose(10.0 ** -expected_log10_p(4), [0.125, 0.375, 0.625, 0.875])
    assert expected_log10_p(0).size == 0
