"""The order of rows in phenotype, covariate and prediction files changes nothing."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

ROWS = [(number, number, 0.7 * number, "NA" if number == 4 else number % 5) for number in range(1, 13)]
COVARIATES = [(number, number, number**2, "cab"[number % 3]) for number in range(1, 12)]
LOCO = [(f"{number}_{number}", "NA" if number == 6 else 0.01 * number) for number in range(1, 13)]


def load(study, phenotypes, covariates, loco):
    study.table("pheno.txt", ["A", "B"], phenotypes)
    study.table("covar.txt", ["age", "site"], covariates)
    keys, values = zip(*loco, strict=True)
    study.loco("a.loco", values, keys=keys)
    study.write("pred.list", "A a.loco\nB a.loco\n")
    return study.load("--covarFile", "covar.txt", "--catCovarList", "site", "--pred", "pred.list")


@pytest.mark.usefixtures("study")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(st.permutations(ROWS), st.permutations(COVARIATES), st.permutations(LOCO))
def test_permuting_rows_changes_nothing(study, phenotypes, covariates, loco):
    expected = load(study, ROWS, COVARIATES, LOCO)
    permuted = load(study, phenotypes, covariates, loco)
    assert permuted.design_names == expected.design_names
    assert permuted.join_report == expected.join_report
    for ours, theirs in zip(permuted.groups, expected.groups, strict=True):
        assert np.array_equal(ours.sample_indices, theirs.sample_indices)
        assert np.array_equal(ours.design, theirs.design)
        for trait, other in zip(ours.traits, theirs.traits, strict=True):
            assert trait.name == other.name
            assert np.array_equal(trait.values, other.values)
            assert np.array_equal(trait.predictions.values, other.predictions.values)
