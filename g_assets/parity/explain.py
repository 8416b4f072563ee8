"""``python -m g_assets.parity explain CASE VARIANT``: our intermediates of one test, and REGENIE's row beside them.

Belongs here: putting the two side by side. What is explained is ``g explain``'s task; this calls it with the case's own
arguments.
"""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import polars as pl

from g_assets.parity.cases import GoldenCase, ParityUsageError
from g_assets.parity.firth_rows import is_of_all_traits, read_trait_names
from g_assets.parity.judge import TABLE_SUFFIXES
from g_assets.parity.regenie_table import read_table, trait_suffix
from g_assets.parity.run import RunMode, child_environment


@dataclass(frozen=True, slots=True)
class ReferenceRow:
    """REGENIE's line about one variant and trait: column and printed field."""

    trait: str
    fields: tuple[tuple[str, str], ...]


def explain(
    *, case: GoldenCase, golden_folder: Path, variant: str, trait: str | None, timeout_seconds: float
) -> tuple[list[str], int]:
    """Return the lines to print, and the exit code of ``g explain``: the largest of all traits'.

    Args:
        case: Whose arguments to take.
        golden_folder: Folder of cases.json; only read.
        variant: The ID of the variant.
        trait: One trait of the case; None: every trait for which REGENIE printed the variant.
        timeout_seconds: Longest time of one trait.

    Raises:
        ParityUsageError: REGENIE printed no line for the variant and trait, so there is nothing to set beside ours.
    """
    rows = reference_rows(case=case, golden_folder=golden_folder, variant=variant)
    chosen = [row for row in rows if trait in (None, row.trait)]
    if not chosen:
        known = sorted({row.trait for row in rows})
        beside = f"; it has {variant} for {', '.join(known)}" if known else ""
        what = f"variant {variant}" if trait is None else f"variant {variant} and trait {trait}"
        raise ParityUsageError(f"{case.id}: REGENIE printed no line for {what}{beside}")
    lines: list[str] = []
    exit_codes: list[int] = []
    for row in chosen:
        completed = run_explain(
            case=case,
            golden_folder=golden_folder,
            variant=variant,
            trait=row.trait,
            timeout_seconds=timeout_seconds,
        )
        exit_codes.append(completed.returncode)
        lines.extend([*completed.stdout.splitlines(), *completed.stderr.splitlines(), "", *describe_row(case, row), ""])
    return lines, max(exit_codes)


def run_explain(
    *, case: GoldenCase, golden_folder: Path, variant: str, trait: str, timeout_seconds: float
) -> "subprocess.CompletedProcess[str]":
    """Run ``g explain`` with the case's own arguments; what it might write goes to a folder that is removed."""
    with tempfile.TemporaryDirectory(prefix="g-explain-") as folder:
        position = case.argv.index("--out") + 1
        words = [
            *case.argv[:position],
            str(Path(folder) / "out"),
            *case.argv[position + 1 :],
            *RunMode.REGENIE.arguments,
        ]
        asked = ["--variant", variant, "--trait", trait]
        return subprocess.run(
            [sys.executable, "-m", "g_core", "explain", *words, *asked],
            cwd=golden_folder,
            env=dict(child_environment()),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            text=True,
            errors="replace",
            timeout=timeout_seconds,
        )


def reference_rows(*, case: GoldenCase, golden_folder: Path, variant: str) -> list[ReferenceRow]:
    """Return REGENIE's lines about a variant, in the order of the case's files.

    Raises:
        TableError: A file of the golden data cannot be read.
    """
    rows: list[ReferenceRow] = []
    for output in case.outputs:
        name = PurePosixPath(output).name
        if name.endswith(TABLE_SUFFIXES):
            found = read_table(golden_folder / output).frame.filter(pl.col("ID") == variant)
            plain = (golden_folder / output).with_name(name.removesuffix(".gz"))
            traits = (
                read_trait_names(plain.with_name(f"{plain.name}.Ydict"))
                if is_of_all_traits(case.output_prefix.name, name)
                else {}
            )
            stem = plain.name.removesuffix(".regenie").removeprefix(f"{case.output_prefix.name}_")
            rows.extend(
                ReferenceRow(trait, fields_of(tuple(zip(found.columns, row, strict=True)), label))
                for row in found.rows()
                for label, trait in (traits or {"": stem}).items()
            )
    return rows


def fields_of(fields: tuple[tuple[str, str], ...], label: str) -> tuple[tuple[str, str], ...]:
    """The fields of a line that are about all traits or about the one with this label (``Y2``)."""
    return tuple((column, text) for column, text in fields if trait_suffix(column) in ("", f".{label}"))


def describe_row(case: GoldenCase, row: ReferenceRow) -> Sequence[str]:
    """Return REGENIE's line as a heading and one line a column."""
    width = max(len(column) for column, _ in row.fields)
    heading = f"REGENIE printed ({case.id}, trait {row.trait}):"
    return [heading, *(f"  {column:<{width}}  {text}" for column, text in row.fields)]
