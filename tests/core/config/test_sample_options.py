"""Options about samples and trait values: what they resolve to, and where they mean nothing or cannot be used."""

import pytest

from g_core import errors
from g_core.config.build_plan import build_run_plan
from g_core.config.load import load_config

BASE = ("--bgen", "a.bgen", "--phenoFile", "y.txt", "--ignore-pred", "--out", "o")


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a.bgen", "a.bgen.bgi", "a.sample", "y.txt", "c.txt"):
        (tmp_path / name).touch()


def plan(*words):
    return build_run_plan(load_config([*BASE, *words]))


def refusal(*words, error=errors.UsageError):
    with pytest.raises(error) as refused:
        plan(*words)
    return str(refused.value)


@pytest.mark.parametrize(
    ("words", "mode"),
    [
        ((), "per_phenotype"),
        (("--strict",), "complete_case"),
        (("--sample-mode", "regenie"), "regenie"),
        (("--sample-mode", "regenie", "--strict"), "complete_case"),
        (("--sample-mode", "per-phenotype", "--strict"), "complete_case"),
    ],
)
def test_strict_is_complete_case_whatever_the_mode(words, mode):
    assert plan(*words).samples.mode == mode


def test_switches_of_quantitative_traits():
    words = ("--force-qt", "--force-impute", "--apply-rint")
    trait = plan(*words).trait
    assert (trait.force_quantitative, trait.impute_missing, trait.rank_inverse_normal) == (True, True, True)
    binary = plan("--bt", *words)
    assert not any((binary.trait.force_quantitative, binary.trait.impute_missing, binary.trait.rank_inverse_normal))
    assert binary.warnings == (
        "--force-qt is ignored: it applies to quantitative traits (--qt)",
        "--force-impute is ignored: a missing case status is never imputed (--bt)",
        "--apply-rint is ignored: it applies to quantitative traits (--qt)",
    )


def test_what_needs_the_sample_file_says_so():
    assert refusal("--write-samples", "--sex-specific", "male") == (
        "2 problems:\n"
        "  - --write-samples needs --sample: identifiers inside a BGEN do not tell FID from IID\n"
        "  - --sex-specific male needs --sample, whose fourth column is the sex"
    )
    assert plan("--sample", "a.sample", "--write-samples", "--sex-specific", "female").samples.sex == "female"


def test_sample_lists_may_name_the_trait():
    output = plan("--sample", "a.sample", "--write-samples", "--print-pheno").output
    assert (output.sample_lists, output.sample_lists_name_trait) == (True, True)
    assert plan("--print-pheno").warnings == ("--print-pheno is ignored: it needs --write-samples",)


def test_an_index_must_be_there_and_is_not_read():
    assert plan("--bgi", "a.bgen.bgi").warnings == (
        "--bgi a.bgen.bgi is not read: variants come in the BGEN's own order",
    )
    assert refusal("--bgi", "none.bgi", error=errors.InputError) == "--bgi none.bgi: no such file"


def test_ranges_are_written_out_in_every_column_list():
    expanded = plan(
        *("--covarFile", "c.txt", "--phenoColList", "Y{1:2}", "--phenoExcludeList", "Z{1:2}"),
        *("--covarColList", "PC{1:3}", "--covarExcludeList", "X{2:3}", "--catCovarList", "S{1:2}"),
    ).input
    assert expanded.phenotype_columns == ("Y1", "Y2")
    assert expanded.phenotype_exclude_columns == ("Z1", "Z2")
    assert expanded.covariate_columns == ("PC1", "PC2", "PC3")
    assert expanded.covariate_exclude_columns == ("X2", "X3")
    assert expanded.categorical_covariates == ("S1", "S2")
