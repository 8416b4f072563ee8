"""Puts the text of a run together from the segments of its parts.

Belongs here: joining, compressing and the final name. Does not belong here: lines (rust/output).

A text is written part by part, so that a run can go on after the last one. Every segment has the header; the whole has
it once. It is compressed as a whole, so that its bytes do not depend on how it was cut.
"""

import gzip
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, cast

from g_core.errors import OutputError

GZIP_LEVEL = 6


def join_segments(segments: Sequence[Path], staged: Path, final: Path, *, compress: bool) -> None:
    """Write the segments into one file under a temporary name, wait for the disk, rename.

    Args:
        segments: At least one, in order; each begins with the same header line.
        staged: Temporary name.
        final: Final name, on the same file system.
        compress: With gzip; the header of the file carries no name and no time.

    Raises:
        OutputError: The file system refused.
    """
    try:
        with staged.open("wb") as plain:
            if compress:
                with gzip.GzipFile(filename="", fileobj=plain, mode="wb", compresslevel=GZIP_LEVEL, mtime=0) as packed:
                    copy_segments(segments, cast("BinaryIO", packed))
            else:
                copy_segments(segments, plain)
            plain.flush()
            os.fsync(plain.fileno())
        staged.replace(final)
    except OSError as error:
        raise OutputError(f"{final}: cannot write: {error.strerror}") from None


def copy_segments(segments: Sequence[Path], target: BinaryIO) -> None:
    """Copy the first segment whole and the others without their header."""
    for number, segment in enumerate(segments):
        with segment.open("rb") as source:
            if number:
                source.readline()
            shutil.copyfileobj(source, target, 1 << 20)
