"""Each kernel compiles once for a run: shapes are fixed and thresholds are static."""

import numpy as np

from g_core.kernels.binary_null import FirthKind, fit_binary_null
from g_core.kernels.covariate_basis import covariate_basis
from g_core.kernels.firth_batches import advance_fits, fit_firth_approximate
from g_core.kernels.firth_null import firth_newton
from g_core.kernels.linear import chromosome_model, linear_score, prepare_traits
from g_core.kernels.logistic_null import logistic_attempt
from g_core.kernels.score import binary_model, binary_score
from tests.core.kernels import regenie_configs as configs
from tests.core.kernels.random_study import make_study


def test_chromosomes_tiles_and_batches_share_one_compilation():
    # Shapes that no other test uses, so that nothing is compiled already.
    study = make_study(50, n_samples=211, n_variants=33, n_traits=2)
    tile, n_padded = study.tile, study.n_padded
    kernels = [linear_score, binary_score, logistic_attempt, firth_newton, advance_fits]
    before = [kernel._cache_size() for kernel in kernels]
    basis = covariate_basis(study.design, configs.BASIS).basis
    prepared = prepare_traits(study.quantitative, basis, configs.LINEAR)
    for chromosome in range(2):
        predictions = study.predictions * chromosome
        quantitative = chromosome_model(prepared, predictions, n_padded, configs.LINEAR)
        nulls = [
            fit_binary_null(
                study.cases[:, trait],
                np.ones(len(study.cases), dtype=bool),
                basis,
                predictions[:, trait],
                n_padded=n_padded,
                firth_kind=FirthKind.APPROXIMATE,
                stored_start=None,
                keep_unconverged=False,
                configs=configs.BINARY_NULL,
            )
            for trait in range(2)
        ]
        binary = binary_model([null.trait_null for null in nulls], n_padded, basis.shape[1], double_precision=False)
        for _ in range(2):
            linear_score(
                tile.values, tile.unit, tile.centre, tile.centred_square_sum, tile.whole, quantitative, configs.LINEAR
            )
            binary_score(
                tile.values,
                tile.unit,
                tile.centre,
                tile.centred_square_sum,
                tile.whole,
                np.zeros(tile.whole.shape, dtype=bool),
                binary,
                configs.SCORE,
            )
        for count in (1, 20, 33):
            fit_firth_approximate(
                tile.values[:count],
                tile.unit[:count],
                tile.centre[:count],
                np.zeros(count, dtype=bool),
                nulls[0].firth_model,
                configs.FIRTH_APPROXIMATE,
                configs.PROBABILITY,
                workers=1,
            )
    after = [kernel._cache_size() for kernel in kernels]
    assert [b - a for a, b in zip(before, after, strict=True)] == [1] * len(kernels)
