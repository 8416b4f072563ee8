import numpy as np
import pytest

from g_core.kernels.covariate_basis import covariate_basis
from tests.core.kernels.random_study import make_study
from tests.core.kernels.regenie_configs import BASIS


def projection(basis):
    return basis @ basis.T


@pytest.fixture
def design():
    return make_study(1).design


def test_columns_are_orthonormal_and_span_the_design(design):
    result = covariate_basis(design, BASIS)
    assert (result.n_columns, result.n_dropped) == (5, 0)
    np.testing.assert_allclose(result.basis.T @ result.basis, np.eye(5), atol=1e-13)
    np.testing.assert_allclose(projection(result.basis) @ design, design, rtol=1e-12, atol=1e-10)


def test_coordinates_lead_from_the_design_to_the_basis(design):
    result = covariate_basis(design, BASIS)
    np.testing.assert_allclose(design @ result.coordinates, result.basis, atol=1e-10)


def test_coordinates_are_those_of_the_eigenvectors(design):
    eigenvalues, eigenvectors = np.linalg.eigh(design.T @ design)
    of_regenie = design @ eigenvectors / np.sqrt(eigenvalues)
    np.testing.assert_allclose(np.abs(covariate_basis(design, BASIS).basis), np.abs(of_regenie), atol=1e-7)


def test_shift_and_scale_of_a_covariate_change_nothing(design):
    changed = design.copy()
    changed[:, 1] = 1e4 + 30 * changed[:, 1]
    changed[:, 3] = 100 * changed[:, 3] - 7
    before, after = covariate_basis(design, BASIS), covariate_basis(changed, BASIS)
    np.testing.assert_allclose(projection(after.basis), projection(before.basis), atol=1e-9)


def test_a_repeated_covariate_is_dropped_and_counted(design):
    once = covariate_basis(design, BASIS)
    twice = covariate_basis(np.column_stack([design, design[:, 1] * 2]), BASIS)
    assert (twice.n_columns, twice.n_dropped) == (5, 1)
    assert twice.eigenvalue_ratio < 1e-15
    np.testing.assert_allclose(projection(twice.basis), projection(once.basis), atol=1e-6)


def test_regenies_rule_drops_a_direction_of_year_and_its_square(design):
    year = np.random.default_rng(3).integers(1940, 1970, len(design)).astype(float)
    raw = np.column_stack([np.ones(len(design)), year, year**2, 100 * design[:, 3]])
    assert covariate_basis(raw, BASIS).n_columns == 3
    centred = raw.copy()
    centred[:, 1] = year - 1955
    centred[:, 2] = (year - 1955) ** 2
    assert covariate_basis(centred, BASIS).n_columns == 4


def test_rows_of_padding_stay_zero(design):
    padded = np.vstack([design, np.zeros((13, 5))])
    result = covariate_basis(padded, BASIS)
    np.testing.assert_allclose(result.basis[-13:], 0, atol=1e-15)
