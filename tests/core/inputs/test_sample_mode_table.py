"""The table of docs/samples.md: every combination of options is in it once, and does what it says."""

import itertools
import pathlib
import re

import numpy as np
import pytest

from g_core.inputs.analysis_set import one_table_problem

PAGE = (pathlib.Path(__file__).resolve().parents[3] / "docs" / "samples.md").read_text(encoding="utf-8")
MODES = ("per_phenotype", "complete_case", "regenie")
CHOICES = (("one", "several"), MODES, ("no", "yes"), ("no", "yes"))
EXAMPLE = re.search(r"```text\n(FID IID A B C\n.*?)```", PAGE, flags=re.DOTALL).group(1)
ROWS = [
    tuple(cell.strip() for cell in line.strip("|").split("|"))
    for line in PAGE.splitlines()
    if line.startswith(("| one |", "| several |"))
]


def combinations(row):
    """The combinations that a row of the table speaks of."""
    cells = [choices if cell == "any" else (cell,) for cell, choices in zip(row, CHOICES, strict=False)]
    return list(itertools.product(*cells))


def samples(text):
    """``2,5-8`` as 2, 5, 6, 7, 8."""
    ranges = [list(map(int, part.split("-"))) for part in text.split(",")]
    return [number for first, *last in ranges for number in range(first, (last or [first])[0] + 1)]


def test_every_combination_is_in_the_table_once():
    spoken_of = [combination for row in ROWS for combination in combinations(row)]
    assert sorted(spoken_of) == sorted(itertools.product(*CHOICES))


CASES = [
    pytest.param(mode, strict, impute, traits, row[4:], id=f"{traits}-{mode}-{strict}-{impute}")
    for row in ROWS
    for traits, mode, strict, impute in combinations(row)
]


@pytest.mark.parametrize(("mode", "strict", "impute", "traits", "expected"), CASES)
def test_a_combination_does_what_the_table_says(study, mode, strict, impute, traits, expected):
    resolution, no_split, *samples_of_traits = expected
    study.write("pheno.txt", EXAMPLE)
    words = ["--sample-mode", mode, *["--strict"] * (strict == "yes"), *["--force-impute"] * (impute == "yes")]
    runs = [("A", "B", "C")] if traits == "several" else [("A",), ("B",), ("C",)]
    analysed = {}
    for names in runs:
        analysis = study.load(*words, "--phenoColList", ",".join(names))
        for group in analysis.groups:
            for trait in group.traits:
                analysed[trait.name] = (group.sample_indices[trait.present] + 1).tolist()
        assert (one_table_problem(analysis) is None) == (no_split == "allowed")
        if resolution == "each trait apart":
            assert len(analysis.groups) == 3
        else:
            (group,) = analysis.groups
            assert group.is_joint == (resolution == "joint")
    assert analysed == {name: samples(text) for name, text in zip("ABC", samples_of_traits, strict=True)}


def test_the_means_of_the_page_are_those_that_are_imputed(study):
    study.write("pheno.txt", EXAMPLE)
    (group,) = study.load("--force-impute").groups
    first, second, third = (trait.values for trait in group.traits)
    imputed = (first[6], second[0], third[1])
    assert third[1] == third[2]
    assert re.search(
        r"in every mode: ([0-9.]+) for `A`.*?([0-9.]+) for `B`.*?([0-9.]+) for `C`", PAGE, re.DOTALL
    ).groups() == tuple(f"{value:.3g}" for value in imputed)


def test_one_table_of_traits_that_are_analysed_apart_is_refused_by_name(study):
    study.write("pheno.txt", EXAMPLE)
    assert one_table_problem(study.load()) == (
        "--no-split needs all traits on one model, and these differ in their samples: A (6 samples); B (6 samples); "
        "C (5 samples); add --strict, or --sample-mode regenie"
    )


def test_the_joint_values_of_the_page_are_those_of_the_joint_mode(study):
    study.write("pheno.txt", EXAMPLE)
    (group,) = study.load("--sample-mode", "regenie").groups
    shown = re.search(r"```text\nsample +A +B +C\n(.*?)```", PAGE, re.DOTALL).group(1)
    rows = [list(map(float, line.split())) for line in shown.splitlines()]
    assert [row[0] - 1 for row in rows] == group.sample_indices.tolist()
    for column, trait in enumerate(group.traits, start=1):
        assert [row[column] for row in rows] == np.where(trait.observed, trait.values, 0.0).tolist()
