"""The prediction list, the LOCO files, and who is masked by them (spec 2.6)."""

import numpy as np
import pytest

from g_core import errors

NUMBERS = [0.5 * number for number in range(12)]
OFFSETS = [0.1 * number for number in range(12)]


@pytest.fixture
def predicted(study):
    study.phenotypes(A=NUMBERS, B=NUMBERS)
    study.loco("a.loco", OFFSETS)
    study.loco("b.loco", OFFSETS)
    study.write("pred.list", "A a.loco\nB b.loco\n")
    return study


def test_rows_follow_the_samples_of_the_group(predicted):
    predicted.loco("a.loco", [0.3, 0.1, 0.2], keys=["3_3", "1_1", "2_2"])
    predicted.write("pred.list", "A a.loco\n")
    (group,) = predicted.load("--pred", "pred.list", "--phenoCol", "A").groups
    assert group.sample_indices.tolist() == [0, 1, 2]
    assert group.traits[0].predictions.row(7).tolist() == [0.1, 0.2, 0.3]
    assert group.traits[0].predictions.row(23).tolist() == [0.1, 0.2, 0.3]


def test_a_run_without_predictions_has_none(study):
    study.phenotypes(A=NUMBERS)
    assert study.load().groups[0].traits[0].predictions is None


def test_samples_without_a_prediction_are_masked_for_that_trait_alone(predicted):
    predicted.loco("a.loco", OFFSETS[:10])
    predicted.loco("b.loco", ["NA", *OFFSETS[1:]])
    groups = predicted.load("--pred", "pred.list").groups
    assert [group.sample_indices.tolist() for group in groups] == [list(range(10)), list(range(1, 12))]


def test_only_the_first_row_masks(predicted):
    predicted.write(
        "a.loco",
        "FID_IID " + " ".join(f"{n}_{n}" for n in range(1, 13)) + "\n"
        "1 " + " ".join(map(str, OFFSETS)) + "\n"
        "\n2 NA NA " + " ".join(map(str, OFFSETS[2:])) + "\n",
    )
    (group,) = predicted.load("--pred", "pred.list", "--phenoCol", "A").groups
    predictions = group.traits[0].predictions
    assert np.allclose(predictions.row(1), OFFSETS)
    with pytest.raises(errors.InputError, match=r"^a\.loco: trait A: chromosome 2: a sample is NA$"):
        predictions.row(2)
    assert predicted.refusal("--pred", "pred.list", "--phenoCol", "A", chromosomes=(1, 2)) == (
        "trait A: a.loco, line 4: chromosome 2: NA for sample 1_1 and 1 more, which line 2 has a value for"
    )


def test_an_na_of_a_sample_that_is_not_analysed_does_not_matter(predicted):
    predicted.write("a.loco", "FID_IID 1_1 2_2 3_3 4_4\n1 0.1 0.2 0.3 0.4\n2 NA 0.2 0.3 0.4\n")
    predicted.write("keep.txt", "2 2\n3 3\n4 4\n")
    words = ("--pred", "pred.list", "--phenoCol", "A", "--keep", "keep.txt")
    (trait,) = predicted.load(*words, chromosomes=(1, 2)).groups[0].traits
    assert trait.predictions.row(2).tolist() == [0.2, 0.3, 0.4]


def test_a_missing_chromosome_fails_the_trait_and_names_the_rows_that_are_there(predicted):
    predicted.loco("a.loco", OFFSETS, chromosomes=(1, 2, 3))
    analysis = predicted.load("--pred", "pred.list", chromosomes=(3, 4, 23))
    assert [failed.line() for failed in analysis.failed_traits] == [
        "trait A: a.loco: no row for chromosomes 4, 23; rows present: 1, 2, 3"
    ]
    assert [trait.name for trait in analysis.groups[0].traits] == ["B"]


def test_a_trait_that_the_list_lacks_fails_alone(predicted):
    predicted.write("pred.list", "B b.loco\n")
    analysis = predicted.load("--pred", "pred.list")
    assert [trait.name for trait in analysis.groups[0].traits] == ["B"]
    assert [failed.line() for failed in analysis.failed_traits] == ["trait A: no entry in pred.list"]


