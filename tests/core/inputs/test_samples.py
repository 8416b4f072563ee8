"""Who the samples of the BGEN are (spec 2.2)."""

import pytest

SAMPLE_HEAD = "ID_1 ID_2 missing sex\n0 0 0 D\n"
VALUES = [0.1, 0.2, 0.3, 0.4]


@pytest.fixture
def four(study):
    study.phenotypes(Y=VALUES)
    study.embed(None, n_samples=4)
    return study


def sample_rows(*rows):
    return SAMPLE_HEAD + "".join(f"{family} {individual} 0 {sex}\n" for family, individual, sex in rows)


NUMBERED = [(1, 1, 1), (2, 2, 2), (3, 3, 0), (4, 4, 1)]


def test_a_sample_file_names_the_samples_and_their_sex(four):
    four.write("a.sample", sample_rows(*NUMBERED))
    group = four.load("--sample", "a.sample").groups[0]
    assert group.sample_indices.tolist() == [0, 1, 2, 3]
    assert group.is_male.tolist() == [True, False, False, True]


def test_without_a_sample_file_nobody_is_known_to_be_male(four):
    four.embed(["1_1", "2_2", "3_3", "4_4"])
    assert four.load().groups[0].is_male.tolist() == [False] * 4


def test_a_bgen_without_identifiers_needs_a_sample_file(four):
    assert four.refusal() == (
        "study.bgen: the BGEN stores no sample identifiers; give --sample FILE to name its samples"
    )


def test_counts_that_differ_are_told_with_both_files(four):
    four.write("a.sample", sample_rows(*NUMBERED[:3]))
    assert four.refusal("--sample", "a.sample") == (
        "a.sample has 3 samples but study.bgen has 4; a .sample file has two header lines and then one line a sample"
    )


@pytest.mark.parametrize(
    "embedded",
    [["1_1", "2_2", "3_3", "4_4"], ["1", "2", "3", "4"], ["1 1", "2 2", "3 3", "4 4"]],
    ids=["joined", "iid", "two words"],
)
def test_identifiers_in_the_bgen_may_be_written_in_several_ways(four, embedded):
    four.embed(embedded)
    four.write("a.sample", sample_rows(*NUMBERED))
    assert four.load("--sample", "a.sample").n_genotyped == 4


def test_a_sample_file_in_another_order_is_refused_with_the_first_pairs(four):
    four.embed(["1_1", "2_2", "3_3", "4_4"])
    four.write("a.sample", sample_rows(*(NUMBERED[position] for position in (3, 2, 1, 0))))
    assert four.refusal("--sample", "a.sample") == (
        "a.sample is not in the order of the samples in study.bgen: 4 of 4 differ: "
        "position 1: '1_1' in the BGEN, '4_4' in the .sample file; "
        "position 2: '2_2' in the BGEN, '3_3' in the .sample file; "
        "position 3: '3_3' in the BGEN, '2_2' in the .sample file; and 1 more"
    )


def test_placeholders_in_the_bgen_say_nothing(four):
    four.embed([f"(anonymous_sample_{number})" for number in range(1, 5)])
    four.write("a.sample", sample_rows(*NUMBERED))
    assert four.load("--sample", "a.sample").join_report.notes == (
        "study.bgen: its own sample identifiers are placeholders; those of a.sample are used",
    )


def test_identifiers_that_the_bgen_repeats_are_refused(four):
    four.embed(["1_1", "2_2", "1_1", "4_4"])
    assert four.refusal() == ("study.bgen: identifiers are not unique: 1_1 is there twice (sample 1 and sample 3)")


def test_different_samples_that_join_to_one_key_are_refused(four):
    four.write("a.sample", sample_rows(("A_B", "1", 0), ("A", "B_1", 0), (3, 3, 0), (4, 4, 0)))
    assert four.refusal("--sample", "a.sample") == (
        "2 problems:\n"
        "  - a.sample: identifiers are not unique: FID A_B IID 1 (sample 1) and FID A IID B_1 (sample 2) both join to "
        "A_B_1; rename one of them\n"
        "  - trait Y: pheno.txt has only the values 0.3 (line 4) and 0.4 (line 5); use --bt for a binary trait, or "
        "--force-qt"
    )


