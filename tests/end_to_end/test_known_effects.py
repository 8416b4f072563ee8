"""The engine finds what the simulator put in: genotypes, predictions and traits fit each other, in sign and scale."""

import polars as pl
import pytest

from g_core.cli.main import main
from g_core.simulate.dataset import BINARY_NAME, QUANTITATIVE_NAME, simulate_dataset
from g_core.simulate.spec import build_spec

N_VARIANTS = 400


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    spec = build_spec({"n_samples": 3000, "n_variants": N_VARIANTS, "n_causal_variants": 5, "seed": 4})
    return simulate_dataset(spec=spec, folder=tmp_path_factory.mktemp("data") / "sim", threads=2)


def associate(dataset, prefix, *words):
    genotypes = ("--bgen", str(dataset.bgen), "--sample", str(dataset.sample), "--covarFile", str(dataset.covariates))
    assert main(["regenie", "--step", "2", *genotypes, *words, "--out", str(prefix)]) == 0


def join_truth(dataset, prefix, trait):
    rows = pl.read_parquet(prefix.with_name(f"{prefix.name}.g") / trait / "part-*.parquet")
    truth = pl.read_csv(dataset.truth, separator="\t").filter(pl.col("trait") == trait)
    causal = truth.join(rows, left_on="variant_id", right_on="ID")
    others = rows.filter(~pl.col("ID").is_in(truth.get_column("variant_id").to_list()))
    return causal, others


@pytest.mark.parametrize(
    ("trait", "flags"),
    [(QUANTITATIVE_NAME, ("--qt",)), (BINARY_NAME, ("--bt", "--firth", "--approx", "--pThresh", "0.05"))],
)
def test_causal_variants_have_their_effects_and_others_follow_the_null(dataset, tmp_path, trait, flags):
    is_binary = trait == BINARY_NAME
    phenotypes = dataset.binary_phenotypes if is_binary else dataset.quantitative_phenotypes
    predictions = dataset.binary_predictions if is_binary else dataset.quantitative_predictions
    associate(dataset, tmp_path / "run", *flags, "--phenoFile", str(phenotypes), "--pred", str(predictions))
    causal, others = join_truth(dataset, tmp_path / "run", trait)
    distance = (causal.get_column("BETA") - causal.get_column("beta")) / causal.get_column("SE")

    assert causal.height == 5
    assert (causal.get_column("ALLELE1") == causal.get_column("effect_allele")).all()
    assert distance.abs().max() < 4
    assert causal.get_column("LOG10P").min() > 3
    assert 0.6 < others.get_column("CHISQ").median() / 0.4549 < 1.6