def test_a_trait_whose_loco_file_is_damaged_fails_alone(predicted):
    predicted.write("a.loco", "FID_IID 1_1 2_2\n1 0.1 x\n")
    analysis = predicted.load("--pred", "pred.list")
    assert [trait.name for trait in analysis.groups[0].traits] == ["B"]
    assert [failed.line() for failed in analysis.failed_traits] == [
        'trait A: a.loco, line 2, field 3 (chromosome 1, sample "2_2"): found "x", expected a number or NA'
    ]


def test_identifiers_with_underscores_are_found_by_the_whole_key(study):
    study.embed(["A_B_1_2", "A_B_3_4", "C_5"])
    study.table("pheno.txt", ["Y"], [("A_B", "1_2", 0.1), ("A_B", "3_4", 0.2), ("C", 5, 0.3)])
    study.loco("a.loco", [3.0, 1.0, 2.0], keys=["C_5", "A_B_1_2", "A_B_3_4"])
    study.write("pred.list", "Y a.loco\n")
    assert study.load("--pred", "pred.list").groups[0].traits[0].predictions.row(1).tolist() == [1.0, 2.0, 3.0]


def test_a_list_without_any_trait_names_those_it_has(predicted):
    predicted.write("pred.list", "C a.loco\nD b.loco\n")
    assert predicted.refusal("--pred", "pred.list") == (
        "pred.list: no predictions for any trait of the run (A, B); the list has: C, D"
    )


def test_all_bad_prediction_files_are_told_together(predicted):
    predicted.write("pred.list", "A none.loco\nB b.loco\n")
    predicted.loco("b.loco", OFFSETS, keys=[f"x_{number}" for number in range(12)])
    assert predicted.refusal("--pred", "pred.list") == (
        "2 problems:\n"
        "  - trait A: pred.list, line 1: no such file none.loco\n"
        "  - trait B: b.loco, line 1: 0 of 12 samples are in the genotypes\n"
        "    in this file: 'x_0', 'x_1', 'x_2'\n"
        "    in study.bgen: '1_1', '2_2', '3_3'"
    )


@pytest.mark.parametrize("where", ["a.loco", "step 1 数据/a.loco"], ids=["working directory", "the list's folder"])
def test_a_relative_path_is_tried_from_here_and_then_from_the_list(study, where):
    study.phenotypes(A=NUMBERS)
    study.loco(where, OFFSETS)
    study.write("step 1 数据/pred.list", "A a.loco\n")
    assert study.load("--pred", "step 1 数据/pred.list").groups[0].traits[0].predictions is not None


def test_a_listed_path_that_is_no_file_is_named_with_its_line(predicted):
    (predicted.folder / "folder").mkdir()
    predicted.write("pred.list", "A folder\n\nB gone.loco\n")
    assert predicted.refusal("--pred", "pred.list") == (
        "2 problems:\n"
        "  - trait A: pred.list, line 1: folder is a folder, not a file\n"
        "  - trait B: pred.list, line 3: no such file gone.loco"
    )


def test_a_path_that_means_two_different_files_is_refused(study):
    study.phenotypes(A=NUMBERS)
    study.write("step1/pred.list", "A a.loco\n")
    study.loco("a.loco", OFFSETS)
    study.loco("step1/a.loco", OFFSETS)
    assert study.load("--pred", "step1/pred.list").n_kept == 12
    study.loco("step1/a.loco", OFFSETS[::-1])
    assert study.refusal("--pred", "step1/pred.list") == (
        "trait A: step1/pred.list, line 1: a.loco is two different files, a.loco from the working directory and "
        "step1/a.loco from the list's folder; write the full path"
    )


def test_no_sample_left_after_masking_is_refused(predicted):
    predicted.loco("a.loco", ["NA"] * 12)
    assert predicted.refusal("--pred", "pred.list", "--phenoCol", "A") == (
        "trait A: no sample is left of 12: 12 no prediction"
    )


def test_complete_case_masks_for_all_traits(predicted):
    predicted.loco("a.loco", OFFSETS[:10])
    (group,) = predicted.load("--pred", "pred.list", "--strict").groups
    assert group.sample_indices.tolist() == list(range(10))
    assert all(trait.predictions.values.shape == (23, 10) for trait in group.traits)
