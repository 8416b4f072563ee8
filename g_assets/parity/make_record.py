"""Making the record of a parity run of its results.

Belongs here: results to record. Does not belong here: the models (record.py).
"""

import math
from collections.abc import Sequence
from pathlib import Path

from g_assets.parity.compare import ColumnError, FileComparison
from g_assets.parity.judge import CaseResult
from g_assets.parity.record import CaseRecord, ColumnRecord, FileRecord, ParityRecord


def make_record(
    *, golden_folder: Path, reference: str, wall_seconds: float, results: Sequence[CaseResult]
) -> ParityRecord:
    """Make the record of a run."""
    return ParityRecord(
        golden_folder=str(golden_folder),
        reference=reference,
        wall_seconds=wall_seconds,
        cases=tuple(case_record(result) for result in results),
    )


def case_record(result: CaseResult) -> CaseRecord:
    """One case's result as a record."""
    return CaseRecord(
        id=result.id,
        trait_type=result.trait_type,
        passed=result.passed,
        wall_seconds=result.wall_seconds,
        modes=tuple(mode.value for mode in result.modes),
        difference=None if result.difference is None else result.difference.number,
        files=tuple(file_record(file) for file in result.files),
        problems=result.problems,
    )


def file_record(file: FileComparison) -> FileRecord:
    """One file's comparison as a record."""
    return FileRecord(
        name=file.name,
        n_rows=file.n_rows,
        n_firth_rows=file.n_firth_rows,
        columns=tuple(column_record(column) for column in file.columns),
        problems=file.problems,
    )


def column_record(column: ColumnError) -> ColumnRecord:
    """One column's error as a record."""
    share = column.largest_share_of_bound
    return ColumnRecord(
        column=column.column,
        largest_relative_error=column.largest_relative_error,
        largest_share_of_tolerance=share if math.isfinite(share) else None,
        n_out_of_tolerance=column.n_out_of_bounds,
        worst_variant=None if column.worst is None else column.worst.variant,
        worst_ours=None if column.worst is None else column.worst.ours,
        worst_theirs=None if column.worst is None else column.worst.theirs,
    )
