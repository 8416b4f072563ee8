"""Which variants are tested (spec 2.3)."""

import pytest

from g_core import errors
from g_core.config.chromosomes import chromosome_code
from g_core.inputs.variants import select_variants

ROWS = [("a", "1", 100), ("b", "1", 200), ("c", "X", 300), ("b", "2", 400), ("d", "chr2", 500), ("e", "02", 600)]


@pytest.fixture
def selected(study):
    study.phenotypes(Y=range(12))
    study.genotypes.rows = ROWS
    return lambda *words: select_variants(study.plan(*words).filters, study.genotypes)


def refusal(selected, *words):
    with pytest.raises(errors.InputError) as refused:
        selected(*words)
    return str(refused.value)


@pytest.mark.parametrize(
    ("label", "code"),
    [("1", 1), ("01", 1), ("chr1", 1), ("CHR22", 22), ("chr01", 1), ("23", 23), ("X", 23), ("chrX", 23), ("x", 23)]
    + [(label, 23) for label in ("XY", "Y", "PAR1", "PAR2", "chrPAR1")]
    + [(label, None) for label in ("MT", "M", "24", "0", "", " ", "chr", "GL000", "chrUn", "1a", "-1", "²")],
)
def test_labels_and_codes(label, code):
    assert chromosome_code(label) == code


def test_all_variants_in_file_order(selected):
    selection = selected()
    assert selection.indices.tolist() == [0, 1, 2, 3, 4, 5]
    assert selection.indices.dtype == "uint32"
    assert selection.chromosome_codes.tolist() == [1, 1, 23, 2, 2, 2]
    assert selection.columns.column("chromosome").to_pylist() == ["1", "1", "X", "2", "chr2", "02"]


def test_chromosomes(selected):
    assert selected("--chr", "2").indices.tolist() == [3, 4, 5]
    assert selected("--chrList", "chrX,1").indices.tolist() == [0, 1, 2]


def test_a_window_includes_both_ends(selected):
    assert selected("--range", "1:100-199").indices.tolist() == [0]
    assert selected("--range", "1:100-200").indices.tolist() == [0, 1]
    assert selected("--range", "2:400-500", "--chr", "2").indices.tolist() == [3, 4]


def test_extract_and_exclude_intersect_and_repeated_identifiers_count_once(selected, study):
    study.write("in.txt", "a\nb\nd\n")
    study.write("out.txt", "d\nnobody\n")
    selection = selected("--extract", "in.txt", "--exclude", "out.txt")
    assert selection.indices.tolist() == [0, 1]
    assert selection.notes == (
        "--extract in.txt: 3 identifiers",
        "--exclude out.txt: 2 identifiers",
        "1 variants repeat an identifier and are left out, because a variant list is in use",
    )


def test_a_repeated_identifier_is_tested_twice_without_a_list(selected):
    assert selected("--chrList", "1,2").indices.tolist() == [0, 1, 3, 4, 5]


def test_nothing_left_names_the_filters(selected, study):
    study.write("in.txt", "nobody\n")
    assert refusal(selected, "--chr", "1", "--extract", "in.txt") == (
        "study.bgen: no variant of 6 is left to test after --chr 1 --extract in.txt"
    )


def test_a_file_without_variants(selected, study):
    study.genotypes.rows = []
    assert refusal(selected) == "study.bgen: no variant of 0 is left to test"


def test_an_unknown_label_that_would_be_tested_is_named_with_its_variant(selected, study):
    study.genotypes.rows = [*ROWS, ("odd", "HLA", 1), ("odder", "", 2)]
    assert refusal(selected) == (
        "study.bgen: variant odd (number 7) is on chromosome 'HLA', which is not known; 2 variants have such labels "
        "('HLA', ''); allowed: 1 to 22, X, XY, Y, PAR1, PAR2 or 23, with or without chr before and 0 before a digit; "
        "name the chromosomes to test with --chr"
    )


def test_an_unknown_label_that_is_filtered_out_does_not_matter(selected, study):
    study.genotypes.rows = [*ROWS, ("odd", "HLA", 1)]
    study.write("out.txt", "odd\n")
    assert selected("--chr", "1").indices.tolist() == [0, 1]
    assert 6 not in selected("--exclude", "out.txt").indices
