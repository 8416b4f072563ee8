import jax
import numpy as np
import pytest
from scipy import special

from g_core.kernels.pvalues import log10_p_from_chi_square

WORKED = {
    0.5: 0.3192112778,
    3.841458820694124: 1.301029996,
    29.7: 7.297269518,
    700: 153.5242958,
    1400: 305.6775709,
}


@pytest.mark.parametrize(("chi_square", "expected"), WORKED.items())
def test_worked_values(chi_square, expected):
    assert float(log10_p_from_chi_square(np.float64(chi_square))) == pytest.approx(expected, rel=1e-9)


def test_where_regenie_takes_the_leading_tail_term_the_exact_value_is_higher_by_its_next_term():
    for chi_square, leading_term in {1420.0: 310.0232863, 1500.0: 327.406967, 5000.0: 1087.68375}.items():
        exact = float(log10_p_from_chi_square(np.float64(chi_square)))
        assert exact == pytest.approx(leading_term + np.log10(np.e) / chi_square, rel=1e-8)


def test_exact_from_tiny_statistics_to_a_hundred_thousand():
    chi_square = np.concatenate([np.logspace(-30, 0, 61), np.linspace(0.9, 1.1, 41), np.logspace(0, 5.7, 100)])
    root = np.sqrt(chi_square)
    two_sided = np.where(
        chi_square < 1,
        -np.log1p(-special.erf(np.minimum(root, 1) / np.sqrt(2))),
        -(np.log(2) + special.log_ndtr(-root)),
    )
    np.testing.assert_allclose(jax.jit(log10_p_from_chi_square)(chi_square), two_sided / np.log(10), rtol=1e-12, atol=0)


def test_ends_of_the_scale():
    values = np.asarray(log10_p_from_chi_square(np.array([0.0, 1e-320, -1.0, np.nan, 46100.0])))
    assert values[0] == 0.0
    assert values[1] >= 0.0
    assert np.isnan(values[2:4]).all()
    assert values[4] == pytest.approx(1e4, rel=2e-3)
