"""Compares the rows of one trait from two devices.

Belongs here: which columns must be equal, how far the others may be apart, and what is said of the difference. Does not
belong here: running the engine.
"""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

EQUAL_COLUMNS = (
    *("CHROM", "CHROM_CODE", "GENPOS", "ID", "ALLELE0", "ALLELE1"),
    *("A1FREQ", "A1FREQ_CASES", "A1FREQ_CONTROLS", "INFO", "N", "N_CASES", "N_CONTROLS"),
    *("TEST", "CORRECTION", "STATUS", "REASON"),
)
"""Made on the host, or decisions: these do not hang on the order of a sum."""


@dataclass(frozen=True, slots=True)
class Tolerances:
    """Largest differences between two devices.

    Attributes:
        effect_standard_errors: of BETA, in units of SE.
        standard_error_relative: of SE.
        statistic_relative: of CHISQ and LOG10P, or of 1 where they are below it.
        corrected_effect_standard_errors: as the first, of corrected rows. A correction stops by REGENIE's own rule,
            far from the last bit, so that a last bit may decide about one more step.
        corrected_relative: as the other two, of corrected rows.
    """

    effect_standard_errors: float
    standard_error_relative: float
    statistic_relative: float
    corrected_effect_standard_errors: float
    corrected_relative: float


# A float32 product of centred dosages is right to 1e-7 SE and more samples add little; TF32 would be at 1e-3.
TOLERANCES = Tolerances(
    effect_standard_errors=2e-6,
    standard_error_relative=2e-6,
    statistic_relative=1e-5,
    corrected_effect_standard_errors=2.5e-4,
    corrected_relative=2.5e-3,
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two tables differ in.

    Attributes:
        worst: largest difference of each column as a share of its tolerance.
        problems: what is wrong, in words; empty where the tables agree.
    """

    worst: dict[str, float]
    problems: tuple[str, ...]


def compare_tables(first: pa.Table, second: pa.Table, tolerances: Tolerances) -> Comparison:
    """Compare two result tables of one trait, row by row."""
    if first.num_rows != second.num_rows:
        return Comparison({}, (f"{first.num_rows} rows and {second.num_rows}",))
    problems = [
        f"{name} differs in {count} rows, first in row {row}"
        for name in EQUAL_COLUMNS
        if name in first.column_names
        for count, row in [unequal_rows(first[name].to_pylist(), second[name].to_pylist())]
        if count
    ]
    worst: dict[str, float] = {}
    corrected = np.array(first["CORRECTION"].to_pylist(), dtype=object) != "none"
    for name, allowed in allowed_differences(first, corrected, tolerances).items():
        left, right = numbers(first, name), numbers(second, name)
        if not np.array_equal(np.isnan(left), np.isnan(right)):
            problems.append(f"{name} is null in other rows")
            continue
        shares = np.nan_to_num(np.abs(left - right) / allowed)
        worst[name] = float(shares.max(initial=0.0))
        if worst[name] > 1.0:
            row = int(shares.argmax())
            problems.append(
                f"{name} differs too much in {int((shares > 1.0).sum())} rows, worst in row {row}: "
                f"{left[row]!r} and {right[row]!r}, allowed {allowed[row]:.3g}"
            )
    return Comparison(worst, tuple(problems))


def unequal_rows(left: list[object], right: list[object]) -> tuple[int, int]:
    """How many entries differ, and the first of them; NaN equals NaN."""
    rows = [
        row
        for row, (one, other) in enumerate(zip(left, right, strict=True))
        if one != other and not (one != one and other != other)  # noqa: PLR0124
    ]
    return len(rows), rows[0] if rows else -1


def allowed_differences(
    table: pa.Table, corrected: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], tolerances: Tolerances
) -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float64]]]:
    """The largest difference of each row, by column."""
    effect = np.where(corrected, tolerances.corrected_effect_standard_errors, tolerances.effect_standard_errors)
    error = np.where(corrected, tolerances.corrected_relative, tolerances.standard_error_relative)
    statistic = np.where(corrected, tolerances.corrected_relative, tolerances.statistic_relative)
    standard_error = numbers(table, "SE")
    return {
        "BETA": effect * standard_error,
        "SE": error * standard_error,
        "CHISQ": statistic * np.maximum(numbers(table, "CHISQ"), 1.0),
        "LOG10P": statistic * np.maximum(numbers(table, "LOG10P"), 1.0),
    }


def numbers(table: pa.Table, name: str) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """A column as float64, NaN where it is null."""
    return table[name].to_numpy(zero_copy_only=False).astype(np.float64)
