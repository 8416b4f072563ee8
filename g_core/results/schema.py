"""The result columns, once: names, types, units and meanings, and the closed choices they hold.

Belongs here: what a result row is. Does not belong here: how rows are computed (engine) or written (rust/output).
"""

from dataclasses import dataclass
from enum import StrEnum

import pyarrow as pa

SCHEMA_VERSION = 1


class GeneticModel(StrEnum):
    """Genetic model that a row tests."""

    ADDITIVE = "ADD"
    DOMINANT = "DOM"
    RECESSIVE = "REC"


class Correction(StrEnum):
    """What replaced the score test's numbers in a row."""

    NONE = "none"
    FIRTH_APPROXIMATE = "firth_approximate"
    FIRTH_EXACT = "firth_exact"
    SADDLEPOINT = "spa"


class Status(StrEnum):
    """Whether a row holds a test."""

    OK = "ok"
    FAILED = "failed"


class Reason(StrEnum):
    """Why a row holds no test."""

    FIRTH_NOT_CONVERGED = "firth_not_converged"
    SADDLEPOINT_FAILED = "spa_failed"
    NO_VARIANCE = "no_variance"
    IN_COVARIATE_SPAN = "in_covariate_span"
    NULL_MODEL_FAILED = "null_model_failed"
    ALL_MISSING = "all_missing"


DICTIONARY = pa.dictionary(pa.int8(), pa.string())
LABEL_DICTIONARY = pa.dictionary(pa.int32(), pa.string())


@dataclass(frozen=True, slots=True)
class Column:
    """One result column."""

    name: str
    type: pa.DataType
    null: str
    meaning: str

    @property
    def field(self) -> pa.Field:
        """The Arrow field; a column whose ``null`` is ``never`` is not nullable."""
        return pa.field(self.name, self.type, nullable=self.null != "never")


COLUMNS: tuple[Column, ...] = (
    Column("CHROM", LABEL_DICTIONARY, "never", "chromosome label as in the input (X, chr22, 01)"),
    Column("CHROM_CODE", pa.int8(), "never", "1..22; X, XY, Y, PAR1 and PAR2 are 23"),
    Column("GENPOS", pa.uint32(), "never", "position in base pairs"),
    Column("ID", pa.string(), "never", "variant identifier (the BGEN rsid)"),
    Column("ALLELE0", pa.string(), "never", "the other allele"),
    Column("ALLELE1", pa.string(), "never", "the effect allele: the first BGEN allele, the second with --ref-first"),
    Column("A1FREQ", pa.float64(), "N = 0", "frequency of ALLELE1 over the trait's samples with a genotype"),
    Column("A1FREQ_CASES", pa.float64(), "quantitative trait, or no case with a genotype", "the same over cases"),
    Column("A1FREQ_CONTROLS", pa.float64(), "quantitative trait, or no control with a genotype", "the same, controls"),
    Column("INFO", pa.float64(), "N = 0", "IMPUTE information; not clamped, so it can be negative"),
    Column("N", pa.int32(), "never", "samples of the trait with a genotype"),
    Column("N_CASES", pa.int32(), "quantitative trait", "cases with a genotype"),
    Column("N_CONTROLS", pa.int32(), "quantitative trait", "controls with a genotype"),
    Column("TEST", DICTIONARY, "never", "ADD, DOM or REC"),
    Column("BETA", pa.float64(), "STATUS is failed", "effect of one ALLELE1 copy, on the trait's scale or as log odds"),
    Column("SE", pa.float64(), "STATUS is failed", "standard error of BETA"),
    Column("CHISQ", pa.float64(), "STATUS is failed", "test statistic, chi-square with one degree of freedom"),
    Column("LOG10P", pa.float64(), "STATUS is failed", "minus log10 of the p-value: larger is stronger"),
    Column("CORRECTION", DICTIONARY, "never", "none, firth_approximate, firth_exact or spa"),
    Column("STATUS", DICTIONARY, "never", "ok or failed"),
    Column("REASON", DICTIONARY, "STATUS is ok", "why there is no test: " + ", ".join(Reason)),
)

RESULT_SCHEMA = pa.schema([column.field for column in COLUMNS])

# The score test's own numbers, which REGENIE prints on a TEST_FAIL line. Only the text writer sees them.
TEXT_BETA = "TEXT_BETA"
TEXT_SE = "TEXT_SE"


def schema_lines() -> list[str]:
    """The table that ``g schema`` prints, one line a column."""
    width = max(len(column.name) for column in COLUMNS)
    lines = [f"result schema version {SCHEMA_VERSION}"]
    for column in COLUMNS:
        kind = "dictionary text" if pa.types.is_dictionary(column.type) else str(column.type)
        lines.append(f"{column.name:<{width}}  {kind:<15}  null: {column.null:<48}  {column.meaning}")
    return lines
