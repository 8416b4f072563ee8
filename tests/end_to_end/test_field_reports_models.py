"""Field reports E through the command: separation, rare and empty variants, few cases, traits that nothing is left of.

Belongs here: what a whole run makes of extreme data. Does not belong here: a kernel's own digits (tests/core/kernels);
the index of all reports is tests/core/inputs/test_index.py.
"""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from g_core.engine.manifest import RunStatus, read_manifest
from tests.end_to_end.field_study import FieldStudy, random_counts

N_SAMPLES = 300
STATISTICS = ("BETA", "SE", "CHISQ", "LOG10P")
COMMON = [f"rs{number}" for number in range(1, 31)]
GENERATOR = np.random.default_rng(11)
CASES = np.concatenate([np.ones(90, np.int64), np.zeros(N_SAMPLES - 90, np.int64)])
COVARIATES = {name: GENERATOR.normal(size=N_SAMPLES).round(4) for name in ("c1", "c2", "c3", "c4", "c5", "c6")}
FIRTH = ("--bt", "--firth", "--approx", "--covarFile", "covar.txt", "--phenoFile", "pheno.txt", "--minCaseCount", "1")


def carriers(*samples: int, copies: float = 1.0) -> np.ndarray:
    """One variant that these samples, from 0, carry."""
    counts = np.zeros(N_SAMPLES)
    counts[list(samples)] = copies
    return counts


# Variants beyond the thirty common ones, by what is odd of them.
ODD = {
    "carriers are all cases": carriers(3, 40, 80),
    "no carrier": carriers(),
    "only carriers": np.full(N_SAMPLES, 2.0),
    "all heterozygous": np.full(N_SAMPLES, 1.0),
    "singleton": carriers(150),
    "all missing": carriers(),
}
ODD_IDS = dict(zip(ODD, (f"rs{number}" for number in range(31, 31 + len(ODD))), strict=True))


