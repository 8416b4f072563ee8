"""``g explain``: it tells what the run writes, and every step on the way; the worked example of the specification."""

import re
from pathlib import Path

import numpy as np
import pytest

from g_core import _native
from g_core.cli.main import main
from tests.reference.worked_example import COVARIATE, PREDICTIONS, TRAITS, VARIANTS

STORED = {
    "0": (0, 0),
    "1": (0, 255),
    "2": (255, 0),
    "a": (153, 102),
    "b": (0, 102),
    "c": (0, 204),
    "d": (0, 51),
    "m": (0, 0),
}
PEOPLE = range(24)


def cell(value: float) -> str:
    return "NA" if np.isnan(value) else f"{value:g}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The worked example as files."""
    folder = tmp_path_factory.mktemp("worked")
    writer = _native.BgenWriter(
        str(folder / "w.bgen"),
        sample_ids=[f"F{person}_I{person}" for person in PEOPLE],
        n_samples=24,
        compression="zlib",
        level=6,
        threads=1,
    )
    writer.write(
        chromosome="1",
        rsids=list(VARIANTS),
        positions=np.array([10, 20], np.uint32),
        first_alleles=["A", "A"],
        second_alleles=["C", "C"],
        probabilities=np.array([[STORED[code] for code in codes] for codes in VARIANTS.values()], np.uint8),
        missing=np.array([[code == "m" for code in codes] for codes in VARIANTS.values()]),
    )
    writer.finish()
    for name, traits in (("q.txt", ("Q1", "Q2")), ("b.txt", ("B1", "B2"))):
        rows = [" ".join([f"F{p} I{p}", *(cell(TRAITS[trait][p]) for trait in traits)]) for p in PEOPLE]
        (folder / name).write_text("\n".join([f"FID IID {' '.join(traits)}", *rows]) + "\n")
    (folder / "c.txt").write_text("FID IID C\n" + "".join(f"F{p} I{p} {COVARIATE[p]}\n" for p in PEOPLE))
    for trait, offsets in PREDICTIONS.items():
        header = " ".join(["FID_IID", *(f"F{p}_I{p}" for p in PEOPLE)])
        (folder / f"{trait}.loco").write_text(f"{header}\n1 {' '.join(map(cell, offsets))}\n")
    (folder / "pred.list").write_text("".join(f"{trait} {folder / trait}.loco\n" for trait in PREDICTIONS))
    return folder


def explain(folder: Path, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    files = ["--bgen", folder / "w.bgen", "--covarFile", folder / "c.txt", "--pred", folder / "pred.list"]
    files += ["--out", folder / "out", "--minMAC", "0.5", "--threads", "1"]
    assert main(["explain", *map(str, files), *words]) == 0
    return capsys.readouterr().out


def value(text: str, section: str, name: str) -> str:
    """The value of a name in the section whose title starts so."""
    lines = text.split(f"\n{section}", 1)[1].split("\n\n", 1)[0].splitlines()
    return next(line.strip()[len(name) :].strip() for line in lines if line.strip().startswith(f"{name}  "))


def test_a_joint_quantitative_test_shows_the_worked_numbers(folder, capsys):
    words = ("--phenoFile", str(folder / "q.txt"), "--sample-mode", "regenie", "--variant", "vs", "--trait", "Q2")
    text = explain(folder, capsys, *words)
    assert value(text, "residuals of trait Q2", "SD after the covariates") == "0.9798346062"
    assert value(text, "residuals of trait Q2", "SD after the predictions, in that unit") == "0.9080391922"
    assert float(value(text, "score test", "numerator")) == pytest.approx(1.25116459, rel=1e-7)
    assert float(value(text, "score test", "denominator")) == pytest.approx(6.019517283, rel=1e-7)
    assert value(text, "score test", "products in") == "double precision: joint analysis"
    assert value(text, "genotype", "sparse").startswith("yes: 8 samples")
    assert not list(folder.glob("out*")), "an explanation writes nothing"


@pytest.mark.parametrize(
    ("words", "title", "evaluations", "beta"),
    [
        (("--firth", "--approx"), "approximate Firth", 10, 3.215370443),
        (("--firth",), "exact Firth", 20, 3.879132554),
    ],
)
def test_a_binary_test_shows_every_evaluation_of_its_firth_fit(folder, capsys, words, title, evaluations, beta):
    binary = ("--bt", "--minCaseCount", "1", "--pThresh", "0.999", "--phenoFile", str(folder / "b.txt"))
    text = explain(folder, capsys, *binary, *words, "--variant", "vs", "--trait", "B1")
    assert "intercept -1.775430172, C 1.919596666" in text
    assert "is above 0.0012533" in value(text, "correction", "made")
    trace = text.split(f"evaluations of the {title} fit\n", 1)[1].split("\n\n", 1)[0].splitlines()
    assert len(trace) > evaluations
    assert float(trace[-1].split()[2]) == pytest.approx(beta, rel=1e-9)
    assert float(value(text, title, "BETA (of the tested dosage)")) == pytest.approx(beta, rel=1e-9)
    assert value(text, "the row", "STATUS") == "ok"
    assert float(value(text, "the row", "BETA")) == pytest.approx(beta, rel=1e-9)


def test_a_filter_that_takes_the_variant_is_named(folder, capsys):
    words = ("--phenoFile", str(folder / "q.txt"), "--phenoCol", "Q1", "--minMAC", "20", "--variant", "vs")
    files = ["--bgen", folder / "w.bgen", "--covarFile", folder / "c.txt", "--ignore-pred", "--out", folder / "out"]
    assert main(["explain", *map(str, files), *words]) == 0
    text = capsys.readouterr().out
    assert value(text, "filters", "--minMAC, trait") == "8.2 is below 20"
    assert value(text, "the row", "none") == "a filter takes it"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "--variant is missing"),
        (("--variant", "nowhere", "--trait", "Q1"), "--variant nowhere: no variant with this ID among the 2"),
        (("--variant", "vs"), "--trait is missing; the run analyses Q1, Q2"),
        (("--variant", "vs", "--trait", "B1"), "--trait B1: not analysed by this run; it analyses Q1, Q2"),
    ],
)
def test_what_is_not_there_is_named(folder, capsys, words, message):
    files = ["--bgen", folder / "w.bgen", "--phenoFile", folder / "q.txt", "--ignore-pred", "--out", folder / "out"]
    assert main(["explain", *map(str, files), *words]) == 2
    assert re.search(re.escape(message), capsys.readouterr().err)
