"""Whether two runs of one case left the same results, to the byte.

Belongs here: the comparison of two runs of ours, where nothing may differ: every text beside the run directory, and
every column of every Parquet part. Does not belong here: the comparison with REGENIE (compare.py).
"""

import gzip
from pathlib import Path

import polars as pl

from g_assets.parity.run import CaseRun


def find_differences(*, first: CaseRun, second: CaseRun) -> tuple[str, ...]:
    """Return what differs between the results of two runs; empty where nothing does."""
    return (*differing_texts(first, second), *differing_parts(first, second))


def text_files(run: CaseRun) -> dict[str, Path]:
    """The result texts of a run by their names with the prefix taken off."""
    return {
        path.name.removeprefix(run.prefix.name): path
        for path in run.prefix.parent.glob(f"{run.prefix.name}*")
        if path.is_file()
    }


def text_bytes(path: Path, run: CaseRun) -> bytes:
    """The contents of a text. Compressed ones are read through; a list of files names the run's own prefix."""
    contents = path.read_bytes()
    if path.suffix == ".gz":
        return gzip.decompress(contents)
    return contents.replace(str(run.prefix).encode(), b"PREFIX") if path.suffix == ".list" else contents


def differing_texts(first: CaseRun, second: CaseRun) -> list[str]:
    """Compare every text byte for byte."""
    ours, others = text_files(first), text_files(second)
    problems = [f"only one of the runs wrote PREFIX{name}" for name in sorted(ours.keys() ^ others.keys())]
    problems.extend(
        f"PREFIX{name} differs"
        for name in sorted(ours.keys() & others.keys())
        if text_bytes(ours[name], first) != text_bytes(others[name], second)
    )
    return problems


def differing_parts(first: CaseRun, second: CaseRun) -> list[str]:
    """Compare every column of every Parquet part."""
    ours, others = part_files(first), part_files(second)
    problems = [f"only one of the runs wrote {name}" for name in sorted(ours.keys() ^ others.keys())]
    for name in sorted(ours.keys() & others.keys()):
        one, other = (pl.read_parquet(parts[name], glob=False) for parts in (ours, others))
        if one.columns != other.columns or one.height != other.height:
            problems.append(f"{name} has other columns or rows")
            continue
        unequal = [column for column in one.columns if not one.get_column(column).equals(other.get_column(column))]
        problems.extend(f"column {column} of {name} differs" for column in unequal)
    return problems


def part_files(run: CaseRun) -> dict[str, Path]:
    """The Parquet parts of a run by their paths in the run directory."""
    return {str(path.relative_to(run.run_directory)): path for path in run.run_directory.glob("*/part-*.parquet")}