def test_rows_of_a_table_that_join_to_one_key_are_refused(four):
    four.table("pheno.txt", ["Y"], [("A_B", 1, 0.1), ("A", "B_1", 0.2), (2, 2, 0.3), (3, 3, 0.4), (4, 4, 0.5)])
    four.embed(["A_B_1", "2_2", "3_3", "4_4"])
    assert four.refusal() == (
        "pheno.txt: identifiers are not unique: FID A_B IID 1 (line 2) and FID A IID B_1 (line 3) both join to A_B_1; "
        "rename one of them"
    )


def test_a_row_whose_key_is_another_persons_is_refused(four):
    four.write("a.sample", sample_rows(("A_B", "1", 0), (2, 2, 0), (3, 3, 0), (4, 4, 0)))
    four.table("pheno.txt", ["Y"], [("A", "B_1", 0.1), (2, 2, 0.2), (3, 3, 0.3), (4, 4, 0.4)])
    assert four.refusal("--sample", "a.sample") == (
        "pheno.txt: identifiers cannot be told from those of a.sample: FID A IID B_1 (line 2) and FID A_B IID 1 both "
        "join to A_B_1; rename one of them"
    )


def no_overlap(study, identifiers, **columns):
    study.embed(identifiers)
    study.table("pheno.txt", ["Y"], columns["rows"])
    return study.refusal()


def test_files_without_a_common_sample_show_both_sides(four):
    message = no_overlap(four, ["a", "b", "c", "d"], rows=[(f"F{n}", n, 0.5 * n) for n in range(1, 6)])
    assert message == (
        "pheno.txt: 0 of 5 samples are in the genotypes; identifiers are compared as FID_IID\n"
        "in this file: 'F1_1' (line 2), 'F2_2' (line 3), 'F3_3' (line 4)\n"
        "in study.bgen: 'a', 'b', 'c'\n"
        "give --sample FILE to name the samples of the BGEN"
    )


def test_identifiers_that_would_match_by_iid_alone_are_pointed_out(four):
    message = no_overlap(four, ["1", "2", "3", "4"], rows=[(0, n, 0.5 * n) for n in range(1, 6)])
    assert message.splitlines()[-1] == "4 would match by IID alone: give --sample FILE with their FID and IID"


@pytest.mark.parametrize("sample_file", [False, True])
def test_another_fid_is_pointed_out_where_the_iid_matches(four, sample_file):
    four.embed(["1_1", "2_2", "3_3", "4_4"])
    four.write("a.sample", sample_rows(*NUMBERED))
    four.table("pheno.txt", ["Y"], [(0, number, 0.5 * number) for number in range(1, 6)])
    message = four.refusal(*(("--sample", "a.sample") if sample_file else ()))
    assert message.splitlines()[-1] == "4 would match by IID alone: make the FID columns equal"


def test_identifiers_written_as_floats_are_pointed_out(four):
    message = no_overlap(four, ["1_1", "2_2"], rows=[(f"{n}.0", f"{n}.0", 0.5 * n) for n in range(1, 4)])
    assert message.splitlines()[-1] == "2 would match without the .0 at the end: write the identifiers as whole numbers"


def test_a_sample_file_with_floats_for_identifiers_is_pointed_out(four):
    four.write("a.sample", sample_rows(*((f"{n}.0", f"{n}.0", 0) for n in range(1, 5))))
    message = four.refusal("--sample", "a.sample")
    assert message.splitlines()[-1] == "4 would match without the .0 at the end: write the identifiers as whole numbers"


