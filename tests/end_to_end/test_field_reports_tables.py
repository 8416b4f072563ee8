"""Field reports B, C and D through the command: chromosome labels, tables, and prediction files.

Belongs here: what shows only when a whole run is made. Does not belong here: a message of one reader; the index of
all reports and of the tests that answer them is tests/core/inputs/test_index.py.
"""

from pathlib import Path

import numpy as np
import pytest

from tests.end_to_end.field_study import FieldStudy, random_counts

N_SAMPLES = 60
LABELS = ("1", "01", "chr1", "2", "X", "chrX", "23", "PAR1", "Y")


@pytest.fixture
def study(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> FieldStudy:
    """Sixty samples with a trait, a covariate and predictions, in a working directory of blanks and other letters."""
    made = FieldStudy(tmp_path / "数据 a b", N_SAMPLES, capsys)
    monkeypatch.chdir(made.folder)
    generator = np.random.default_rng(1)
    made.bgen({"1": random_counts(2, 6, N_SAMPLES)})
    made.table("größe 1.txt", {"Y": generator.normal(size=N_SAMPLES).round(4)})
    made.table("covar.txt", {"age": generator.integers(40, 70, N_SAMPLES)})
    made.loco("schritt 1/y 1.loco", generator.normal(size=N_SAMPLES).round(3).tolist(), range(1, 24))
    made.write("schritt 1/pred.list", "Y y 1.loco\n")
    return made


WORDS = ("--qt", "--phenoFile", "größe 1.txt", "--covarFile", "covar.txt", "--pred", "schritt 1/pred.list")


def test_d8_d1_paths_with_blanks_and_letters_of_any_script_and_a_path_from_the_lists_folder(study: FieldStudy) -> None:
    outcome = study.run(*WORDS)
    assert outcome.exit_code == 0, outcome.error
    assert outcome.rows("Y").height == 6


def test_c1_line_ends_of_windows_change_nothing(study: FieldStudy) -> None:
    before = study.run(*WORDS)
    for name in ("a.sample", "größe 1.txt", "covar.txt", "schritt 1/pred.list", "schritt 1/y 1.loco"):
        study.write(name, (study.folder / name).read_text().replace("\n", "\r\n"))
    after = study.run(*WORDS)
    assert (before.exit_code, after.exit_code) == (0, 0)
    assert after.rows("Y").equals(before.rows("Y"))


def test_b1_labels_are_kept_in_the_rows_and_are_numbers_in_the_text(study: FieldStudy) -> None:
    study.bgen({label: random_counts(number, 2, N_SAMPLES) for number, label in enumerate(LABELS)})
    outcome = study.run(*WORDS, "--format", "regenie", "--format", "parquet")
    assert outcome.exit_code == 0, outcome.error
    rows = outcome.rows("Y")
    assert rows["CHROM"].to_list() == [label for label in LABELS for _ in range(2)]
    codes = [1] * 6 + [2] * 2 + [23] * 10
    assert rows["CHROM_CODE"].to_list() == codes
    lines = outcome.directory.with_name("out1_Y.regenie").read_text().splitlines()
    assert [int(line.split()[0]) for line in lines[1:]] == codes


@pytest.mark.parametrize("label", ["24", "26", "MT", "GL000", "HLA", "chrUn"])
def test_b1_b2_an_unknown_label_is_named_with_its_variant_and_can_be_left_out(study: FieldStudy, label: str) -> None:
    study.bgen({"1": random_counts(1, 3, N_SAMPLES), label: random_counts(2, 1, N_SAMPLES)})
    refused = study.run(*WORDS)
    assert refused.exit_code == 2
    assert f"variant rs4 (number 4) is on chromosome {label!r}, which is not known" in refused.error
    assert "allowed: 1 to 22, X, XY, Y, PAR1, PAR2 or 23" in refused.error
    left_out = study.run(*WORDS, "--chr", "1")
    assert (left_out.exit_code, left_out.rows("Y").height) == (0, 3)


@pytest.mark.parametrize("label", ["", " "])
def test_b5_an_empty_label_is_no_chromosome(study: FieldStudy, label: str) -> None:
    study.bgen({label: random_counts(2, 1, N_SAMPLES)})
    refused = study.run(*WORDS)
    assert refused.exit_code == 2
    assert f"is on chromosome {label!r}" in refused.error


@pytest.mark.parametrize("label", ["X", "chrX", "XY", "PAR1", "PAR2", "23"])
def test_b4_every_label_of_x_takes_row_23_and_the_rows_present_are_told_without_it(
    study: FieldStudy, label: str
) -> None:
    study.bgen({label: random_counts(2, 3, N_SAMPLES)})
    assert study.run(*WORDS).rows("Y").height == 3
    study.loco("schritt 1/y 1.loco", [0.1] * N_SAMPLES, (1, 2))
    refused = study.run(*WORDS)
    assert refused.exit_code == 2
    assert refused.error == "error: trait Y: schritt 1/y 1.loco: no row for chromosome 23; rows present: 1, 2\n"


def test_b4_a_row_labelled_x_is_row_23(study: FieldStudy) -> None:
    study.bgen({"X": random_counts(2, 3, N_SAMPLES)})
    study.loco("schritt 1/y 1.loco", [0.1] * N_SAMPLES, ("1", "chrX"))
    assert study.run(*WORDS).exit_code == 0


def test_c7_kept_and_dropped_are_printed_for_every_reason(study: FieldStudy) -> None:
    values: list[object] = [*(0.1 * n * n for n in range(N_SAMPLES - 2)), "NA", "NA"]
    study.table("größe 1.txt", {"Y": values})
    lines = (study.folder / "covar.txt").read_text().splitlines()
    study.write("covar.txt", "\n".join(lines[:1] + lines[4:] + ["x x 50"]) + "\n")
    printed = study.run(*WORDS).printed
    assert "covariates covar.txt: 58 samples, 57 of them with genotypes, 1 without" in printed
    assert "trait Y: 55 samples; dropped: 2 phenotype missing, 3 not in the covariate file" in printed


def test_c16_a_binary_trait_among_quantitative_ones_fails_alone_with_the_remedy(study: FieldStudy) -> None:
    study.table("größe 1.txt", {"Y": [0.1 * n * n for n in range(N_SAMPLES)], "case": [0, 1] * (N_SAMPLES // 2)})
    study.write("schritt 1/pred.list", "Y y 1.loco\ncase y 1.loco\n")
    outcome = study.run(*WORDS)
    assert outcome.exit_code == 3
    assert "trait case: größe 1.txt has only the values 0 (line 2 and 29 more lines) and 1" in outcome.error
    assert "use --bt for a binary trait, or --force-qt" in outcome.error
    assert outcome.rows("Y").height == 6


def test_c23_one_file_for_phenotypes_and_covariates(study: FieldStudy) -> None:
    generator = np.random.default_rng(3)
    columns = {"Y": generator.normal(size=N_SAMPLES).round(3), "age": generator.integers(40, 70, N_SAMPLES)}
    study.table("both.txt", columns)
    study.table("Y.txt", {"Y": columns["Y"]})
    study.table("age.txt", {"age": columns["age"]})
    words = ("--qt", "--phenoCol", "Y", "--covarCol", "age")
    one = study.run(*words, "--phenoFile", "both.txt", "--covarFile", "both.txt")
    two = study.run(*words, "--phenoFile", "Y.txt", "--covarFile", "age.txt")
    assert one.exit_code == 0
    assert one.rows("Y").equals(two.rows("Y"))


def test_d4_all_traits_without_overlap_are_told_in_one_go(study: FieldStudy) -> None:
    study.table("größe 1.txt", {name: [0.1 * n * n for n in range(N_SAMPLES)] for name in ("Y", "Z")})
    study.write("z.loco", "FID_IID a_a b_b\n1 0.1 0.2\n")
    study.write("schritt 1/pred.list", f"Y {study.folder / 'z.loco'}\nZ nowhere.loco\n")
    refused = study.run(*WORDS)
    assert refused.exit_code == 2
    assert "trait Y: " in refused.error
    assert "z.loco, line 1: 0 of 2 samples are in the genotypes" in refused.error
    assert "trait Z: schritt 1/pred.list, line 2: no such file nowhere.loco or schritt 1/nowhere.loco" in refused.error


def test_d5_a_missing_prediction_of_an_analysed_sample_fails_its_trait_before_any_work(study: FieldStudy) -> None:
    study.table("größe 1.txt", {name: [0.1 * n * n for n in range(N_SAMPLES)] for name in ("Y", "Z")})
    row = " ".join(["0.1"] * (N_SAMPLES - 1))
    header = (study.folder / "schritt 1/y 1.loco").read_text().splitlines()[0]
    study.write("schritt 1/z.loco", f"{header}\n2 0.1 {row}\n\n1 NA {row}\n")
    study.write("schritt 1/pred.list", "Y y 1.loco\nZ z.loco\n")
    outcome = study.run(*WORDS)
    assert outcome.exit_code == 3
    assert "schritt 1/z.loco, line 4: chromosome 1: NA for sample 1_1, which line 2 has a value for" in outcome.error
    assert outcome.rows("Y")["BETA"].null_count() == 0


def test_d7_a_list_that_is_no_file_is_named(study: FieldStudy) -> None:
    (study.folder / "folder").mkdir()
    given = list(WORDS[:-1])
    assert study.run(*given, "nowhere.list").error == "error: --pred nowhere.list: no such file\n"
    assert study.run(*given, "folder").error == "error: --pred folder: is a folder, not a file\n"
