"""Which columns are traits, how they are coded, and which cannot be analysed (spec 2.4)."""

import numpy as np
import pytest

NUMBERS = [0.5 * number for number in range(12)]
CASES = [0, 1] * 6


def names(analysis):
    return [trait.name for group in analysis.groups for trait in group.traits]


def values(analysis, name):
    return next(trait.values for group in analysis.groups for trait in group.traits if trait.name == name)


def test_all_columns_are_traits_unless_some_are_named(study):
    study.phenotypes(A=NUMBERS, B=NUMBERS, C=NUMBERS)
    assert names(study.load()) == ["A", "B", "C"]


def test_traits_keep_the_order_of_the_file(study):
    study.phenotypes(A=NUMBERS, B=NUMBERS, C=NUMBERS)
    assert names(study.load("--phenoColList", "C,A")) == ["A", "C"]
    assert names(study.load("--phenoExcludeList", "B")) == ["A", "C"]


def test_a_range_of_columns_is_expanded(study):
    study.phenotypes(Y1=NUMBERS, Y2=NUMBERS, Y3=NUMBERS)
    assert names(study.load("--phenoCol", "Y{2:3}")) == ["Y2", "Y3"]


def test_a_trait_without_a_column_fails_alone_and_names_the_nearest(study):
    study.phenotypes(height=NUMBERS, weight=NUMBERS)
    analysis = study.load("--phenoColList", "heigth,weight")
    assert names(analysis) == ["weight"]
    assert [failed.line() for failed in analysis.failed_traits] == [
        "trait heigth: pheno.txt: no column heigth (--phenoColList); did you mean height?"
    ]


def test_absent_columns_are_told_together_with_the_nearest(study):
    study.phenotypes(height=NUMBERS, weight=NUMBERS)
    assert study.refusal("--phenoColList", "heigth,bmi") == (
        "2 problems:\n"
        "  - pheno.txt: no column heigth (--phenoColList); did you mean height?\n"
        "  - pheno.txt: no column bmi (--phenoColList); columns: height, weight"
    )


def test_leaving_every_column_out_is_refused(study):
    study.phenotypes(A=NUMBERS)
    assert study.refusal("--phenoExcludeList", "A") == "pheno.txt: no phenotype column is left to analyse"


def test_rows_follow_the_genotypes_whatever_the_order_of_the_file(study):
    study.table("pheno.txt", ["Y"], [(number, number, number * 1.5) for number in (5, 1, 99, 3, 2)])
    group = study.load().groups[0]
    assert group.sample_indices.tolist() == [0, 1, 2, 4]
    assert group.traits[0].values.tolist() == [1.5, 3.0, 4.5, 7.5]


def test_a_constant_and_a_two_valued_quantitative_trait_are_told_together(study):
    study.phenotypes(same=[3] * 12, two=[1, 2] * 6, empty=["NA"] * 12)
    assert study.refusal() == (
        "3 problems:\n"
        "  - trait same: pheno.txt has only the value 3 (line 2 and 11 more lines); a constant cannot be tested\n"
        "  - trait two: pheno.txt has only the values 1 (line 2 and 5 more lines) and 2 (line 3 and 5 more lines); "
        "use --bt for a binary trait, or --force-qt\n"
        "  - trait empty: pheno.txt has no value for any kept sample with genotypes"
    )


def test_a_bad_trait_fails_alone(study):
    study.phenotypes(same=[3] * 12, fine=NUMBERS, two=[1, 2] * 6)
    analysis = study.load()
    assert names(analysis) == ["fine"]
    assert [failed.name for failed in analysis.failed_traits] == ["same", "two"]
    assert analysis.join_report.failed_traits == analysis.failed_traits
    assert "trait same: not analysed: pheno.txt has only the value 3" in "\n".join(analysis.join_report.lines())


def test_two_values_are_a_quantitative_trait_where_the_user_insists_and_one_is_not(study):
    study.phenotypes(two=[1, 2] * 6, same=[3] * 12)
    analysis = study.load("--force-qt")
    assert values(analysis, "two").tolist() == [1.0, 2.0] * 6
    assert [failed.name for failed in analysis.failed_traits] == ["same"]


def test_the_type_comes_from_the_option_never_from_the_values(study):
    study.phenotypes(Y=[0, 1, 2] * 4)
    assert values(study.load(), "Y").tolist() == [0.0, 1.0, 2.0] * 4


