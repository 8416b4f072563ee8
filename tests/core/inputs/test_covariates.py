"""Which columns are covariates, and what the design matrix holds (spec 2.5)."""

import numpy as np
import pytest

from g_core.inputs.covariate_directions import note_directions
from g_core.inputs.findings import Findings

NUMBERS = [0.5 * number + number % 3 for number in range(12)]


@pytest.fixture
def described(study):
    study.phenotypes(Y=NUMBERS)
    study.covariates(age=range(1, 13), site=list("bacabcabcabc"), sex=[1, 2] * 6)
    return study


def load(study, *words):
    return study.load("--covarFile", "covar.txt", *words)


def refusal(study, *words):
    return study.refusal("--covarFile", "covar.txt", *words)


def test_without_a_file_there_is_the_intercept_alone(study):
    study.phenotypes(Y=NUMBERS)
    analysis = study.load()
    assert analysis.design_names == ("intercept",)
    assert np.array_equal(analysis.groups[0].design, np.ones((12, 1)))


def test_numeric_covariates_are_taken_as_they_are(described):
    analysis = load(described, "--covarColList", "age,sex")
    assert analysis.design_names == ("intercept", "age", "sex")
    assert np.array_equal(analysis.groups[0].design[:, 1], np.arange(1.0, 13.0))


def test_categorical_names_are_added_to_all_other_columns(described):
    assert load(described, "--catCovarList", "site").design_names == ("intercept", "age", "sex", "site=a", "site=c")


def test_levels_are_compared_with_that_of_the_first_sample(described):
    analysis = load(described, "--covarCol", "age", "--catCovarList", "site")
    design = analysis.groups[0].design
    levels = np.array(list("bacabcabcabc"))
    assert np.array_equal(design[:, 2], (levels == "a").astype(float))
    assert np.array_equal(design[:, 3], (levels == "c").astype(float))
    assert analysis.join_report.notes == ("categorical covariate site: 3 levels, compared with b",)


def test_levels_come_from_kept_samples_only(described):
    described.write("keep.txt", "".join(f"{number} {number}\n" for number in (2, 4, 5, 7, 8)))
    names = load(described, "--covarCol", "age", "--catCovarList", "site", "--keep", "keep.txt").design_names
    assert names == ("intercept", "age", "site=b")


def test_a_single_level_is_ignored_and_said_so(study):
    study.phenotypes(Y=NUMBERS)
    study.covariates(age=range(12), site=["x"] * 12)
    analysis = load(study, "--catCovarList", "site")
    assert analysis.design_names == ("intercept", "age")
    assert analysis.join_report.notes == ("categorical covariate site is ignored: its only level is x",)


def test_too_many_levels_are_refused_by_name(described):
    assert refusal(described, "--catCovarList", "site", "--maxCatLevels", "2") == (
        "covar.txt: categorical covariate site has 3 levels, more than --maxCatLevels 2: b (line 2); a (line 3); "
        "c (line 4)"
    )


def test_text_in_a_numeric_covariate_is_refused_with_its_place(described):
    message = refusal(described)
    assert message.startswith('covar.txt: 12 problems\n  line 2, column 4 (site): found "b", expected a number or NA')
    assert "--catCovarList" in message


def test_absent_columns_are_told_together(described):
    assert refusal(described, "--covarColList", "agee,bmi", "--catCovarList", "sites") == (
        "3 problems:\n"
        "  - covar.txt: no column agee (--covarColList); did you mean age?\n"
        "  - covar.txt: no column bmi (--covarColList); columns: age, site, sex\n"
        "  - covar.txt: no column sites (--catCovarList); did you mean site?"
    )


def test_excluded_covariates_are_left_out(described):
    assert load(described, "--covarExcludeList", "site,sex").design_names == ("intercept", "age")


@pytest.mark.parametrize("hole", ["NA", "nan", "-999"])
def test_a_missing_covariate_takes_the_sample_from_every_trait(study, hole):
    study.phenotypes(A=NUMBERS, B=NUMBERS)
    study.covariates(age=[1, hole, *range(3, 13)])
    (group,) = load(study).groups
    assert group.sample_indices.tolist() == [0, *range(2, 12)]


def test_a_missing_level_takes_the_sample(study):
    study.phenotypes(Y=NUMBERS)
    study.covariates(site=["a", "NA", *["a", "b"] * 5])
    assert load(study, "--catCovarList", "site").groups[0].sample_indices.tolist() == [0, *range(2, 12)]


def test_one_file_may_hold_both_where_the_phenotypes_are_named(study):
    study.phenotypes(Y=NUMBERS, age=range(12))
    analysis = study.load("--covarFile", "pheno.txt", "--phenoCol", "Y")
    assert analysis.design_names == ("intercept", "age")
    assert study.refusal("--covarFile", "pheno.txt") == (
        "pheno.txt is given with both --phenoFile and --covarFile; name its phenotypes with --phenoColList"
    )


def test_an_analysed_trait_is_no_covariate(study):
    study.phenotypes(Y=NUMBERS)
    study.covariates(Y=NUMBERS, age=range(12))
    analysis = load(study, "--covarColList", "Y,age")
    assert analysis.design_names == ("intercept", "age")
    assert analysis.join_report.notes == ("covariate Y is left out, because it is an analysed trait",)


