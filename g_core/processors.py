"""How many processors this process may use.

Belongs here: that one number. Does not belong here: what it is used for.
"""

import os


def available_threads() -> int:
    """Processors this process may use, at most the job's own share."""
    usable = len(os.sched_getaffinity(0))
    share = os.environ.get("SLURM_CPUS_PER_TASK", "")
    return min(usable, int(share)) if share.isdigit() and int(share) > 0 else usable
