"""Every kind of input text may be gzip, and says the same as its plain twin."""

import gzip

import numpy as np
import pytest

from g_core.inputs.variants import select_variants

# The file of each option, or the file that a list names.
FILES = {
    "--sample": "study.sample",
    "--phenoFile": "pheno.txt",
    "--covarFile": "covar.txt",
    "--keep": "keep.txt",
    "--pred": "pred.list",
    "a LOCO file": "y.loco",
    "--extract": "extract.txt",
}


@pytest.fixture
def whole_study(study):
    """A file of every kind, each of which matters to the result."""
    rows = [f"{number} {number} 0 {1 + number % 2}" for number in range(1, 13)]
    study.write("study.sample", "\n".join(["ID_1 ID_2 missing sex", "0 0 0 D", *rows]) + "\n")
    study.phenotypes(Y=[0.5, 1.5, 0.25, 4.0, 3.5, 2.0, 1.25, 0.75, 3.0, 2.25, 1.75, 5.0])
    study.covariates(C=[number**2 for number in range(1, 13)])
    study.write("keep.txt", "".join(f"{number} {number}\n" for number in range(2, 9)))
    study.loco("y.loco", [0.01 * number for number in range(1, 13)])
    study.write("pred.list", "Y y.loco\n")
    study.write("extract.txt", "rs2\nrs3\n")
    study.genotypes.rows = [("rs1", "1", 10), ("rs2", "1", 20), ("rs3", "X", 30)]
    return study


def words_of(files):
    """Arguments over these files; what a list names is no argument."""
    return [word for option, name in files.items() if option.startswith("--") for word in (option, name)]


def facts(study, files):
    """What a run would take from the files."""
    words = words_of(files)
    (group,) = study.load(*words, chromosomes=(1, 23)).groups
    (trait,) = group.traits
    selection = select_variants(study.plan(*words).filters, study.genotypes)
    return (
        group.sample_indices,
        group.is_male,
        group.design,
        trait.values,
        trait.predictions.row(1),
        trait.predictions.row(23),
        selection.indices,
    )


def compress(study, name):
    (study.folder / f"{name}.gz").write_bytes(gzip.compress((study.folder / name).read_bytes()))
    (study.folder / name).unlink()
    return f"{name}.gz"


@pytest.mark.parametrize("kind", FILES)
def test_a_compressed_file_says_the_same(whole_study, kind):
    plain = facts(whole_study, FILES)
    compressed = FILES | {kind: compress(whole_study, FILES[kind])}
    if kind == "a LOCO file":
        whole_study.write("pred.list", f"Y {compressed[kind]}\n")
    for ours, theirs in zip(facts(whole_study, compressed), plain, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize(("option", "kept"), [("--remove", "keep.txt"), ("--exclude", "extract.txt")])
def test_lists_of_what_is_left_out_may_be_compressed(whole_study, option, kept):
    files = {name: path for name, path in FILES.items() if name not in {"--keep", "--extract"}}
    plain = facts(whole_study, files | {option: kept})
    assert any(not np.array_equal(ours, theirs) for ours, theirs in zip(plain, facts(whole_study, files), strict=True))
    for ours, theirs in zip(facts(whole_study, files | {option: compress(whole_study, kept)}), plain, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_content_counts_not_the_name(whole_study):
    plain = facts(whole_study, FILES)
    compressed = compress(whole_study, "pheno.txt")
    (whole_study.folder / compressed).rename(whole_study.folder / "pheno.txt")
    for ours, theirs in zip(facts(whole_study, FILES), plain, strict=True):
        np.testing.assert_array_equal(ours, theirs)
