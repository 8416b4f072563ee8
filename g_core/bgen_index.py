"""A ``.bgi`` index beside a BGEN file: is it of this file?

Belongs here: that question. Does not belong here: reading variants through an index, which nothing here does: a BGEN is
indexed while it is opened, in well under a second, and an index of another file gives wrong variants without a word.
"""

import pathlib
import sqlite3

from g_core._native import BgenReader

FIRST_BYTES = 1000


def index_beside(path: pathlib.Path) -> pathlib.Path | None:
    """The index that other programs would take, or None where there is none."""
    index = path.with_name(f"{path.name}.bgi")
    return index if index.is_file() else None


def describe_index(index: pathlib.Path, reader: BgenReader) -> str:
    """One line about an index: that it fits its file, or the first thing that does not."""
    mismatch = find_index_mismatch(index, reader)
    if mismatch is None:
        return f"{index}: fits {reader.path}; it is not needed, and not used"
    return f"{index}: does not fit {reader.path} ({mismatch}); it is not used. Remove it, or make it again"


def find_index_mismatch(index: pathlib.Path, reader: BgenReader) -> str | None:
    """The first thing that shows that an index is not of a file, or None.

    Args:
        index: The ``.bgi``, an SQLite database (spec section 7); opened for reading only, without a lock.
        reader: The open BGEN file.
    """
    try:
        # The path becomes a URI, so its own question marks and percent signs are quoted by as_uri.
        connection = sqlite3.connect(f"{index.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
        try:
            return find_mismatch(connection, reader)
        finally:
            connection.close()
    except sqlite3.Error as error:
        return f"it is no readable index: {error}"


def find_mismatch(connection: sqlite3.Connection, reader: BgenReader) -> str | None:
    """What an index says that its file does not, or None.

    Raises:
        sqlite3.Error: The database is damaged, or no BGEN index.
    """
    has_metadata = connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'Metadata'").fetchone()[0]
    if has_metadata:
        row = connection.execute("SELECT file_size, first_1000_bytes FROM Metadata").fetchone()
        if row is not None:
            size, beginning = row
            if size != reader.file_bytes:
                return f"it is of a file of {size} bytes, this one has {reader.file_bytes}"
            with pathlib.Path(reader.path).open("rb") as file:
                if beginning != file.read(FIRST_BYTES):
                    return "it is of a file that begins differently"
    count, end = connection.execute("SELECT count(*), max(file_start_position + size_in_bytes) FROM Variant").fetchone()
    if count != reader.n_variants:
        return f"it has {count} variants, the file {reader.n_variants}"
    if count and end != reader.file_bytes - reader.trailing_bytes:
        return f"its last variant ends at byte {end}, the file's at {reader.file_bytes - reader.trailing_bytes}"
    return None
