"""``g inspect``: a page about a run, finished or not.

Belongs here: flags and printing. Does not belong here: reading a run directory, and what is told (g_core/inspection).
"""

import pathlib
import sys
from collections.abc import Sequence

from g_core.config.arguments import QuietParser
from g_core.errors import UsageError

DESCRIPTION = """\
Prints what a run directory holds: status, inputs, samples and why others were dropped, rows of each trait and the
strongest of them, files. Of a run that is not finished it tells what is committed so far. Changes nothing.
"""


def run(words: Sequence[str]) -> int:
    """Run ``g inspect`` and return its exit code.

    Raises:
        UsageError: The words are wrong.
        InputError: It is no run directory, or a file that its record names cannot be read.
    """
    parser = QuietParser(prog="g inspect", description=DESCRIPTION)
    parser.add_argument("directory", type=pathlib.Path, metavar="OUT.g")
    parser.add_argument(
        "--strongest", type=int, default=5, metavar="N", help="rows of largest LOG10P of each trait; default 5"
    )
    given = parser.parse_args(words)
    if given.strongest < 0:
        raise UsageError(f"--strongest {given.strongest}: allowed: a whole number at least 0")
    from g_core.inspection.report import report_lines  # imports pyarrow, which --help should not wait for
    from g_core.inspection.run_state import read_run_state

    lines = report_lines(read_run_state(given.directory), given.strongest)
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 0
