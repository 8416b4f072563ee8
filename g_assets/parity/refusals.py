"""Whether a run was refused as it should be.

Belongs here: the exit code and the message of a refusal. What the message must name is derived in causes.py; where a
refusal of REGENIE's may be a success here, that is in differences.py.
"""

import math
import re
from collections.abc import Sequence

from g_assets.parity.causes import Cause
from g_assets.parity.run import CaseRun

REFUSED_EXIT_CODES = (2, 3)
"""With 3 a trait was refused and the others finished."""
TAIL_CHARACTERS = 400
RELATIVE_PRINTING_ERROR = 1e-5
NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def find_refusal_problems(*, run: CaseRun, causes: Sequence[Cause]) -> list[str]:
    """Return what is wrong with a refusal: its exit code, its message, or that its message leaves out a cause."""
    if run.exit_code not in REFUSED_EXIT_CODES:
        ended = f"ended with exit code {run.exit_code}: {tail(run.standard_error)}"
        return [f"the run must be refused with exit code 2 (or 3) and {ended}"]
    if not run.standard_error.strip():
        return ["the run was refused without a message"]
    if "Traceback (most recent call last)" in run.standard_error:
        return [f"the message is a traceback: {tail(run.standard_error)}"]
    return [
        f"the message does not name {' or '.join(cause.words)}: {tail(run.standard_error)}"
        for cause in causes
        if not any(names(run.standard_error, word) for word in cause.words)
    ]


def names(message: str, word: str) -> bool:
    """Whether a message has a word as a whole, or a number that prints as the word's number does."""
    if re.search(rf"(?<![\w.]){re.escape(word)}(?![\w.\-]*\w)", message):
        return True
    if not NUMBER.fullmatch(word) or "." not in word:
        return False
    return any(
        math.isclose(float(number), float(word), rel_tol=RELATIVE_PRINTING_ERROR) for number in NUMBER.findall(message)
    )


def tail(text: str) -> str:
    """Return the end of a program's message on one line."""
    return " | ".join(line.strip() for line in text.strip().splitlines() if line.strip())[-TAIL_CHARACTERS:]
