"""Where a refusal of REGENIE's is a success here: the numbered differences of docs/parity.md that say so.

Belongs here: one small rule a difference. Each looks at the arguments, the inputs and REGENIE's sentence, never at the
id of a case, and says why the difference applies. Does not belong here: differences in numbers.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from g_assets.parity.cases import GoldenCase
from g_assets.parity.input_tables import BYTE_ORDER_MARK, CaseInputs, InputTable, analysed_columns

MISSING_TEXTS = frozenset({"", ".", "NA", "NaN", "nan", "inf", "-999", "-9"})
NUMBER_REFUSED = re.compile(r"could not convert value to double: '(?P<cell>[^']*)'")


@dataclass(frozen=True, slots=True)
class Difference:
    """A numbered difference that applies to a case, and why."""

    number: int
    reason: str


Rule = Callable[[GoldenCase, CaseInputs, Path], Difference | None]


def find_difference(case: GoldenCase, inputs: CaseInputs, golden_folder: Path) -> Difference | None:
    """Return the first difference that turns REGENIE's refusal of a case into a success, or None."""
    found = (rule(case, inputs, golden_folder) for rule in RULES)
    return next((difference for difference in found if difference is not None), None)


def block_size_left_out(case: GoldenCase, _inputs: CaseInputs, _folder: Path) -> Difference | None:
    """REGENIE insists on --bsize."""
    if case.has("--bsize") or "--bsize" not in (case.error or ""):
        return None
    return Difference(2, "--bsize may be left out")


def list_folder_tried(case: GoldenCase, inputs: CaseInputs, golden_folder: Path) -> Difference | None:
    """A path of the prediction list that holds from the list's own folder, and not from the working directory."""
    if inputs.predictions is None:
        return None
    list_folder = golden_folder / PurePosixPath(case.values("--pred")[0]).parent
    paths = [line[1] for line in inputs.predictions if len(line) > 1]
    moved = [path for path in paths if not (golden_folder / path).exists() and (list_folder / path).exists()]
    return Difference(3, f"{moved[0]} is found beside the prediction list") if moved else None


def one_two_coding(case: GoldenCase, inputs: CaseInputs, _folder: Path) -> Difference | None:
    """Binary traits of only 1 and 2, or with -9 for missing, are read."""
    if case.trait_type != "bt" or inputs.phenotypes is None or "0/1/NA" not in (case.error or ""):
        return None
    for name in analysed_columns(case, inputs):
        values = inputs.phenotypes.cells(name) - MISSING_TEXTS
        if not (is_coding(values, (0.0, 1.0)) or is_coding(values, (1.0, 2.0))):
            return None
    return Difference(9, "1 and 2 are read as controls and cases, and -9 as missing")


def is_coding(values: frozenset[str], allowed: tuple[float, float]) -> bool:
    """Whether all texts are numbers of a coding."""
    try:
        return {float(value) for value in values} <= set(allowed)
    except ValueError:
        return False


def missing_in_other_words(case: GoldenCase, _inputs: CaseInputs, _folder: Path) -> Difference | None:
    """A cell that means missing here and is no number to REGENIE."""
    match = NUMBER_REFUSED.search(case.error or "")
    if match is None or match["cell"].rstrip("\r") not in MISSING_TEXTS:
        return None
    return Difference(10, f"the cell {match['cell']!r} is missing")


def line_ends_and_headers(_case: GoldenCase, inputs: CaseInputs, _folder: Path) -> Difference | None:
    """Tables of another system: a carriage return ends each line, a byte order mark or # stands before FID."""
    for table in (inputs.phenotypes, inputs.covariates):
        what = None if table is None else foreign_trait(table)
        if what is not None:
            return Difference(16, what)
    return None


def foreign_trait(table: InputTable) -> str | None:
    """What marks a table that was written elsewhere, in words; None where nothing does."""
    if table.text.startswith(BYTE_ORDER_MARK):
        return "a byte order mark is passed over"
    if table.header[:1] == ("#FID",):
        return "#FID is read as FID"
    if "\r\n" in table.text:
        return "a carriage return at the end of a line is passed over"
    return None


def loco_rows_in_any_order(_case: GoldenCase, inputs: CaseInputs, golden_folder: Path) -> Difference | None:
    """A LOCO file whose rows are not those of chromosomes 1, 2, 3 and so on; here a row is found by its first field."""
    for written in [line[1] for line in inputs.predictions or () if len(line) > 1]:
        path = golden_folder / written
        if not path.is_file() or path.suffix == ".gz":
            continue
        labels = [row.split(maxsplit=1)[0] for row in path.read_text(errors="replace").splitlines()[1:] if row.strip()]
        if labels != [str(number) for number in range(1, len(labels) + 1)]:
            return Difference(20, f"{written} has its rows in another order, and they are found by chromosome")
    return None


def phased_genotypes(case: GoldenCase, _inputs: CaseInputs, _folder: Path) -> Difference | None:
    """Phased probabilities have a dosage: the sum of the haplotypes."""
    return Difference(21, "phased genotypes are read") if "phas" in (case.error or "").lower() else None


RULES: tuple[Rule, ...] = (
    block_size_left_out,
    list_folder_tried,
    one_two_coding,
    missing_in_other_words,
    line_ends_and_headers,
    loco_rows_in_any_order,
    phased_genotypes,
)
