"""``g schema``: print the columns of the results.

Belongs here: printing. Does not belong here: the columns (g_core/results/schema.py).
"""

import sys
from collections.abc import Sequence

from g_core.config.arguments import QuietParser


def run(words: Sequence[str]) -> int:
    """Run ``g schema`` and return its exit code.

    Raises:
        UsageError: There are words that it does not take.
    """
    QuietParser(prog="g schema", description="Print the columns of the results.").parse_args(words)
    from g_core.results.schema import schema_lines  # imports pyarrow, which --help should not wait for

    sys.stdout.write("".join(f"{line}\n" for line in schema_lines()))
    return 0
