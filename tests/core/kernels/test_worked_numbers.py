"""The worked numbers of the specification (section 12), trait by trait on its own complete samples."""

import numpy as np
import pytest

from g_core.kernels.binary_null import FirthKind, fit_binary_null
from g_core.kernels.covariate_basis import covariate_basis
from g_core.kernels.firth_batches import fit_firth_approximate
from g_core.kernels.genotype import orient_to_effect_allele
from g_core.kernels.linear import chromosome_model, linear_score, prepare_traits
from g_core.kernels.score import binary_model, binary_score
from tests.core.kernels import regenie_configs as configs
from tests.core.kernels.encoded_dosage import encode_dosage, padded
from tests.reference.worked_example import complete_case

FLOAT32 = 2e-6
SPARSE = np.array([False, True])


def quantitative(trait):
    y, design, predictions, dosage = complete_case(trait)
    tile = encode_dosage(dosage, padded(len(y)))
    basis = covariate_basis(design, configs.BASIS).basis
    prepared = prepare_traits(y[:, None], basis, configs.LINEAR)
    model = chromosome_model(prepared, predictions[:, None], padded(len(y)), configs.LINEAR)
    score = linear_score(
        tile.values, tile.unit, tile.centre, tile.centred_square_sum, tile.whole, model, configs.LINEAR
    )
    beta = orient_to_effect_allele(np.asarray(score.beta), tile.flipped)
    columns = [beta, score.se, score.chi_square, score.log10_p]
    return prepared, score, np.column_stack([np.asarray(column)[:, 0] for column in columns])


def binary(trait):
    y, design, predictions, dosage = complete_case(trait)
    tile = encode_dosage(dosage, padded(len(y)))
    basis = covariate_basis(design, configs.BASIS)
    null = fit_binary_null(
        y,
        np.ones(len(y), dtype=bool),
        basis.basis,
        predictions,
        n_padded=padded(len(y)),
        firth_kind=FirthKind.APPROXIMATE,
        stored_start=None,
        keep_unconverged=False,
        configs=configs.BINARY_NULL,
    )
    model = binary_model([null.trait_null], padded(len(y)), basis.n_columns, double_precision=False)
    return (
        tile,
        basis,
        null,
        binary_score(
            tile.values, tile.unit, tile.centre, tile.centred_square_sum, tile.whole, SPARSE, model, configs.SCORE
        ),
    )


def test_q1_is_what_regenie_prints():
    prepared, score, results = quantitative("Q1")
    assert prepared.scale[0] == pytest.approx(1.025434211, rel=1e-9)
    np.testing.assert_allclose(score.denominator[:, 0], [11.05162064, 5.755639724], rtol=FLOAT32)
    np.testing.assert_allclose(
        results,
        [
            [0.1683789541, 0.2797090607, 0.3623786021, 0.2618632931],
            [-0.1396497566, 0.3875901385, 0.1298180044, 0.1435002089],
        ],
        rtol=FLOAT32,
    )


def test_q2_alone_is_what_regenie_prints():
    _, _, results = quantitative("Q2")
    np.testing.assert_allclose(
        results, [[0.0318802, 0.281093, 0.012863, 0.0411011], [0.201348, 0.377439, 0.284577, 0.22642]], rtol=1e-5
    )


@pytest.mark.parametrize(
    ("trait", "logistic", "firth"),
    [
        ("B1", [-1.775430172, 1.919596666], [-1.496548788, 1.52657383]),
        ("B2", [-1.050625923, -0.7654227423], [-0.947002322, -0.6564164255]),
    ],
)
def test_null_models_of_b1_and_b2(trait, logistic, firth):
    _, basis, null, _ = binary(trait)
    np.testing.assert_allclose(basis.coordinates @ null.logistic.coefficients, logistic, rtol=1e-8)
    np.testing.assert_allclose(basis.coordinates @ null.firth.coefficients, firth, rtol=1e-8)


def test_b1_score_is_what_regenie_prints():
    tile, _, _, score = binary("B1")
    np.testing.assert_allclose(score.denominator[:, 0], [1.59649393, 1.20429436], rtol=FLOAT32)
    np.testing.assert_allclose(score.statistic[:, 0], [0.5882800546, 3.180276252], rtol=FLOAT32)
    beta = orient_to_effect_allele(np.asarray(score.beta), tile.flipped)
    np.testing.assert_allclose(beta[:, 0], [-0.4655866169, 2.898000927], rtol=FLOAT32)
    np.testing.assert_allclose(score.se[:, 0], [0.7914370261, 0.9112418851], rtol=FLOAT32)
    np.testing.assert_allclose(score.log10_p[:, 0], [0.254656333, 2.832284849], rtol=FLOAT32)


@pytest.mark.parametrize(
    ("carriers_only", "iterations", "expected"),
    [
        (
            [False, True],
            [4, 5],
            [
                [-0.407598255, 0.7512081714, 0.3027927231, 0.234974865],
                [3.215370443, 1.785518123, 4.842034362, 1.556359826],
            ],
        ),
        (
            [False, False],
            [4, 5],
            [
                [-0.407598255, 0.7512081714, 0.3027927231, 0.234974865],
                [4.052449578, 1.640097768, 10.98016082, 3.035776029],
            ],
        ),
    ],
    ids=["carriers", "skip_fast_firth"],
)
def test_b1_approximate_firth_is_what_regenie_prints(carriers_only, iterations, expected):
    tile, _, null, _ = binary("B1")
    result = fit_firth_approximate(
        tile.values,
        tile.unit,
        tile.centre,
        np.array(carriers_only),
        null.firth_model,
        configs.FIRTH_APPROXIMATE,
        configs.PROBABILITY,
        workers=1,
    )
    beta = np.where(tile.flipped, -result.beta, result.beta)
    np.testing.assert_array_equal(result.iterations, iterations)
    np.testing.assert_allclose(
        np.column_stack([beta, result.se, result.chi_square, result.log10_p]), expected, rtol=1e-8
    )