def test_minus_999_is_missing_and_said_so(study):
    study.phenotypes(Y=[-999, *NUMBERS[1:]])
    analysis = study.load()
    assert analysis.groups[0].sample_indices.size == 11
    assert analysis.join_report.notes == ("trait Y: 1 values of -999 are taken as missing",)


def test_a_rare_minus_nine_of_a_quantitative_trait_needs_no_warning(study):
    study.embed([f"{number}_{number}" for number in range(1, 201)])
    study.phenotypes(Y=[-9, -9, *range(198)])
    assert study.load().join_report.notes == ()
    study.phenotypes(Y=[-9, -9, -9, *range(197)])
    assert "3 values are -9" in study.load().join_report.notes[0]


def test_minus_nine_is_a_value_of_a_quantitative_trait_with_a_warning(study):
    study.phenotypes(Y=[-9, *NUMBERS[1:]])
    analysis = study.load()
    assert values(analysis, "Y")[0] == -9.0
    assert analysis.join_report.notes == (
        "trait Y: 1 values are -9 and are used as values; write NA if they are missing",
    )


@pytest.mark.parametrize(
    ("column", "flags"),
    [(["0", "1"], ()), (["0.0", "1.0"], ()), (["1", "2"], ()), (["1.0", "2.0"], ()), (["1", "2"], ("--cc12",))],
)
def test_binary_traits_become_zero_and_one(study, column, flags):
    study.phenotypes(B=column * 6)
    assert values(study.load("--bt", "--minCaseCount", "1", *flags), "B").tolist() == [0.0, 1.0] * 6


def test_reading_one_and_two_without_being_told_is_said_so(study):
    study.phenotypes(B=[1, 2] * 6)
    assert study.load("--bt", "--minCaseCount", "1").join_report.notes == (
        "trait B: only 1 and 2 occur, read as 1 control, 2 case (as with --cc12)",
    )


def test_the_coding_is_decided_for_each_column(study):
    study.phenotypes(A=CASES, B=[2, 1] * 6)
    analysis = study.load("--bt", "--minCaseCount", "1")
    assert values(analysis, "A").tolist() == [0.0, 1.0] * 6
    assert values(analysis, "B").tolist() == [1.0, 0.0] * 6


def test_minus_nine_is_missing_in_a_binary_trait(study):
    study.phenotypes(B=[-9, "NA", *CASES[2:]])
    analysis = study.load("--bt", "--minCaseCount", "1")
    assert analysis.groups[0].sample_indices.tolist() == list(range(2, 12))
    assert analysis.join_report.notes == ("trait B: 1 values of -9 are taken as missing",)


def test_bad_codes_are_told_together_with_the_first_line(study):
    study.phenotypes(mixed=[0, 1, 2] * 4, real=[0, 1, 0.5, 7] * 3, zero_two=[0, 2] * 6, ones=[1] * 12)
    assert study.refusal("--bt") == (
        "4 problems:\n"
        "  - trait mixed: pheno.txt has both 0 (line 2 and 3 more lines) and 2 (line 4 and 3 more lines), and a 0 "
        "beside 2 can mean control or missing; write controls 0 and cases 1, missing NA\n"
        "  - trait real: not binary: pheno.txt has 0.5 (line 4 and 5 more lines); "
        "allowed: 0, 1 and NA, or 1, 2 and NA (use --qt for a quantitative trait)\n"
        "  - trait zero_two: pheno.txt has both 0 (line 2 and 5 more lines) and 2 (line 3 and 5 more lines), and a 0 "
        "beside 2 can mean control or missing; write controls 0 and cases 1, missing NA\n"
        "  - trait ones: pheno.txt has only the value 1 (line 2 and 11 more lines); there must be cases and controls"
    )


@pytest.mark.parametrize(
    ("column", "cause"),
    [
        ([0] * 12, "only the value 0"),
        ([2] * 12, "only the value 2"),
        ([-9] * 12, "no value but -9"),
        (["NA"] * 12, "no value for any kept sample"),
        ([1, 2, 0, -9] * 3, "both 0 (line 4 and 2 more lines) and 2 (line 3 and 2 more lines)"),
    ],
)
def test_a_column_without_cases_and_controls_is_a_bad_trait(study, column, cause):
    study.phenotypes(bad=column, fine=CASES)
    analysis = study.load("--bt", "--minCaseCount", "1")
    assert names(analysis) == ["fine"]
    (failed,) = analysis.failed_traits
    assert cause in failed.reason


