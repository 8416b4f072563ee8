"""Traits that lack a few of the samples share decoding and product; nothing but rounding may come of it.

Belongs here: shared values against values of each trait's own samples. Does not belong
here: that a trait's results do not hang on its companions (test_properties.py), REGENIE's own numbers (tests/parity).
"""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import g_core
from g_core.config.build_plan import build_run_plan
from g_core.config.load import load_config
from g_core.engine.group_tests import MASKED_GROUPS_TOGETHER
from g_core.engine.run import RunResult
from g_core.simulate.dataset import SimulatedDataset, simulate_dataset
from g_core.simulate.spec import build_spec
from tests.core.engine.conftest import result_table

TRAITS = [f"Y{number}" for number in range(MASKED_GROUPS_TOGETHER + 2)]
EXACT = ("N", "ID", "STATUS", "REASON")
NUMBERS = ("A1FREQ", "INFO", "BETA", "SE", "CHISQ", "LOG10P")


@pytest.fixture(scope="module", params=[0.0, 0.02], ids=["complete genotypes", "2 % of genotypes missing"])
def genotypes(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> SimulatedDataset:
    spec = build_spec({"n_samples": 260, "n_variants": 350, "seed": 8, "missing_rate": request.param})
    return simulate_dataset(spec=spec, folder=tmp_path_factory.mktemp("masked") / "dataset", threads=2)


@pytest.fixture(scope="module")
def phenotypes(genotypes: SimulatedDataset) -> Path:
    """The first trait has all samples, the second and third share a mask, the last lacks too many to share values."""
    generator = np.random.default_rng(4)
    rows = [line.split()[:2] for line in genotypes.quantitative_phenotypes.read_text().splitlines()[1:]]
    values = generator.normal(size=(len(rows), len(TRAITS)))
    lacking = generator.random(values.shape) < 0.06
    lacking[:, 0] = False
    lacking[:, 2] = lacking[:, 1]
    lacking[:, -1] = generator.random(len(rows)) < 0.4
    lines = [f"FID IID {' '.join(TRAITS)}"]
    for name, row, absent in zip(rows, values, lacking, strict=True):
        cells = ["NA" if gone else f"{value:.6f}" for value, gone in zip(row, absent, strict=True)]
        lines.append(" ".join([*name, *cells]))
    path = genotypes.folder / "masked.txt"
    path.write_text("\n".join(lines) + "\n")
    return path


def run(genotypes: SimulatedDataset, phenotypes: Path, out: Path, *words: str) -> RunResult:
    inputs = ("--bgen", str(genotypes.bgen), "--sample", str(genotypes.sample), "--phenoFile", str(phenotypes))
    arguments = ("--qt", *inputs, "--covarFile", str(genotypes.covariates), "--ignore-pred", *words, "--out", str(out))
    return g_core.run(build_run_plan(load_config(list(arguments))))


def column(table: pa.Table, name: str) -> np.ndarray:
    return table[name].to_numpy(zero_copy_only=False).astype(np.float64)


def test_shared_values_give_what_own_values_give(genotypes: SimulatedDataset, phenotypes: Path, tmp_path: Path) -> None:
    shared = run(genotypes, phenotypes, tmp_path / "shared")
    own = run(genotypes, phenotypes, tmp_path / "own", "--linear-largest-shared-missing-fraction", "0")
    for trait in TRAITS:
        found, expected = result_table(shared, trait), result_table(own, trait)
        assert found.num_rows == expected.num_rows > 250
        assert found.select(EXACT).equals(expected.select(EXACT)), trait
        standard_error = column(expected, "SE")
        for name in NUMBERS:
            allowed = 1e-7 * standard_error if name == "BETA" else 1e-9
            np.testing.assert_array_less(
                np.abs(column(found, name) - column(expected, name)),
                5e-7 * np.abs(column(expected, name)) + allowed + 1e-300,
                err_msg=f"{trait} {name}",
            )


def test_a_trait_that_lacks_too_much_and_one_that_lacks_nothing_have_the_same_bits_either_way(
    genotypes: SimulatedDataset, phenotypes: Path, tmp_path: Path
) -> None:
    shared = run(genotypes, phenotypes, tmp_path / "shared")
    own = run(genotypes, phenotypes, tmp_path / "own", "--linear-largest-shared-missing-fraction", "0")
    for trait in (TRAITS[0], TRAITS[-1]):
        assert result_table(shared, trait).equals(result_table(own, trait))


def test_a_mask_of_many_traits_and_of_one_give_the_same_bits(
    genotypes: SimulatedDataset, phenotypes: Path, tmp_path: Path
) -> None:
    together = run(genotypes, phenotypes, tmp_path / "together")
    alone = run(genotypes, phenotypes, tmp_path / "alone", "--phenoCol", TRAITS[2])
    assert result_table(together, TRAITS[2]).equals(result_table(alone, TRAITS[2]))
