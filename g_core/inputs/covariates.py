"""The covariate file: which columns, and the design matrix along the genotyped samples.

Belongs here: spec section 2.5. Does not belong here: the orthonormal basis (g_core/kernels/covariate_basis.py).
"""

import dataclasses
import pathlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from g_core import _native
from g_core.config.run_plan import InputPlan
from g_core.inputs import column_choice, sample_index
from g_core.inputs.findings import Findings
from g_core.inputs.join_report import FileCounts
from g_core.inputs.sample_index import SampleIndex

INTERCEPT = "intercept"


@dataclasses.dataclass(frozen=True, slots=True)
class CovariateChoice:
    """Columns of the covariate file that are used."""

    numeric: tuple[str, ...]
    categorical: tuple[str, ...]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """Intercept and covariates along all genotyped samples.

    ``columns`` [N, 1 + C] is unscaled, and 0 where ``complete`` [N] is False; ``has_row`` [N] is True for samples of
    the file (all, where there is no file). ``counts`` is None without a file.
    """

    names: tuple[str, ...]
    columns: npt.NDArray[np.float64]
    has_row: npt.NDArray[np.bool_]
    complete: npt.NDArray[np.bool_]
    counts: FileCounts | None


def intercept_only(n_samples: int) -> Design:
    """The design without a covariate file."""
    everyone = np.ones(n_samples, dtype=np.bool_)
    return Design(names=(INTERCEPT,), columns=np.ones((n_samples, 1)), has_row=everyone, complete=everyone, counts=None)


def choose_covariates(
    plan: InputPlan, path: pathlib.Path, traits: Sequence[str], findings: Findings
) -> CovariateChoice:
    """Columns to use, in the order of the file; analysed traits are never covariates.

    Raises:
        InputError: the file cannot be read.
    """
    header = _native.read_table_header(str(path))
    column_choice.find_absent_columns(header, plan.covariate_columns, "--covarColList", path, findings)
    column_choice.find_absent_columns(header, plan.categorical_covariates, "--catCovarList", path, findings)
    refused = {*traits, *plan.covariate_exclude_columns}
    categorical = set(plan.categorical_covariates)
    numeric = set(plan.covariate_columns or header) - categorical
    for name in header:
        if name in traits and (name in plan.covariate_columns or name in categorical):
            findings.note(f"covariate {name} is left out, because it is an analysed trait")
    return CovariateChoice(
        numeric=tuple(name for name in header if name in numeric and name not in refused),
        categorical=tuple(name for name in header if name in categorical and name not in refused),
    )


def read_design(
    path: pathlib.Path,
    choice: CovariateChoice,
    index: SampleIndex,
    kept: npt.NDArray[np.bool_],
    findings: Findings,
    *,
    max_category_levels: int,
) -> Design:
    """The design matrix along the genotyped samples.

    Raises:
        InputError: the file cannot be read, or shares no sample with the genotypes.
    """
    table = _native.read_trait_table(str(path), numeric=choice.numeric, categorical=choice.categorical)
    positions = sample_index.match_rows(index, table, str(path), findings)
    matched = positions >= 0
    n_samples = len(index.keys)
    row_of_sample = np.full(n_samples, -1, dtype=np.int64)
    row_of_sample[positions[matched]] = np.flatnonzero(matched)
    has_row = row_of_sample >= 0
    blocks = [np.ones((n_samples, 1)), numeric_block(table, choice.numeric, row_of_sample)]
    names_of_columns = [INTERCEPT, *choice.numeric]
    complete = has_row & ~np.isnan(blocks[1]).any(axis=1)
    for name in choice.categorical:
        levels = align_levels(table, name, row_of_sample)
        complete &= np.array([level is not None for level in levels], dtype=np.bool_)
        lines = table.line_numbers[row_of_sample]
        dummies, dummy_names = dummy_block(
            levels, lines, kept, name, str(path), findings, max_levels=max_category_levels
        )
        blocks.append(dummies)
        names_of_columns.extend(dummy_names)
    columns = np.hstack(blocks)
    columns[~complete] = 0.0
    counts = FileCounts(role="covariates", path=str(path), n_rows=len(positions), n_in_genotypes=int(matched.sum()))
    return Design(names=tuple(names_of_columns), columns=columns, has_row=has_row, complete=complete, counts=counts)


def numeric_block(
    table: _native.TraitTable, names: Sequence[str], row_of_sample: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    """Numeric covariates along the samples, NaN where missing or without a row; shape [N, columns]."""
    order = [table.numeric_names.index(name) for name in names]
    block = np.full((row_of_sample.size, len(order)), np.nan)
    present = row_of_sample >= 0
    block[present] = table.numeric[row_of_sample[present]][:, order]
    # -999 is REGENIE's own sign for a missing number (spec section 2.1).
    return np.where(block == -999.0, np.nan, block)


def align_levels(table: _native.TraitTable, name: str, row_of_sample: npt.NDArray[np.int64]) -> list[str | None]:
    """Level of each sample, None where missing or without a row."""
    column = table.categorical[table.categorical_names.index(name)]
    return [column[row] if row >= 0 else None for row in row_of_sample.tolist()]


def dummy_block(
    levels: Sequence[str | None],
    lines: npt.NDArray[np.int64],
    kept: npt.NDArray[np.bool_],
    name: str,
    path: str,
    findings: Findings,
    *,
    max_levels: int,
) -> tuple[npt.NDArray[np.float64], list[str]]:
    """One column of 0 and 1 for each level but the first; levels are ordered by their first kept sample.

    The order of the genotype file is used, not that of the covariate file, so that sorting the latter changes nothing;
    the space that the columns span is the same. ``lines`` [N] is where each sample stands in the file.
    """
    order: dict[str, int] = {}
    places: list[str] = []
    for sample, (level, is_kept) in enumerate(zip(levels, kept.tolist(), strict=True)):
        if is_kept and level is not None and level not in order:
            order[level] = len(order)
            places.append(f"{level} (line {lines[sample]})")
    if len(order) > max_levels:
        shown = sample_index.shorten(places)
        findings.problems.add(
            f"{path}: categorical covariate {name} has {len(order)} levels, more than --maxCatLevels {max_levels}: "
            f"{shown}"
        )
        return np.empty((len(levels), 0)), []
    if len(order) > 1:
        findings.note(f"categorical covariate {name}: {len(order)} levels, compared with {next(iter(order))}")
    elif order:
        findings.note(f"categorical covariate {name} is ignored: its only level is {next(iter(order))}")
    dummies = np.zeros((len(levels), max(len(order) - 1, 0)))
    for sample, level in enumerate(levels):
        code = order.get(level, 0) if level is not None else 0
        if code:
            dummies[sample, code - 1] = 1.0
    return dummies, [f"{name}={level}" for level in list(order)[1:]]
