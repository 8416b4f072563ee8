"""Small result tables for the tests of the parity tool."""

from pathlib import Path

from g_assets.parity.regenie_table import RegenieTable, read_table

HEADER = "CHROM GENPOS ID ALLELE0 ALLELE1 A1FREQ INFO N TEST BETA SE CHISQ LOG10P EXTRA"
ROWS = (
    "1 100 rs1 G A 0.25 0.9 500 ADD 0.5 0.1 25 6.24106 NA",
    "1 200 rs2 C T 0.001 1 500 ADD -0.02 0.4 0.0025 0.0176907 NA",
    "22 300 rs3 T C 0.5 0.75 499 ADD NA NA NA NA TEST_FAIL",
)


def write_table(path: Path, rows: tuple[str, ...] = ROWS, header: str = HEADER) -> RegenieTable:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in (header, *rows)))
    return read_table(path)


def with_field(row: int, column: str, value: str) -> tuple[str, ...]:
    fields = ROWS[row].split(" ")
    fields[HEADER.split(" ").index(column)] = value
    return (*ROWS[:row], " ".join(fields), *ROWS[row + 1 :])


def keys_of(row: str) -> tuple[int, int, str, str, str]:
    """Chromosome, position, ID and alleles of a row."""
    chromosome, position, identifier, other, effect = row.split(" ")[:5]
    return int(chromosome), int(position), identifier, other, effect
