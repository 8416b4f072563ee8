"""The phenotype file: which columns are traits, and their values along the genotyped samples.

Belongs here: spec section 2.4. Does not belong here: the samples that a trait ends up with (analysis_set.py).
"""

import dataclasses

import numpy as np
import numpy.typing as npt

from g_core import _native, errors
from g_core.config.choices import TraitType
from g_core.config.run_plan import BinaryPlan, InputPlan, TraitPlan
from g_core.inputs import binary_coding, column_choice, sample_index
from g_core.inputs.binary_coding import RawColumn, UnusableTraitError
from g_core.inputs.findings import Findings
from g_core.inputs.join_report import FileCounts
from g_core.inputs.sample_index import SampleIndex

SENTINEL_MISSING = -999.0
SUSPICIOUS_SHARE_OF_MINUS_NINE = 0.01
FEWEST_QUANTITATIVE_VALUES = 3


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class PhenotypeColumns:
    """Traits of a run along all genotyped samples.

    ``values`` [traits, N] is NaN where missing; ``lines`` [N] is the line of each sample in the file, 0 for samples
    that it lacks.
    """

    names: tuple[str, ...]
    values: npt.NDArray[np.float64]
    lines: npt.NDArray[np.int64]
    counts: FileCounts

    @property
    def has_row(self) -> npt.NDArray[np.bool_]:
        """Which genotyped samples the file has, shape [N]."""
        return self.lines > 0


def choose_trait_columns(plan: InputPlan, findings: Findings) -> tuple[str, ...]:
    """Names of the traits, in the order of the file.

    Raises:
        InputError: the file cannot be read, or no trait is left.
    """
    header = _native.read_table_header(str(plan.phenotype_file))
    absent = column_choice.absent_columns(header, plan.phenotype_columns, "--phenoColList", plan.phenotype_file)
    wanted = set(plan.phenotype_columns or header) - set(plan.phenotype_exclude_columns)
    if is_covariate_file_too(plan) and not plan.phenotype_columns:
        raise errors.InputError(
            f"{plan.phenotype_file} is given with both --phenoFile and --covarFile; "
            "name its phenotypes with --phenoColList"
        )
    chosen = tuple(name for name in header if name in wanted)
    for name, message in absent.items():
        # A trait that is not there fails like any other bad trait: alone.
        if chosen:
            findings.fail_trait(name, message)
        else:
            findings.problems.add(message)
    if not chosen and not absent:
        raise errors.InputError(f"{plan.phenotype_file}: no phenotype column is left to analyse")
    return chosen


def is_covariate_file_too(plan: InputPlan) -> bool:
    """True where one file holds phenotypes and covariates."""
    return (
        plan.covariate_file is not None
        and plan.covariate_file.exists()
        and plan.phenotype_file.exists()
        and plan.covariate_file.samefile(plan.phenotype_file)
    )


def read_phenotypes(
    plan: InputPlan, columns: tuple[str, ...], index: SampleIndex, findings: Findings
) -> PhenotypeColumns:
    """Raw values of the traits along the genotyped samples.

    Raises:
        InputError: the file cannot be read, or shares no sample with the genotypes.
    """
    path = plan.phenotype_file
    table = _native.read_trait_table(str(path), numeric=columns, categorical=())
    positions = sample_index.match_rows(index, table, str(path), findings)
    matched = positions >= 0
    order = [table.numeric_names.index(name) for name in columns]
    values = np.full((len(columns), len(index.keys)), np.nan)
    values[:, positions[matched]] = table.numeric[matched][:, order].T
    lines = np.zeros(len(index.keys), dtype=np.int64)
    lines[positions[matched]] = table.line_numbers[matched]
    counts = FileCounts(role="phenotypes", path=str(path), n_rows=len(positions), n_in_genotypes=int(matched.sum()))
    return PhenotypeColumns(names=columns, values=values, lines=lines, counts=counts)


def decode_traits(
    phenotypes: PhenotypeColumns,
    kept: npt.NDArray[np.bool_],
    plan: TraitPlan,
    binary: BinaryPlan,
    findings: Findings,
) -> dict[str, npt.NDArray[np.float64]]:
    """Values of the traits that can be analysed, by name; NaN where missing or not kept; each shape [N].

    A trait that cannot be analysed fails with the reason, and the others go on.
    """
    decoded: dict[str, npt.NDArray[np.float64]] = {}
    for name, raw in zip(phenotypes.names, phenotypes.values, strict=True):
        values = np.where(kept, raw, np.nan)
        sentinels = values == SENTINEL_MISSING
        if sentinels.any():
            findings.note(f"trait {name}: {int(sentinels.sum())} values of -999 are taken as missing")
            values = np.where(sentinels, np.nan, values)
        column = RawColumn(file=phenotypes.counts.path, trait=name, values=values, lines=phenotypes.lines)
        try:
            decoded[name] = decode_trait(column, plan, binary, findings)
        except UnusableTraitError as reason:
            findings.fail_trait(name, str(reason))
    return decoded


def decode_trait(column: RawColumn, plan: TraitPlan, binary: BinaryPlan, findings: Findings) -> npt.NDArray[np.float64]:
    """Values of one trait, NaN where missing, shape [N].

    Raises:
        UnusableTraitError: the column cannot be a trait of this type.
    """
    if np.isnan(column.values).all():
        raise UnusableTraitError(f"{column.file} has no value for any kept sample with genotypes")
    if plan.type is TraitType.QUANTITATIVE:
        check_quantitative(column, findings, force=plan.force_quantitative)
        return column.values
    cases = binary_coding.decode_cases(column, findings, one_two_coding=binary.one_two_coding)
    check_cases_and_controls(cases, column.file, binary.min_case_count)
    return cases


def check_quantitative(column: RawColumn, findings: Findings, *, force: bool) -> None:
    """Refuse a column that is constant or two-valued, and note values that look like a missing code.

    Raises:
        UnusableTraitError: naming the values and their first lines.
    """
    observed = column.few_observed(FEWEST_QUANTITATIVE_VALUES)
    if len(observed) == 1:
        raise UnusableTraitError(
            f"{column.file} has only the value {column.first(observed)}; a constant cannot be tested"
        )
    if len(observed) < FEWEST_QUANTITATIVE_VALUES and not force:
        shown = " and ".join(column.first(frozenset({value})) for value in sorted(observed))
        raise UnusableTraitError(
            f"{column.file} has only the values {shown}; use --bt for a binary trait, or --force-qt"
        )
    minus_nine = np.count_nonzero(column.values == binary_coding.PLINK_MISSING)
    if minus_nine > SUSPICIOUS_SHARE_OF_MINUS_NINE * np.count_nonzero(~np.isnan(column.values)):
        findings.note(
            f"trait {column.trait}: {minus_nine} values are -9 and are used as values; write NA if they are missing"
        )


def check_cases_and_controls(cases: npt.NDArray[np.float64], file: str, min_case_count: int) -> None:
    """Refuse a trait for want of cases or controls.

    Raises:
        UnusableTraitError: with the counts.
    """
    n_cases, n_controls = int(np.count_nonzero(cases == 1.0)), int(np.count_nonzero(cases == 0.0))
    if n_controls == 0:
        raise UnusableTraitError(f"{file} has {n_cases} cases and no controls")
    if n_cases < min_case_count:
        raise UnusableTraitError(f"{n_cases} cases, fewer than --minCaseCount {min_case_count}")
