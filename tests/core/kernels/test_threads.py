"""The same bits for any number of threads; a process sizes XLA's pool once, so each number has its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

# Above about 20000 samples XLA shares small products out by samples, unless the kernels keep it from that.
PROGRAM = """
import hashlib
import jax
import numpy as np

jax.config.update("jax_enable_x64", True)
from g_core.kernels.binary_null import FirthKind, fit_binary_null
from g_core.kernels.covariate_basis import covariate_basis
from g_core.kernels.firth_batches import fit_firth_approximate
from g_core.kernels.linear import chromosome_model, linear_score, prepare_traits
from g_core.kernels.score import binary_model, binary_score
from tests.core.kernels import regenie_configs as configs
from tests.core.kernels.random_study import make_study

study = make_study(60, n_samples=30_001, n_variants=40, n_traits=2)
tile, n_padded = study.tile, study.n_padded
basis = covariate_basis(study.design, configs.BASIS).basis
prepared = prepare_traits(study.quantitative, basis, configs.LINEAR)
model = chromosome_model(prepared, study.predictions, n_padded, configs.LINEAR)
linear = linear_score(tile.values, tile.unit, tile.centre, tile.centred_square_sum, tile.whole, model, configs.LINEAR)
null = fit_binary_null(
    study.cases[:, 0], np.ones(len(study.cases), bool), basis, study.predictions[:, 0], n_padded=n_padded,
    firth_kind=FirthKind.APPROXIMATE,
    stored_start=None,
    keep_unconverged=False,
    configs=configs.BINARY_NULL,
)
score = binary_score(
    tile.values, tile.unit, tile.centre, tile.centred_square_sum, tile.whole, np.zeros(40, bool),
    binary_model([null.trait_null], n_padded, basis.shape[1], double_precision=False),
    configs.SCORE
)
firth = fit_firth_approximate(
    tile.values, tile.unit, tile.centre, np.zeros(40, bool), null.firth_model, configs.FIRTH_APPROXIMATE,
    configs.PROBABILITY,
    workers=1,
)
for name, array in {
    "linear": linear.beta, "logistic": null.logistic.coefficients, "firth null": null.firth.coefficients,
    "score": score.statistic, "firth": firth.beta,
}.items():
    print(name, hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest())
"""


def digests(threads):
    environment = {**os.environ, "PJRT_NPROC": str(threads), "OPENBLAS_NUM_THREADS": "1"}
    repository = Path(__file__).resolve().parents[3]
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=repository, env=environment, capture_output=True, text=True, check=True
    )
    return result.stdout.splitlines()


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_threads_change_no_bit():
    alone = digests(1)
    assert len(alone) == 5
    assert digests(2) == alone
    assert digests(5) == alone
