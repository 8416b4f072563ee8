"""Reading one BGEN file in a process that may not have much memory.

Belongs here: that process. Does not belong here: which files are read so (bgen_check.py).
"""

import resource
import subprocess
import sys
from pathlib import Path

# Python with its libraries maps about 1 GiB; a claim of 4 GiB that is believed cannot fit beside it.
LIMIT_BYTES = 3 << 30
INPUT_ERROR = 2
TIMEOUT_SECONDS = 60.0


def refuses_within_limit(path: Path) -> bool:
    """Whether ``g bgen check`` refuses a file with its own words, with no room to believe a false length."""
    outcome = subprocess.run(
        [sys.executable, "-m", "g_core", "bgen", "check", str(path)],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
        preexec_fn=limit_memory,
    )
    return outcome.returncode == INPUT_ERROR and path.name in outcome.stderr


def limit_memory() -> None:
    """Bound this process's address space."""
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, LIMIT_BYTES))