@pytest.fixture
def study(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> FieldStudy:
    """Thirty common variants and the odd ones, six covariates, a trait of ninety cases."""
    monkeypatch.chdir(tmp_path)
    made = FieldStudy(tmp_path, N_SAMPLES, capsys)
    counts = np.vstack([random_counts(7, len(COMMON), N_SAMPLES), *ODD.values()])
    missing = np.zeros(counts.shape, np.bool_)
    missing[-1] = True
    made.bgen({"1": counts}, missing={"1": missing})
    made.table("covar.txt", COVARIATES)
    made.table("pheno.txt", {"B": CASES})
    return made


def row(rows: pl.DataFrame, odd: str) -> dict[str, object]:
    """The row of one odd variant."""
    return rows.row(by_predicate=pl.col("ID") == ODD_IDS[odd], named=True)


def test_e2_carriers_who_are_all_cases_get_a_finite_estimate(study: FieldStudy) -> None:
    outcome = study.run(*FIRTH, "--pThresh", "0.999", "--minMAC", "0.5")
    separated = row(outcome.rows("B"), "carriers are all cases")
    assert (separated["STATUS"], separated["CORRECTION"]) == ("ok", "firth_approximate")
    assert 0 < float(str(separated["BETA"])) < 10
    assert 0.1 < float(str(separated["LOG10P"])) < 5


@pytest.mark.parametrize("kind", ["quantitative", "binary"])
def test_e4_variants_without_variation_are_nulls_with_a_reason_and_never_the_text_nan(
    study: FieldStudy, kind: str
) -> None:
    if kind == "quantitative":
        study.table("pheno.txt", {"B": np.random.default_rng(5).normal(size=N_SAMPLES).round(4)})
    words = FIRTH if kind == "binary" else ("--qt", *FIRTH[3:7])
    both = ("--format", "parquet", "--format", "regenie")
    outcome = study.run(*words, *(("--pThresh", "0.999") if kind == "binary" else ()), "--minMAC", "0.5", *both)
    assert outcome.exit_code == 0, outcome.error
    rows = outcome.rows("B")
    for name in STATISTICS:
        assert rows[name].is_nan().sum() == 0
        assert (rows[name].is_null() == (rows["STATUS"] == "failed")).all()
    assert row(rows, "all heterozygous")["REASON"] == "no_variance"
    absent = {ODD_IDS[odd] for odd in ("no carrier", "only carriers", "all missing")}
    assert not absent & set(rows["ID"]), "a minor allele count of 0 is below --minMAC"
    assert row(rows, "singleton")["STATUS"] == "ok"
    assert "nan" not in (study.folder / "out1_B.regenie").read_text().lower()


def test_e5_a_covariate_that_nearly_separates_gives_plausible_numbers(study: FieldStudy) -> None:
    nearly = CASES + np.random.default_rng(1).normal(scale=0.05, size=N_SAMPLES)
    study.table("covar.txt", COVARIATES | {"c6": nearly.round(4)})
    outcome = study.run(*FIRTH, "--pThresh", "0.999", "--minMAC", "0.5")
    assert outcome.exit_code in (0, 3)
    tested = outcome.rows("B").filter(pl.col("STATUS") == "ok")
    assert all(tested[name].is_finite().all() for name in STATISTICS)
    assert tested["LOG10P"].max() < 5


def test_c11_e16_a_trait_that_a_covariate_gives_away_has_no_statistic_and_is_named_with_it(study: FieldStudy) -> None:
    study.table("pheno.txt", {"Y": 2 * COVARIATES["c3"] + 1, "Z": np.random.default_rng(2).normal(size=N_SAMPLES)})
    outcome = study.run("--qt", "--phenoFile", "pheno.txt", "--covarFile", "covar.txt")
    assert outcome.exit_code == 3
    assert "note: trait Y is the covariate c3 but for shift and scale" in outcome.printed
    assert "trait Y: none of its rows has a test" in outcome.error
    given_away = outcome.rows("Y")
    assert set(given_away["REASON"]) == {"in_covariate_span"}
    assert all(given_away[name].null_count() == given_away.height for name in STATISTICS)
    assert set(outcome.rows("Z")["STATUS"].head(len(COMMON))) == {"ok"}


def test_c11_a_case_status_that_a_covariate_gives_away_is_named_and_has_no_strong_row(study: FieldStudy) -> None:
    study.table("covar.txt", COVARIATES | {"c6": 3 - CASES})
    outcome = study.run(*FIRTH)
    assert "note: trait B is the covariate c6 but for shift and scale" in outcome.printed
    tested = outcome.rows("B").filter(pl.col("STATUS") == "ok")
    assert tested.height == 0 or tested["LOG10P"].max() < 1


def test_e8_an_unbalanced_trait_without_correction_is_a_note_and_with_one_is_none(study: FieldStudy) -> None:
    study.table("pheno.txt", {"B": [1] * 3 + [0] * (N_SAMPLES - 3)})
    without = FIRTH[:1] + FIRTH[3:]
    note = "note: trait B: 3 cases to 297 controls, beyond 1 to 20"
    assert note in study.run(*without).printed
    assert note not in study.run(*FIRTH).printed


def test_e10_a_filter_that_leaves_nothing_is_no_success(study: FieldStudy) -> None:
    study.table("pheno.txt", {"Y": np.random.default_rng(3).normal(size=N_SAMPLES)})
    outcome = study.run("--qt", "--phenoFile", "pheno.txt", "--minMAC", "301")
    assert outcome.exit_code == 3
    assert outcome.error.startswith(
        "error: 1 of 1 traits failed:\n  - trait Y: no variant is left to test: 36 below --minMAC, 0 below --minINFO"
    )
    assert read_manifest(outcome.directory).status is RunStatus.PARTIAL


def test_e10_allele_counts_are_of_the_analysed_samples(study: FieldStudy) -> None:
    generator = np.random.default_rng(4)
    values: list[object] = generator.normal(size=N_SAMPLES).round(4).tolist()
    values[3] = values[40] = "NA"
    study.table("pheno.txt", {"Y": values})
    outcome = study.run("--qt", "--phenoFile", "pheno.txt", "--minMAC", "2")
    # Three samples carry this variant, and two of them have no value.
    assert ODD_IDS["carriers are all cases"] not in set(outcome.rows("Y")["ID"])
    (trait,) = read_manifest(outcome.directory).traits
    assert (trait.rows, trait.rows_failed, trait.rows_below_minimum_mac) == (31, 1, 5)


def test_e1_e11_a_trait_without_cases_and_one_of_twelve_do_not_stop_the_third(study: FieldStudy) -> None:
    columns = {"none": [0] * N_SAMPLES, "twelve": [1] * 12 + [0] * (N_SAMPLES - 12), "B": CASES}
    study.table("pheno.txt", columns)
    together = study.run(*FIRTH, "--pThresh", "0.5")
    assert together.exit_code == 3
    assert "trait none: pheno.txt has only the value 0 (line 2 and 299 more lines)" in together.error
    for trait in ("twelve", "B"):
        alone = study.run(*FIRTH, "--pThresh", "0.5", "--phenoCol", trait)
        assert alone.exit_code == 0
        assert together.rows(trait).equals(alone.rows(trait))
        assert set(together.rows(trait)["STATUS"].head(len(COMMON))) == {"ok"}


def test_e13_every_variant_above_the_threshold_is_corrected_however_many(study: FieldStudy) -> None:
    words = (*FIRTH, "--pThresh", "0.999")
    usual = study.run(*words)
    narrow = study.run(*words, "--firth-batch-size", "16")
    rows = usual.rows("B").filter(pl.col("STATUS") == "ok")
    assert (rows["CORRECTION"] == "firth_approximate").sum() >= len(COMMON) - 1
    # Batches of another size may round differently, and nothing else: the same rows, corrected and failed alike.
    same = [name for name in rows.columns if name not in STATISTICS]
    assert narrow.rows("B").select(same).equals(usual.rows("B").select(same))
    for name in STATISTICS:
        np.testing.assert_allclose(narrow.rows("B")[name].drop_nulls(), usual.rows("B")[name].drop_nulls(), rtol=1e-10)


def test_e14_a_constant_offset_of_3_is_harmless(study: FieldStudy) -> None:
    study.loco("b.loco", [3.0] * N_SAMPLES, range(1, 24))
    study.write("pred.list", "B b.loco\n")
    words = (*FIRTH, "--pThresh", "0.5")
    plain, shifted = study.run(*words).rows("B"), study.run(*words, "--pred", "pred.list").rows("B")
    assert shifted["CORRECTION"].equals(plain["CORRECTION"])
    # The null fit stops at a score of 1e-6, and a sparse variant's numerator keeps what is left of it, as in REGENIE.
    for name in STATISTICS:
        np.testing.assert_allclose(shifted[name].drop_nulls(), plain[name].drop_nulls(), rtol=2e-6, atol=1e-6)
