"""Three traits with different holes, and who is analysed for them in each sample mode (docs/samples.md)."""

import dataclasses

import numpy as np
import pytest

VALUES = [float(number) for number in range(12)]
OFFSETS = [0.1 * number for number in range(12)]


def holed(*missing):
    """The values with some samples (numbered from 1) missing."""
    return ["NA" if number in missing else VALUES[number - 1] for number in range(1, 13)]


@pytest.fixture
def three(study):
    study.phenotypes(A=holed(1), B=holed(1, 2), C=holed(1, 3, 4))
    return study


def described(analysis):
    """Samples (numbered from 1) and traits of each group."""
    return [
        ((group.sample_indices + 1).tolist(), [trait.name for trait in group.traits], group.is_joint)
        for group in analysis.groups
    ]


def equal_groups(one, other):
    """Whether two analyses hand the engine the same arrays, to the bit."""
    if len(one.groups) != len(other.groups):
        return False
    for ours, theirs in zip(one.groups, other.groups, strict=True):
        for field in ("sample_indices", "is_male", "design"):
            if not np.array_equal(getattr(ours, field), getattr(theirs, field)):
                return False
        if ours.is_joint != theirs.is_joint or len(ours.traits) != len(theirs.traits):
            return False
        for trait, twin in zip(ours.traits, theirs.traits, strict=True):
            same = [
                np.array_equal(getattr(trait, field), getattr(twin, field), equal_nan=field == "values")
                for field in ("values", "observed", "present")
            ]
            if trait.name != twin.name or not all(same):
                return False
    return True


def test_per_phenotype_analyses_every_trait_on_its_own_samples(three):
    assert described(three.load()) == [
        ([2, *range(3, 13)], ["A"], False),
        (list(range(3, 13)), ["B"], False),
        ([2, *range(5, 13)], ["C"], False),
    ]


def test_complete_case_analyses_all_traits_on_the_samples_that_have_every_one(three):
    assert described(three.load("--sample-mode", "complete_case")) == [(list(range(5, 13)), ["A", "B", "C"], False)]


def test_regenie_analyses_all_traits_on_the_samples_that_have_any(three):
    analysis = three.load("--sample-mode", "regenie")
    assert described(analysis) == [(list(range(2, 13)), ["A", "B", "C"], True)]
    first, second, third = analysis.groups[0].traits
    assert first.present.all()
    assert np.flatnonzero(~second.present).tolist() == [0]
    assert np.flatnonzero(~third.present).tolist() == [1, 2]
    for trait in (first, second, third):
        assert np.array_equal(trait.observed, trait.present)
        assert np.array_equal(np.isnan(trait.values), ~trait.observed)


def test_outside_a_joint_group_every_trait_has_every_sample(three):
    for words in ([], ["--strict"]):
        for group in three.load(*words).groups:
            for trait in group.traits:
                assert trait.observed.all()
                assert trait.present.all()
                assert not np.isnan(trait.values).any()


def test_predictions_mask_samples_of_a_joint_group_without_taking_their_values(study):
    study.phenotypes(A=holed(1), B=holed(1, 2))
    study.loco("a.loco", ["NA", "NA", "NA", *OFFSETS[3:]])
    study.loco("b.loco", ["NA", "NA", *OFFSETS[2:]])
    study.write("pred.list", "A a.loco\nB b.loco\n")
    (group,) = study.load("--pred", "pred.list", "--sample-mode", "regenie").groups
    first, second = group.traits
    # Sample 2 has A and no prediction for it, and lacks B: it has no trait left and leaves the group.
    assert (group.sample_indices + 1).tolist() == list(range(3, 13))
    assert np.flatnonzero(~first.present).tolist() == [0]
    assert first.observed.all()
    assert first.values[0] == 2.0
    assert first.predictions.row(1)[0] == 0.0
    assert np.allclose(first.predictions.row(1)[1:], OFFSETS[3:])
    assert second.present.all()


@pytest.mark.parametrize("words", [(), ("--force-impute",), ("--apply-rint",)])
def test_a_single_trait_is_the_same_in_all_modes(three, words):
    modes = [three.load("--phenoCol", "B", "--sample-mode", mode, *words) for mode in ("per_phenotype", "regenie")]
    modes.append(three.load("--phenoCol", "B", "--strict", *words))
    assert equal_groups(modes[0], modes[1])
    assert equal_groups(modes[0], modes[2])


@pytest.mark.parametrize("words", [(), ("--force-impute",), ("--apply-rint",)])
def test_traits_that_lack_the_same_samples_are_the_same_in_all_modes(study, words):
    study.phenotypes(A=holed(3, 5), B=holed(3, 5))
    own, joint, strict = (study.load(*words, *mode) for mode in ([], ["--sample-mode", "regenie"], ["--strict"]))
    assert equal_groups(own, joint)
    assert equal_groups(own, strict)
    assert not joint.groups[0].is_joint


@pytest.mark.parametrize("words", [(), ("--apply-rint",)])
def test_a_trait_of_the_default_mode_is_the_same_in_any_company(three, words):
    together = {
        trait.name: (group.sample_indices, trait.values)
        for group in three.load(*words).groups
        for trait in group.traits
    }
    for name in "ABC":
        (alone,) = three.load("--phenoCol", name, *words).groups
        assert np.array_equal(alone.sample_indices, together[name][0])
        assert np.array_equal(alone.traits[0].values, together[name][1])


