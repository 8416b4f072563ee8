"""Reading one BGEN file in a process that may not have much memory.

Belongs here: that process. Does not belong here: which files are read so (bgen_check.py).
"""

import subprocess
import sys
from pathlib import Path

# Python with its libraries maps about 1 GiB; a claim of 4 GiB that is believed cannot fit beside it.
LIMIT_BYTES = 3 << 30
INPUT_ERROR = 2
TIMEOUT_SECONDS = 60.0

# The process bounds itself: bounding it between fork and exec would run Python in a fork of a process with threads.
CHECK_WITHIN_LIMIT = """\
import resource, sys
limit, path = int(sys.argv[1]), sys.argv[2]
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
from g_core.cli.main import main
sys.exit(main(["bgen", "check", path]))
"""


def refuses_within_limit(path: Path) -> bool:
    """Whether ``g bgen check`` refuses a file with its own words, with no room to believe a false length."""
    outcome = subprocess.run(
        [sys.executable, "-c", CHECK_WITHIN_LIMIT, str(LIMIT_BYTES), str(path)],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    return outcome.returncode == INPUT_ERROR and path.name in outcome.stderr