def test_zero_is_refused_where_the_user_says_one_and_two(study):
    study.phenotypes(B=[1, 2, 0] * 4)
    assert study.refusal("--bt", "--cc12") == (
        "trait B: not binary: pheno.txt has 0 (line 4 and 3 more lines); --cc12 allows 1, 2 and NA"
    )


def test_a_trait_with_few_cases_fails_and_the_others_go_on(study):
    study.phenotypes(rare=[1] + [0] * 11, common=CASES)
    analysis = study.load("--bt", "--minCaseCount", "2")
    assert names(analysis) == ["common"]
    assert [failed.line() for failed in analysis.failed_traits] == ["trait rare: 1 cases, fewer than --minCaseCount 2"]


def test_a_run_whose_every_trait_fails_is_refused(study):
    study.phenotypes(rare=[1] + [0] * 11)
    assert study.refusal("--bt") == "trait rare: 1 cases, fewer than --minCaseCount 10"


def test_cases_are_counted_before_covariates_take_samples(study):
    study.phenotypes(B=CASES)
    study.covariates(age=["NA" if number in {2, 4, 6} else number for number in range(1, 13)])
    analysis = study.load("--bt", "--minCaseCount", "6", "--covarFile", "covar.txt")
    assert int(values(analysis, "B").sum()) == 3


def test_cases_are_counted_among_kept_samples_only(study):
    study.phenotypes(B=CASES)
    study.write("keep.txt", "1 1\n2 2\n3 3\n4 4\n")
    assert study.load("--bt", "--minCaseCount", "2", "--keep", "keep.txt").groups[0].sample_indices.size == 4
    assert "2 cases, fewer than --minCaseCount 3" in study.refusal("--bt", "--minCaseCount", "3", "--keep", "keep.txt")


def test_traits_that_share_their_samples_form_a_group(study):
    holed = ["NA", *NUMBERS[1:]]
    study.phenotypes(A=NUMBERS, B=holed, C=NUMBERS, D=holed)
    groups = study.load().groups
    assert [[trait.name for trait in group.traits] for group in groups] == [["A", "C"], ["B", "D"]]
    assert [group.sample_indices.size for group in groups] == [12, 11]


def test_complete_case_keeps_the_samples_of_all_traits(study):
    study.phenotypes(A=["NA", *NUMBERS[1:]], B=[*NUMBERS[:11], "NA"])
    (group,) = study.load("--strict").groups
    assert group.sample_indices.tolist() == list(range(1, 11))
    assert [trait.name for trait in group.traits] == ["A", "B"]


def test_a_trait_is_the_same_alone_and_in_company(study):
    study.phenotypes(A=["NA", *NUMBERS[1:]], B=[*NUMBERS[:11], "NA"])
    together = study.load().groups[0]
    alone = study.load("--phenoCol", "A").groups[0]
    assert np.array_equal(together.sample_indices, alone.sample_indices)
    assert np.array_equal(together.traits[0].values, alone.traits[0].values)


def test_the_report_counts_each_reason(study):
    study.phenotypes(A=["NA", "NA", *NUMBERS[2:]], B=["NA", *NUMBERS[1:]])
    study.covariates(age=[*range(1, 11), "NA", 12])
    counts = study.load("--covarFile", "covar.txt").join_report.traits
    assert [
        (trait.name, trait.n_analysed, [(str(drop.reason), drop.n_samples) for drop in trait.drops]) for trait in counts
    ] == [
        ("A", 9, [("phenotype missing", 2), ("covariate missing", 1)]),
        ("B", 10, [("phenotype missing", 1), ("covariate missing", 1)]),
    ]


def test_the_printed_report(study):
    study.table("pheno.txt", ["B"], [(number, number, number % 2) for number in range(2, 14)])
    study.covariates(age=range(1, 13))
    report = study.load("--bt", "--minCaseCount", "1", "--covarFile", "covar.txt").join_report
    assert report.lines() == (
        "genotypes: 12 samples",
        "phenotypes pheno.txt: 12 samples, 11 of them with genotypes, 1 without",
        "covariates covar.txt: 12 samples, 12 of them with genotypes, 0 without",
        "covariates: age",
        "trait B: 11 samples (5 cases, 6 controls); dropped: 1 not in the phenotype file",
    )
