"""The exponential of fitted probabilities against exact values."""

import math
from decimal import Decimal, localcontext

import jax
import numpy as np
import pytest

from g_core.kernels.exponential import bounded_exponential
from g_core.kernels.probability import probability
from tests.core.kernels import regenie_configs as configs

exponential = jax.jit(bounded_exponential)


def exact(argument):
    with localcontext() as context:
        context.prec = 40
        return Decimal(float(argument)).exp()


def test_it_is_within_one_unit_of_the_last_place():
    rng = np.random.default_rng(70)
    halves_of_ln2 = (np.arange(-40, 41) + 0.5) * math.log(2)
    arguments = np.concatenate([rng.uniform(-30, 30, 600), rng.uniform(-700, 700, 300), halves_of_ln2, [0.0, -0.0]])
    for argument, value in zip(arguments, np.asarray(exponential(arguments)), strict=True):
        expected = exact(argument)
        assert abs(Decimal(float(value)) - expected) <= Decimal(math.ulp(float(expected)))


def test_nan_stays_nan_beside_numbers():
    assert np.isnan(np.asarray(exponential(np.array([1.0, np.nan, -1.0])))).tolist() == [False, True, False]


@pytest.mark.parametrize(("predictor", "expected"), [(800.0, 1 / (1 + 10 * 2.0**-52)), (-np.inf, 10 * 2.0**-52)])
def test_predictors_beyond_the_limit_are_held(predictor, expected):
    assert float(probability(np.array([predictor]), configs.PROBABILITY)[0]) == pytest.approx(expected, rel=1e-14)
