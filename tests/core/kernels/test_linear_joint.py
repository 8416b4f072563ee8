"""REGENIE's joint test of quantitative traits whose samples differ: the worked numbers of the specification."""

import numpy as np
import pytest

from g_core.kernels.covariate_basis import covariate_basis
from g_core.kernels.linear import TraitStatus
from g_core.kernels.linear_joint import joint_chromosome_model, joint_linear_score, prepare_joint_traits
from tests.core.kernels import regenie_configs as configs
from tests.reference.worked_example import COVARIATE, DOSAGE, PREDICTIONS, TRAITS

N_SAMPLES, N_PADDED = 24, 32
DESIGN = np.column_stack([np.ones(N_SAMPLES), COVARIATE])
UNITS = 255


def joint_score(names, *, imputed=False):
    values = np.column_stack([TRAITS[name] for name in names])
    if imputed:
        values = np.where(np.isnan(values), np.nanmean(values, axis=0), values)
    observed = ~np.isnan(values)
    predictions = np.column_stack([PREDICTIONS[name] for name in names])
    present = observed & ~np.isnan(predictions)
    basis = covariate_basis(DESIGN, configs.BASIS).basis
    prepared = prepare_joint_traits(values, observed, present, basis, configs.LINEAR)
    model = joint_chromosome_model(prepared, present, np.nan_to_num(predictions), N_PADDED)
    mean = np.nanmean(DOSAGE, axis=1, keepdims=True)
    tested = np.zeros((len(DOSAGE), N_PADDED), dtype=np.float32)
    centre = np.round(mean[:, 0] * UNITS) / UNITS
    tested[:, :N_SAMPLES] = (np.where(np.isnan(DOSAGE), mean, DOSAGE) - centre[:, None]) * UNITS
    sparse = np.array([False, True])
    score = joint_linear_score(tested, np.full(2, 1 / UNITS), centre, sparse, model, configs.LINEAR)
    return prepared, score


def table(score, trait):
    return np.column_stack(
        [np.asarray(column)[:, trait] for column in (score.beta, score.se, score.chi_square, score.log10_p)]
    )


def test_two_traits_together_are_what_regenie_computes():
    prepared, score = joint_score(["Q1", "Q2"])
    np.testing.assert_allclose(prepared.scale, [1.025434211, 0.9798346062], rtol=1e-9)
    # The one missing genotype is imputed in float32, hence 1e-8 and not 1e-9.
    np.testing.assert_allclose(score.denominator, [[11.05162064, 10.02820863], [5.755639724, 6.019517283]], rtol=1e-8)
    np.testing.assert_allclose(
        table(score, 0),
        [
            [0.1683789541, 0.2797090607, 0.3623786021, 0.2618632931],
            [-0.1396497566, 0.3875901385, 0.1298180044, 0.1435002089],
        ],
        rtol=1e-7,
    )
    np.testing.assert_allclose(
        table(score, 1),
        [
            [0.0326138835, 0.2809607719, 0.01347453095, 0.04211065183],
            [0.1849311825, 0.362640692, 0.2600562068, 0.214612114],
        ],
        rtol=1e-7,
    )


def test_an_imputed_value_takes_the_mean_into_the_regression_on_the_covariates():
    values = np.column_stack([TRAITS["Q1"], TRAITS["Q2"]])
    _, score = joint_score(["Q1", "Q2"], imputed=True)
    assert np.isnan(values).any()
    # Predictions still mask the four samples.
    np.testing.assert_allclose(
        table(score, 1),
        [[0.0330993, 0.281815, 0.0137946, 0.0426307], [0.185591, 0.363743, 0.260329, 0.214745]],
        rtol=1e-5,
    )


def test_traits_with_all_samples_are_tested_as_though_alone():
    _, together = joint_score(["Q1", "Q2"])
    _, alone = joint_score(["Q1"])
    np.testing.assert_allclose(table(together, 0), table(alone, 0), rtol=1e-12)


@pytest.mark.parametrize("name", ["Q1", "Q2"])
def test_a_trait_in_the_span_of_the_covariates_is_not_tested(name):
    observed = ~np.isnan(TRAITS[name])
    values = np.where(observed, 3.0 + 2.0 * COVARIATE, np.nan)[:, None]
    basis = covariate_basis(DESIGN, configs.BASIS).basis
    if observed.all():
        prepared = prepare_joint_traits(values, observed[:, None], observed[:, None], basis, configs.LINEAR)
        assert prepared.statuses == (TraitStatus.IN_COVARIATE_SPAN,)
    else:
        # A missing value is 0 on the raw scale, which leaves something: REGENIE's peculiarity, not an error.
        prepared = prepare_joint_traits(values, observed[:, None], observed[:, None], basis, configs.LINEAR)
        assert prepared.statuses == (TraitStatus.OK,)
