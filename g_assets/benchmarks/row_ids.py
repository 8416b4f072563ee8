"""Ids of the rows that another row is set against.

Belongs here: how such an id is put together, and the two numbers of threads. Does not belong here: the rows.
"""

from g_assets.benchmarks.cases import ScanCase
from g_assets.benchmarks.shapes import Shape

# The demands are told of two threads, and scaling is told of one and two.
THREADS = 2
ONE_THREAD = 1
SCAN = ".scan"
CALL = ".call"
PROCESS = ".process"
MEMORY = ".memory"


def floor_id(shape: Shape, threads: int) -> str:
    """The row that is one floor for a dataset and a number of threads."""
    return f"floor.{shape.name}.threads{threads}"


def step_id(shape: Shape, threads: int) -> str:
    """A scan of the scaling section over one shape."""
    return f"step.{shape.name}.threads{threads}"


def thread_step_id(case: ScanCase, threads: int) -> str:
    """A scan of the scaling section with some threads."""
    return f"{case.case_id}.threads{threads}"


def whole_id(case: ScanCase, shape: Shape, *, is_cold: bool) -> str:
    """A whole process, with an empty compile cache or a filled one."""
    return f"{'cold' if is_cold else 'filled'}.{case.case_id}.{shape.name}"
