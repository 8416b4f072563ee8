"""What is odd about the genotype file as a whole, though it can be read.

Belongs here: lines for the join report. Does not belong here: faults, which the reader itself refuses (rust/bgen).
"""

import pathlib

from g_core import _native, bgen_index
from g_core.inputs.findings import Findings


def note_genotype_file(reader: _native.BgenReader, findings: Findings) -> None:
    """Note bytes after the last variant, and an index beside the file that is of another one."""
    if reader.trailing_bytes:
        findings.note(
            f"{reader.path}: {reader.trailing_bytes} bytes follow the last of {reader.n_variants} variants and are not "
            "read; g bgen check tells where"
        )
    index = bgen_index.index_beside(pathlib.Path(reader.path))
    if index is not None:
        mismatch = bgen_index.find_index_mismatch(index, reader)
        if mismatch is not None:
            findings.note(f"{index}: does not fit {reader.path} ({mismatch}); it is not used")
