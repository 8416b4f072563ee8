"""Phenotype and covariate tables of the benchmarks: drawn once, the same bytes each time.

Belongs here: what is in each table. Does not belong here: genotypes (g_core.simulate), or which scan reads which table
(cases.py). The traits have no genetic part: how long a scan takes does not depend on one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

SEED = 20261130
# The traits share a little variance with the first covariate, so that projecting it out does something.
COVARIATE_EFFECT = 0.3
# One sample in ten is a case.
CASE_QUANTILE = 1.2816
MISSING_RATE = 0.05


class TableKind(StrEnum):
    """What the columns of a table are."""

    COVARIATES = "covariates"
    QUANTITATIVE = "quantitative"
    QUANTITATIVE_MASKED = "quantitative_masked"
    """Each trait lacks its own five samples in a hundred."""
    BINARY = "binary"


@dataclass(frozen=True, slots=True)
class Table:
    """One table: its kind and its number of columns."""

    kind: TableKind
    n_columns: int

    @property
    def file_name(self) -> str:
        """``quantitative_4.txt``."""
        return f"{self.kind.value}_{self.n_columns}.txt"


def table_text(table: Table, sample_ids: Sequence[tuple[str, str]]) -> str:
    """The table as REGENIE reads it, with a line for each sample.

    Args:
        table: Which one.
        sample_ids: FID and IID of each sample.
    """
    columns = table_columns(table, len(sample_ids))
    lines = [
        " ".join(("FID", "IID", *(f"{table.kind.value[0].upper()}{number + 1}" for number in range(len(columns)))))
    ]
    lines += [" ".join((*ids, *values)) for ids, values in zip(sample_ids, zip(*columns, strict=True), strict=True)]
    return "\n".join(lines) + "\n"


def table_columns(table: Table, n_samples: int) -> list[list[str]]:
    """The values as text, column by column; tables of one kind begin with the same columns."""
    match table.kind:
        case TableKind.COVARIATES:
            return [written(covariate(number, n_samples)) for number in range(table.n_columns)]
        case TableKind.QUANTITATIVE:
            return [written(liability(number, n_samples)) for number in range(table.n_columns)]
        case TableKind.QUANTITATIVE_MASKED:
            return [masked(number, n_samples) for number in range(table.n_columns)]
        case TableKind.BINARY:
            return [cases(number, n_samples) for number in range(table.n_columns)]


def stream(purpose: int, number: int) -> np.random.Generator:
    """A stream of random numbers of its own for each column."""
    return np.random.default_rng((SEED, purpose, number))


def covariate(number: int, n_samples: int) -> npt.NDArray[np.float64]:
    """One covariate, standard normal."""
    return stream(0, number).normal(size=n_samples)


def liability(number: int, n_samples: int) -> npt.NDArray[np.float64]:
    """One quantitative trait; above a quantile of it, the cases of the binary one."""
    return stream(1, number).normal(size=n_samples) + COVARIATE_EFFECT * covariate(0, n_samples)


def masked(number: int, n_samples: int) -> list[str]:
    """One quantitative trait that some samples lack."""
    is_missing = stream(2, number).random(n_samples) < MISSING_RATE
    values = written(liability(number, n_samples))
    return ["NA" if missing else value for missing, value in zip(is_missing.tolist(), values, strict=True)]


def cases(number: int, n_samples: int) -> list[str]:
    """One binary trait."""
    is_case = liability(number, n_samples) > CASE_QUANTILE
    return ["1" if case else "0" for case in is_case.tolist()]


def written(values: npt.NDArray[np.float64]) -> list[str]:
    """Numbers with six digits."""
    return [f"{value:.6g}" for value in values.tolist()]