def test_a_failed_trait_takes_no_samples_from_the_others(three):
    three.phenotypes(A=holed(1), B=holed(1, 2), C=[7.0, *["NA"] * 10, 7.0])
    for mode, samples in (("complete_case", list(range(3, 13))), ("regenie", list(range(2, 13)))):
        analysis = three.load("--sample-mode", mode)
        assert [failed.name for failed in analysis.failed_traits] == ["C"]
        assert described(analysis)[0][0] == samples


def test_a_trait_that_fails_later_gives_its_samples_back(study):
    study.phenotypes(A=VALUES, B=[5.0, 6.0, 7.0, *["NA"] * 9])
    study.loco("b.loco", ["NA"] * 12)
    study.loco("a.loco", OFFSETS)
    study.write("pred.list", "A a.loco\nB b.loco\n")
    for mode in ("per_phenotype", "complete_case", "regenie"):
        analysis = study.load("--pred", "pred.list", "--sample-mode", mode)
        assert [failed.line() for failed in analysis.failed_traits] == [
            "trait B: no sample is left of 12: 9 phenotype missing, 3 no prediction"
        ]
        assert described(analysis) == [(list(range(1, 13)), ["A"], False)]


def test_traits_without_a_common_sample_all_fail_in_complete_case(study):
    study.phenotypes(A=holed(1, 2, 3, 4, 5, 6), B=holed(7, 8, 9, 10, 11, 12))
    assert study.refusal("--strict") == (
        "2 problems:\n"
        "  - trait A: no sample is left of 12: 6 phenotype missing, 6 another trait missing (complete_case)\n"
        "  - trait B: no sample is left of 12: 6 phenotype missing, 6 another trait missing (complete_case)"
    )


def test_force_impute_gives_the_mean_where_another_trait_is_there(three):
    three.phenotypes(A=holed(1), B=holed(1, 2), C=[*["NA"] * 4, 4, 8, 4, 8, 4, 8, 4, 8])
    for mode in ("per_phenotype", "complete_case", "regenie"):
        analysis = three.load("--force-impute", "--force-qt", "--sample-mode", mode)
        # Sample 1 has no trait at all, so there is nothing to keep it for.
        assert described(analysis) == [(list(range(2, 13)), ["A", "B", "C"], False)]
        _, second, third = analysis.groups[0].traits
        assert second.values[0] == np.mean(VALUES[2:])
        assert third.values[:3].tolist() == [6.0, 6.0, 6.0]
        assert second.observed.all()
        assert second.present.all()
        assert [trait.n_imputed for trait in analysis.join_report.traits] == [0, 1, 3]


def test_the_mean_is_over_samples_that_have_the_covariates(three):
    three.covariates(age=["NA" if number == 12 else number for number in range(1, 13)])
    analysis = three.load("--force-impute", "--covarFile", "covar.txt")
    assert analysis.groups[0].traits[1].values[0] == np.mean(VALUES[2:11])


def test_imputed_samples_still_need_a_prediction(three):
    three.loco("a.loco", OFFSETS)
    three.loco("b.loco", ["NA", "NA", *OFFSETS[2:]])
    three.write("pred.list", "A a.loco\nB b.loco\n")
    words = ("--phenoColList", "A,B", "--pred", "pred.list", "--force-impute")
    assert described(three.load(*words)) == [
        (list(range(2, 13)), ["A"], False),
        (list(range(3, 13)), ["B"], False),
    ]
    (group,) = three.load(*words, "--sample-mode", "regenie").groups
    assert group.is_joint
    assert group.traits[1].observed.all()
    assert np.flatnonzero(~group.traits[1].present).tolist() == [0]


def test_a_missing_case_status_is_never_imputed(study):
    study.phenotypes(A=[0, 1] * 6, B=["NA", *[1, 0] * 5, 1])
    analysis = study.load("--bt", "--minCaseCount", "1", "--force-impute")
    assert [group.sample_indices.size for group in analysis.groups] == [12, 11]


def test_the_joint_mode_says_why_it_is_not_the_default(three):
    plan = three.plan("--sample-mode", "regenie")
    assert "per_phenotype, has neither" in plan.warnings[0]
    (note,) = three.load("--sample-mode", "regenie").join_report.notes
    assert note.startswith(
        "sample mode regenie: the traits share 11 samples, of which they have A 11, B 10, C 9; as in REGENIE a missing "
        "value counts as 0 on the raw scale"
    )
    assert dataclasses.asdict(three.load().join_report)["notes"] == ()


def test_strict_counts_the_cases_of_a_traits_own_samples(study):
    cases = [1] * 6 + [0] * 6
    study.phenotypes(A=cases, B=["NA"] * 4 + [1, 0] * 4)
    analysis = study.load("--bt", "--strict", "--minCaseCount", "4")
    assert analysis.failed_traits == ()
    (group,) = analysis.groups
    assert [int(trait.values.sum()) for trait in group.traits] == [2, 4]
