"""Column lists: ``Y{1:5}`` stands for Y1 to Y5.

Belongs here: that expansion. Does not belong here: whether a file has the columns.
"""

import re
from collections.abc import Iterable

RANGE = re.compile(r"\{(\d+):(\d+)\}")


def expand_columns(names: Iterable[str]) -> tuple[str, ...]:
    """Names with every ``{first:last}`` written out, each name once, in order.

    Raises:
        ValueError: braces that are no range, or a range that runs backwards.
    """
    expanded: dict[str, None] = {}
    for name in names:
        for column in expand_name(name):
            expanded[column] = None
    return tuple(expanded)


def expand_name(name: str) -> tuple[str, ...]:
    """One name; several ranges in it multiply."""
    found = RANGE.search(name)
    if found is None:
        if "{" in name or "}" in name:
            raise ValueError(f"{name}: braces must hold a range such as Y{{1:5}}")
        return (name,)
    first, last = int(found.group(1)), int(found.group(2))
    if first > last:
        raise ValueError(f"{name}: the range runs backwards")
    before, after = name[: found.start()], name[found.end() :]
    return tuple(column for number in range(first, last + 1) for column in expand_name(f"{before}{number}{after}"))
