"""The worked numbers of B2 in a run with B1 (specification, section 12): masked samples enter the Firth information."""

import numpy as np
import pytest

from g_core.kernels.binary_null import FirthKind, fit_binary_null
from g_core.kernels.covariate_basis import covariate_basis
from g_core.kernels.firth_batches import fit_firth_approximate
from g_core.kernels.firth_exact_batches import fit_firth_exact
from g_core.kernels.score import binary_model, binary_score
from tests.core.kernels import regenie_configs as configs
from tests.core.kernels.encoded_dosage import encode_dosage, padded
from tests.reference.worked_example import COVARIATE, DOSAGE, PREDICTIONS, TRAITS

N_SAMPLES = 24
DESIGN = np.column_stack([np.ones(N_SAMPLES), COVARIATE])
TILE = encode_dosage(DOSAGE, padded(N_SAMPLES))
SPARSE = np.array([False, True])


def fit(kind):
    own = ~np.isnan(TRAITS["B2"])
    basis = covariate_basis(DESIGN, configs.BASIS)
    return basis, fit_binary_null(
        np.where(own, TRAITS["B2"], 0.0),
        own,
        basis.basis,
        np.where(own, PREDICTIONS["B2"], 0.0),
        n_padded=padded(N_SAMPLES),
        firth_kind=kind,
        stored_start=None,
        keep_unconverged=False,
        configs=configs.BINARY_NULL,
    )


def columns(result):
    beta = np.where(TILE.flipped, -result.beta, result.beta)
    return np.column_stack([beta, result.se, result.chi_square, result.log10_p])


def test_the_null_models():
    basis, null = fit(FirthKind.APPROXIMATE)
    raw = [basis.coordinates @ each.coefficients for each in (null.logistic, null.firth)]
    np.testing.assert_allclose(raw[0], [-1.050625923, -0.7654227423], rtol=1e-9)
    np.testing.assert_allclose(raw[1], [-0.9707518637, -0.662903741], rtol=1e-9)


def test_the_score_test():
    basis, null = fit(FirthKind.NONE)
    model = binary_model([null.trait_null], padded(N_SAMPLES), basis.n_columns, double_precision=True)
    score = binary_score(
        TILE.values, TILE.unit, TILE.centre, TILE.centred_square_sum, TILE.whole, SPARSE, model, configs.SCORE
    )
    # Both variants have a missing genotype, so products are in double precision; its mean is stored in float32.
    np.testing.assert_allclose(score.denominator[:, 0], [1.346272167, 0.8230037908], rtol=1e-8)
    np.testing.assert_allclose(score.statistic[:, 0], [1.040371601, -1.768829436], rtol=2e-8)
    np.testing.assert_allclose(score.se[:, 0], [0.8618537315, 1.102298159], rtol=1e-8)
    np.testing.assert_allclose(score.log10_p[:, 0], [0.5255400016, 1.113947496], rtol=2e-8)


@pytest.mark.parametrize(
    ("carriers_only", "iterations", "expected"),
    [
        (
            [False, True],
            [4, 7],
            [
                [-0.8204822503, 0.8779179312, 0.9411346743, 0.4788799645],
                [-2.897035947, 3.271012177, 1.164248679, 0.5519337833],
            ],
        ),
        (
            [False, False],
            [4, 4],
            [
                [-0.8204822503, 0.8779179312, 0.9411346743, 0.4788799645],
                [-2.118517098, 1.231359861, 3.007376431, 1.081517001],
            ],
        ),
    ],
    ids=["carriers", "skip_fast_firth"],
)
def test_approximate_firth(carriers_only, iterations, expected):
    _, null = fit(FirthKind.APPROXIMATE)
    result = fit_firth_approximate(
        TILE.values,
        TILE.unit,
        TILE.centre,
        np.array(carriers_only),
        null.firth_model,
        configs.FIRTH_APPROXIMATE,
        configs.PROBABILITY,
        workers=1,
    )
    np.testing.assert_array_equal(result.iterations, iterations)
    np.testing.assert_allclose(columns(result), expected, rtol=1e-8)


def test_exact_firth():
    _, null = fit(FirthKind.EXACT)
    result = fit_firth_exact(
        TILE.values, TILE.unit, TILE.centre, null.exact_model, configs.FIRTH_EXACT, configs.PROBABILITY, workers=1
    )
    np.testing.assert_array_equal(result.iterations, [5, 4])
    np.testing.assert_allclose(
        columns(result),
        [
            [-0.9114403003, 0.4912972547, 1.053960846, 0.5162749076],
            [-2.43697173, 1.847845731, 2.731020125, 1.006932508],
        ],
        rtol=1e-8,
    )
