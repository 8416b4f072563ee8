"""Choosing columns of a table by name.

Belongs here: the rules that phenotype and covariate files share. Does not belong here: what the columns hold.
"""

import pathlib
from collections.abc import Sequence

from g_core.config import options
from g_core.inputs.findings import Findings


def absent_columns(header: Sequence[str], wanted: Sequence[str], option: str, file: pathlib.Path) -> dict[str, str]:
    """Columns that are asked for and not there, each with a message that names the most similar one."""
    present = set(header)
    messages: dict[str, str] = {}
    for name in wanted:
        if name not in present:
            similar = options.nearest(name, header)
            advice = f"; did you mean {similar}?" if similar else f"; columns: {list_columns(header)}"
            messages[name] = f"{file}: no column {name} ({option}){advice}"
    return messages


def find_absent_columns(
    header: Sequence[str], wanted: Sequence[str], option: str, file: pathlib.Path, findings: Findings
) -> None:
    """Note columns that are asked for and not there, as problems."""
    for message in absent_columns(header, wanted, option, file).values():
        findings.problems.add(message)


def list_columns(header: Sequence[str]) -> str:
    """The first columns of a header, for a message."""
    most = 10
    rest = len(header) - most
    return ", ".join(header[:most]) + (f" and {rest} more" if rest > 0 else "")
