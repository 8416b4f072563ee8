"""What a message must say to count as a refusal with its cause."""

import gzip

import pytest

from g_assets.parity.causes import derive_causes
from g_assets.parity.input_tables import read_inputs
from g_assets.parity.refusals import find_refusal_problems, names
from tests.parity.cases import golden_case, run_of

PHENOTYPES = "FID IID Y1 Y2\n1 1 0.5 urban\n2 2 1.5 3\n"
COVARIATES = "FID IID V1 V2 V3\n1 1 0.5 1 2\n"
PREDICTIONS = "Q1 step1/q_1.loco\n"
DAMAGED = "Y1 step1/y_1.loco\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "inputs").mkdir()
    (tmp_path / "inputs/p.txt").write_text(PHENOTYPES)
    (tmp_path / "inputs/c.txt.gz").write_bytes(gzip.compress(COVARIATES.encode()))
    (tmp_path / "inputs/pred.list").write_text(PREDICTIONS)
    (tmp_path / "inputs/damaged.list").write_text(DAMAGED)
    return tmp_path


def causes_of(folder, case):
    return [cause.words for cause in derive_causes(case, read_inputs(case, folder))]


@pytest.mark.parametrize(
    ("words", "error", "causes"),
    [
        # What REGENIE quotes.
        ((), "ERROR: could not convert value to double: 'urban'", [("urban",)]),
        ((), "ERROR: Option \u2018no-such\u2019 does not exist", [("no-such",)]),
        ((), "ERROR: phenotype 'Y2' has sd=0. Use `--force-qt`.", [("Y2",)]),
        # A value that it names, or who has it.
        ((), "ERROR: a value is not 0/1/NA for: FID=1 IID=1 Y=1.64818554321186", [("1.64818554321186",)]),
        ((), "ERROR: individual appears more than once: FID=5 IID=7", [("5", "7", "5_7")]),
        # An argument that stands in its sentence.
        (("--keep", "inputs/k.txt"), "ERROR: inputs/k.txt doesn't exist for option --keep", [("inputs/k.txt",)]),
        # Columns that are asked for and are not there.
        (("--phenoCol", "NOPE"), "ERROR: need at least one phenotype.", [("NOPE",)]),
        (
            ("--covarFile", "inputs/c.txt.gz", "--covarColList", "V{2:4},W"),
            "ERROR: not all covariates specified are found in the covariate file.",
            [("V4",), ("W",)],
        ),
        # Traits without predictions.
        (
            ("--pred", "inputs/pred.list"),
            "ERROR: need at least one phenotype.",
            [("--pred", "inputs/pred.list", "pred.list"), ("Y1",), ("Y2",)],
        ),
        # Options that exclude each other are both named; of options that would help, one is enough.
        (
            ("--keep", "a", "--remove", "b"),
            "ERROR: cannot use both --keep and --remove.",
            [("--keep",), ("--remove",)],
        ),
        (
            (),
            "ERROR: must specify --pred if using --step 2 (otherwise use --ignore-pred).",
            [("--pred", "--ignore-pred")],
        ),
        # A number that a sentence holds by chance is no cause.
        (("--chr", "1"), "ERROR: fewer than 1 variant is left.", [("--chr", "1")]),
        # Only a subject: the options it can be about.
        ((), "ERROR: incorrectly formatted phenotype file.", [("--phenoFile", "inputs/p.txt", "p.txt", "Y1", "Y2")]),
        (("--chrList", "7,8"), "ERROR: no variant left to include.", [("--chrList", "7,8", "7", "8")]),
        ((), "ERROR: no variant left to include.", [("--bgen", "inputs/a.bgen", "a.bgen")]),
        (("--keep", "k.txt"), "ERROR: no samples remaining in the analysis.", [("--keep", "k.txt")]),
        (
            ("--pred", "inputs/damaged.list"),
            "ERROR: blup file is damaged.",
            [("--pred", "inputs/damaged.list", "damaged.list", "y_1.loco")],
        ),
        # A sentence without a subject: a file or an argument of the case.
        (
            ("--pThresh", "2"),
            "ERROR: p-value threshold must be in (0,1).",
            [
                (
                    "a.bgen",
                    "p.txt",
                    "--bgen",
                    "inputs/a.bgen",
                    "--phenoFile",
                    "inputs/p.txt",
                    "step2/made/out",
                    "--pThresh",
                )
            ],
        ),
        # No words at all: a file of the case.
        ((), "(none: the program ended with signal 11)", [("a.bgen", "p.txt")]),
    ],
)
def test_the_cause_is_derived_by_rule(folder, words, error, causes):
    assert causes_of(folder, golden_case(*words, error=error)) == causes


@pytest.mark.parametrize(
    ("message", "word", "named"),
    [
        ("no column NOPE (--phenoCol)", "NOPE", True),
        ("no column NOPES", "NOPE", False),
        ("inputs/p.txt, line 2", "p.txt", True),
        ("unknown option --no-such; did you mean --no-split?", "no-such", True),
        ("--keep-all is new", "--keep", False),
        ("--chr 7.", "7", True),
        ("at 0.7 or 17", "7", False),
        ("has 1.64819 (line 2)", "1.64818554321186", True),
        ("has 1.65 (line 2)", "1.64818554321186", False),
    ],
)
def test_a_message_names_whole_words_and_numbers_as_they_print(message, word, named):
    assert names(message, word) is named


@pytest.mark.parametrize(
    ("exit_code", "standard_error", "problem"),
    [
        (2, "error: --chr 7: no variant is left\n", None),
        (3, "error: trait Y1: --chr 7\n", None),
        (2, "error\n", "does not name --chr or 7"),
        (0, "", "must be refused"),
        (1, "error: --chr 7\n", "must be refused"),
        (2, "  \n", "without a message"),
        (2, "Traceback (most recent call last):\n  --chr 7\n", "is a traceback"),
    ],
)
def test_a_refusal_has_its_exit_code_and_a_message_with_the_cause(tmp_path, folder, exit_code, standard_error, problem):
    case = golden_case("--chr", "7", error="ERROR: no variant left to include in analysis.")
    run = run_of(tmp_path, exit_code=exit_code, standard_error=standard_error)
    problems = find_refusal_problems(run=run, causes=derive_causes(case, read_inputs(case, folder)))

    assert problems == [] if problem is None else problem in problems[0]
