"""The scans that are measured: traits, options, and what is demanded of each.

Belongs here: one case a line, and its command line. Does not belong here: running it (scan_tasks.py, peer_tasks.py).
"""

from dataclasses import dataclass
from pathlib import Path

from g_assets.benchmarks.datasets import Dataset
from g_assets.benchmarks.phenotypes import Table, TableKind

COVARIATES = Table(TableKind.COVARIATES, 13)
MANY_COVARIATES = Table(TableKind.COVARIATES, 20)
FIRTH = ("--bt", "--firth", "--approx", "--pThresh", "0.05")


@dataclass(frozen=True, slots=True)
class ScanCase:
    """One kind of scan. The demands are in floors: the time that only reading and inflating the same BGEN takes."""

    case_id: str
    title: str
    traits: Table
    covariates: Table
    options: tuple[str, ...]
    at_most: float | None
    aim: float | None

    @property
    def tables(self) -> tuple[Table, Table]:
        """Everything that it reads beside genotypes."""
        return (self.traits, self.covariates)


def quantitative(case_id: str, title: str, traits: Table, at_most: float, aim: float) -> ScanCase:
    """A case of linear regression."""
    return ScanCase(case_id, title, traits, COVARIATES, (), at_most, aim)


def binary(case_id: str, title: str, n_traits: int, at_most: float, aim: float) -> ScanCase:
    """A case of logistic regression with approximate Firth below 0.05."""
    return ScanCase(case_id, title, Table(TableKind.BINARY, n_traits), COVARIATES, FIRTH, at_most, aim)


QT1 = quantitative("qt1", "quantitative, 1 trait", Table(TableKind.QUANTITATIVE, 1), 2.2, 1.5)
BT1 = binary("bt1", "binary, approximate Firth at 0.05, 1 trait", 1, 4.5, 3)
YARDSTICK_CASES = (
    QT1,
    quantitative("qt4", "quantitative, 4 traits of one mask", Table(TableKind.QUANTITATIVE, 4), 2.4, 1.6),
    quantitative("qt50", "quantitative, 50 traits of one mask", Table(TableKind.QUANTITATIVE, 50), 3.5, 2.5),
    quantitative("qt8m", "quantitative, 8 traits of 8 masks", Table(TableKind.QUANTITATIVE_MASKED, 8), 4, 2.5),
    BT1,
    binary("bt4", "binary, approximate Firth at 0.05, 4 traits", 4, 9, 5),
)
PANEL_CASES = (
    quantitative(
        "panel_qt",
        "quantitative, 1 trait, 2,504 samples x 418,943 variants",
        Table(TableKind.QUANTITATIVE, 1),
        2.5,
        1.7,
    ),
    binary("panel_bt", "binary, approximate Firth at 0.05, 1 trait, 2,504 samples x 418,943 variants", 1, 5, 3),
)
# Time against size is measured with one trait and without a demand in floors: that is the yardstick's.
STEP_CASE = ScanCase("step", "quantitative, 1 trait", Table(TableKind.QUANTITATIVE, 1), COVARIATES, (), None, None)
MANY_SAMPLES_CASE = ScanCase(
    "many", "quantitative, 1 trait, 20 covariates", Table(TableKind.QUANTITATIVE, 1), MANY_COVARIATES, (), None, None
)


def regenie_arguments(case: ScanCase, dataset: Dataset, prefix: Path, *, threads: int) -> tuple[str, ...]:
    """The case as REGENIE's own options; ``g regenie`` takes the same."""
    return (
        *("--step", "2"),
        *("--bgen", str(dataset.bgen), "--sample", str(dataset.sample)),
        *("--phenoFile", str(dataset.table(case.traits)), "--covarFile", str(dataset.table(case.covariates))),
        *("--ignore-pred", "--threads", str(threads), "--out", str(prefix)),
        *case.options,
    )