def test_a_file_of_other_people_is_refused_beside_other_problems(study):
    study.phenotypes(same=[1] * 12)
    study.table("covar.txt", ["age"], [("x", number, number) for number in range(12)])
    message = refusal(study)
    assert message.startswith("2 problems:\n  - covar.txt: 0 of 12 samples are in the genotypes;")
    assert message.endswith(
        "  - trait same: pheno.txt has only the value 1 (line 2 and 11 more lines); a constant cannot be tested"
    )


def test_more_columns_than_samples_are_refused(study):
    study.phenotypes(Y=[1, 2, 3, *["NA"] * 9])
    study.covariates(a=range(12), b=[number**2 for number in range(12)])
    assert refusal(study) == "trait Y: 3 samples for 3 covariate columns (intercept included)"


def test_a_trait_whose_samples_all_lack_covariates_is_refused_with_the_reasons(study):
    study.phenotypes(Y=[1, 2, 3, *["NA"] * 9])
    study.covariates(a=["NA", "NA", "NA", *range(9)])
    assert refusal(study) == "trait Y: no sample is left of 12: 9 phenotype missing, 3 covariate missing"


def test_a_trait_that_loses_all_its_cases_is_refused(study):
    study.phenotypes(B=[1, 1, *[0] * 10])
    study.covariates(a=["NA", "NA", *range(10)])
    assert refusal(study, "--bt", "--minCaseCount", "1") == (
        "trait B: all 10 samples that have everything are controls"
    )


def notes(study, *words):
    return load(study, *words).join_report.notes


def test_columns_that_others_explain_are_named_with_those(study):
    study.phenotypes(Y=NUMBERS)
    ages = [40 + number for number in range(12)]
    study.covariates(age=ages, twice=[2 * age for age in ages], site=list("abababababab"), first=[1, 0] * 6)
    (note,) = notes(study, "--catCovarList", "site")[1:]
    assert note == (
        "covariates: 2 of 5 directions (intercept included) are dropped by REGENIE's rule and not adjusted for: "
        "intercept (explained by first, site=b), age (explained by twice); leave them out, or centre and scale the "
        "covariates"
    )


def test_columns_that_are_tiny_beside_another_are_named(study):
    study.phenotypes(Y=NUMBERS)
    generator = np.random.default_rng(1)
    study.covariates(
        large=[f"{value:.6f}" for value in 2e9 + 1e8 * generator.normal(size=12)],
        pc1=[f"{value:.8f}" for value in 0.01 * generator.normal(size=12)],
    )
    (note,) = notes(study)
    assert "pc1 (tiny beside the others)" in note
    assert "large (" not in note


def test_directions_near_the_cut_off_are_a_warning(study):
    study.phenotypes(Y=NUMBERS)
    ages = [100.0 + 5 * number for number in range(12)]
    study.covariates(age=ages, squared=[age**2 for age in ages])
    (note,) = notes(study)
    assert note.startswith("covariates: intercept (tiny beside the others) is nearly a direction that is dropped")


def test_a_covariate_that_is_always_0_is_named(study):
    study.phenotypes(Y=NUMBERS)
    study.covariates(nothing=[0] * 12)
    (note,) = notes(study)
    assert "nothing (always 0)" in note


def test_sound_covariates_of_different_scale_say_nothing(study):
    people = 2000
    generator = np.random.default_rng(2)
    study.embed([f"{number}_{number}" for number in range(1, people + 1)])
    study.phenotypes(Y=generator.normal(size=people).round(5))
    study.covariates(
        days=(18000 + 4000 * generator.normal(size=people)).round(), pc=generator.normal(size=people).round(5)
    )
    assert notes(study) == ()


def test_age_in_days_beside_an_intercept_is_sound_for_a_hundred_thousand_people():
    generator = np.random.default_rng(3)
    days = (20_000 + 4_000 * generator.normal(size=100_000)).round()
    findings = Findings()
    design = np.column_stack([np.ones(days.size), days, generator.normal(size=days.size)])
    note_directions(design, ("intercept", "days", "pc"), findings, relative_eigenvalue_cutoff=1e-15)
    assert findings.notes == []


@pytest.mark.parametrize(("words", "column"), [((), NUMBERS), (("--bt", "--minCaseCount", "1"), [0, 1] * 6)])
def test_a_trait_that_a_covariate_gives_away_is_named_with_it(study, words, column):
    study.phenotypes(Y=column)
    study.covariates(other=[number**2 % 7 for number in range(12)], twin=[2 * value + 1 for value in column])
    assert "trait Y is the covariate twin but for shift and scale; nothing is left of it to test" in " ".join(
        notes(study, *words)
    )


@pytest.mark.parametrize(("n_cases", "said"), [(1, True), (23, True), (2, False), (22, False)])
def test_an_unbalanced_trait_without_correction_is_a_warning(study, n_cases, said):
    study.embed([f"{number}_{number}" for number in range(1, 25)])
    study.phenotypes(B=[1] * n_cases + [0] * (24 - n_cases))
    warned = [line for line in study.load("--bt", "--minCaseCount", "1").join_report.notes if "beyond 1 to 20" in line]
    assert bool(warned) == said
    corrected = study.load("--bt", "--minCaseCount", "1", "--firth", "--approx").join_report.notes
    assert not any("beyond 1 to 20" in line for line in corrected)
