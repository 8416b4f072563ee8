"""Which rows of our text files a Firth fit gave.

Belongs here: reading that from the CORRECTION column of the same run's Parquet parts, because no text says it. Does not
belong here: what it changes (tolerances.py).

Parquet has rows besides that the text leaves out, as REGENIE does: those without a test that was tried. Rows of a
failed fit carry the score test's numbers in the text and are not Firth rows.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from g_assets.parity.regenie_table import RegenieTable, TableError
from g_assets.parity.run import CaseRun
from g_assets.parity.run_manifest import FinishedRun, read_finished_run

FLAG = "is_firth"
OCCURRENCE = "occurrence"
TEXT_KEY = ("CHROM", "GENPOS", "ID", "ALLELE0", "ALLELE1")
PARQUET_KEY = ("CHROM_CODE", "GENPOS", "ID", "ALLELE0", "ALLELE1")


def find_firth_rows(*, run: CaseRun, text_name: str, table: RegenieTable) -> Mapping[str, npt.NDArray[np.bool_]]:
    """Return our Firth rows of a text file by column suffix (``regenie_table.trait_suffix``); each [rows].

    Args:
        run: The run that wrote the file.
        text_name: Name of the file.
        table: Its contents.

    Raises:
        TableError: The manifest or the parts are absent, or do not have the rows of the text.
    """
    manifest = read_finished_run(run)
    plain_name = text_name.removesuffix(".gz")
    if is_of_all_traits(run.prefix.name, text_name):
        traits = read_trait_names(run.prefix.with_name(f"{plain_name}.Ydict"))
        return {
            f".{label}": match_rows(table, read_part_rows(run, manifest, trait), folder=trait)
            for label, trait in traits.items()
        }
    entry = manifest.trait_of_text(text_name)
    if entry is None:
        raise TableError(f"{run.run_directory}: the manifest names no trait whose text is {text_name}")
    trait = entry.name
    rows = with_a_test(read_part_rows(run, manifest, trait))
    if rows.height != table.frame.height:
        raise TableError(
            f"{run.run_directory}: trait {trait} has {rows.height} rows with a test and {text_name} has "
            f"{table.frame.height}"
        )
    return {"": rows.get_column(FLAG).to_numpy()}


def is_of_all_traits(prefix_name: str, text_name: str) -> bool:
    """Whether a text holds all traits (``--no-split``): its name is the prefix without a trait."""
    return text_name.removesuffix(".gz") == f"{prefix_name}.regenie"


def read_trait_names(path: Path) -> dict[str, str]:
    """Read which trait each ``Yk`` of a file of several traits is.

    Raises:
        TableError: The file is absent or a line has not two fields.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise TableError(f"{path}: {error.strerror}") from error
    pairs = [line.split(" ", maxsplit=1) for line in lines]
    if any(len(pair) < len(("Yk", "name")) for pair in pairs):
        raise TableError(f"{path}: a line does not name a trait")
    return {pair[0]: pair[1] for pair in pairs}


def read_part_rows(run: CaseRun, manifest: FinishedRun, trait: str) -> pl.DataFrame:
    """Read key, STATUS, CORRECTION and the Firth flag of a trait's rows, in their order.

    Raises:
        TableError: The parts are absent or no Parquet.
    """
    record = manifest.trait(trait)
    if record is None or not record.parts:
        raise TableError(f"{run.run_directory} holds no Parquet parts of trait {trait}, so its corrections are unknown")
    columns = [*PARQUET_KEY, "STATUS", "CORRECTION"]
    try:
        parts = pl.concat(
            [pl.read_parquet(run.run_directory / part.path, columns=columns, glob=False) for part in record.parts]
        )
    except (OSError, pl.exceptions.PolarsError) as error:
        raise TableError(f"{run.run_directory}, trait {trait}: {str(error).splitlines()[0]}") from error
    text = parts.select(pl.all().cast(pl.String))
    return text.with_columns(((pl.col("STATUS") == "ok") & pl.col("CORRECTION").str.starts_with("firth")).alias(FLAG))


def with_a_test(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows that the text has: those with a test, and those where a correction failed."""
    return rows.filter((pl.col("STATUS") == "ok") | (pl.col("CORRECTION") != "none"))


def match_rows(table: RegenieTable, rows: pl.DataFrame, *, folder: str) -> npt.NDArray[np.bool_]:
    """Return the Firth flag of each row of a file of several traits, by variant; [rows].

    A trait may lack variants that the file has, and the n-th of equal variants is matched with the n-th.

    Raises:
        TableError: The trait has a test of a variant that the file lacks.
    """
    keys = [*TEXT_KEY, OCCURRENCE]
    ours = rows.rename(dict(zip(PARQUET_KEY, TEXT_KEY, strict=True)))
    ours = ours.with_columns(pl.int_range(pl.len()).over(TEXT_KEY).alias(OCCURRENCE))
    theirs = table.frame.select(TEXT_KEY).with_columns(pl.int_range(pl.len()).over(TEXT_KEY).alias(OCCURRENCE))
    unmatched = with_a_test(ours).join(theirs, on=keys, how="anti")
    if unmatched.height:
        raise TableError(f"trait {folder} has {unmatched.height} tests of variants that the text lacks")
    joined = theirs.join(ours.select(*keys, FLAG), on=keys, how="left", maintain_order="left")
    return joined.get_column(FLAG).fill_null(value=False).to_numpy()