def test_rows_that_miss_for_a_float_alone_are_noted_with_their_lines(four):
    four.embed(["1_1", "2_2", "3_3", "4_4"])
    four.table("pheno.txt", ["Y"], [(1, 1, 0.1), (2, 2, 0.2), (3, 3, 0.3), ("4.0", "4.0", 0.4), (9, 9, 0.5)])
    analysis = four.load()
    assert analysis.groups[0].sample_indices.tolist() == [0, 1, 2]
    (note,) = analysis.join_report.notes
    assert note == (
        "pheno.txt: 1 rows would match the genotypes without the .0 at the end of an identifier: FID 4.0 IID 4.0 "
        "(line 5); write the identifiers as whole numbers"
    )


def test_keep_and_remove_lists_choose_samples(study):
    study.phenotypes(Y=range(12))
    study.write("some.txt", "1 1\n3 3\n5 5\n7 7\n99 99\n")
    kept = study.load("--keep", "some.txt")
    assert kept.groups[0].sample_indices.tolist() == [0, 2, 4, 6]
    assert (kept.n_genotyped, kept.n_kept) == (12, 4)
    assert kept.join_report.notes == ("--keep some.txt: 5 samples listed, 4 of them with genotypes",)
    removed = study.load("--remove", "some.txt")
    assert removed.groups[0].sample_indices.tolist() == [1, 3, 5, 7, 8, 9, 10, 11]


def test_several_lists_are_taken_together(study):
    study.phenotypes(Y=range(12))
    study.write("a.txt", "1 1\n2 2\n3 3\n")
    study.write("b.txt", "3 3\n4 4\n")
    assert study.load("--keep", "a.txt,b.txt").groups[0].sample_indices.tolist() == [0, 1, 2, 3]


def test_a_list_that_keeps_nobody_is_refused(study):
    study.phenotypes(Y=range(12))
    study.write("none.txt", "98 98\n99 99\n")
    assert study.refusal("--keep", "none.txt") == (
        "no sample of study.bgen is left; identifiers are compared as FID_IID: --keep none.txt: 2 samples listed, "
        "0 of them with genotypes; listed is '98_98', genotyped '1_1'"
    )


@pytest.fixture
def sexed(study):
    """Twelve samples: male, female, unknown, and so on."""
    study.phenotypes(Y=range(12))
    study.embed(None, n_samples=12)
    study.write("a.sample", sample_rows(*((number, number, number % 3) for number in range(1, 13))))
    return study


@pytest.mark.parametrize(("sex", "indices"), [("male", [0, 3, 6, 9]), ("female", [1, 4, 7, 10])])
def test_samples_of_one_sex_are_kept_and_unknown_sex_is_neither(sexed, sex, indices):
    analysis = sexed.load("--sample", "a.sample", "--sex-specific", sex)
    assert analysis.groups[0].sample_indices.tolist() == indices
    assert (analysis.n_genotyped, analysis.n_kept) == (12, 4)
    assert analysis.join_report.notes == (f"--sex-specific {sex}: 4 of 12 samples stay; 4 are of unknown sex",)


def test_sex_is_looked_at_after_keep_and_remove_lists(sexed):
    sexed.write("out.txt", "1 1\n2 2\n3 3\n")
    analysis = sexed.load("--sample", "a.sample", "--sex-specific", "male", "--remove", "out.txt")
    assert analysis.groups[0].sample_indices.tolist() == [3, 6, 9]


def test_nobody_of_that_sex_is_refused(sexed):
    sexed.write("some.txt", "1 1\n3 3\n")
    assert sexed.refusal("--sample", "a.sample", "--sex-specific", "female", "--keep", "some.txt") == (
        "--sex-specific female: a.sample has no female sample among the 2 kept (1 of unknown sex); sex is its fourth "
        "column, 1 male and 2 female"
    )


def test_sample_names_are_those_of_the_sample_file_alone(sexed):
    names = sexed.load("--sample", "a.sample").sample_names
    assert (names[0].family_id, names[0].individual_id) == ("1", "1")
    sexed.embed([f"{number}_{number}" for number in range(1, 13)])
    assert sexed.load().sample_names is None
