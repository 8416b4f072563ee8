"""One sorted Parquet file from the committed parts of a trait, for ``--finalize``.

Belongs here: what such a file says of itself. Does not belong here: reading, sorting and encoding (rust/output), which
parts a trait has, or where the file goes (engine).
"""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from g_core import _native
from g_core.config.choices import Compression
from g_core.results.schema import RESULT_SCHEMA, SCHEMA_VERSION

LEAST_ROW_GROUP_ROWS = 131_072
"""A reader skips whole row groups, and spends more on many small ones."""


def finalise_trait(
    parts: Sequence[Path], target: Path, *, staged: Path, trait: str, compression: Compression, threads: int
) -> _native.CommittedPart:
    """Write all rows of a trait into one file, sorted by chromosome code and position.

    The bytes depend on the rows, the trait's name and the compression alone: not on how rows were cut into parts, nor
    on threads. So the footer holds no plan fingerprint, which another --chunks-per-part would change.

    Args:
        parts: Committed parts in the order of their variants; none makes a file without rows.
        target: Final name. It replaces a file of that name at once.
        staged: Name while it is written, on the same file system.
        trait: Name of the trait, for the footer.
        compression: Of pages.
        threads: That decode parts and encode columns.

    Raises:
        InputError: A part cannot be read, or has other columns; the message names it.
        OutputError: The file cannot be written. Nothing half-written has the final name.
    """
    return _native.merge_parts(
        parts=[str(part) for part in parts],
        temporary_path=str(staged),
        final_path=str(target),
        empty_batch=pa.RecordBatch.from_pylist([], schema=RESULT_SCHEMA),
        metadata={"g.schema_version": str(SCHEMA_VERSION), "g.trait": trait},
        compression=str(compression),
        row_group_rows=LEAST_ROW_GROUP_ROWS,
        threads=threads,
    )
