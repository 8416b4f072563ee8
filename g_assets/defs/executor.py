"""How many steps of a run go on at once.

Belongs here: the executor and its one number. Does not belong here: what keeps measurements apart: on this machine a
pool of one (campaign/cells.py), on a cluster the nodes that a job has for itself.
"""

from collections.abc import Mapping
from typing import Any

import dagster as dg
from dagster._core.execution.retries import RetryMode
from dagster._core.executor.base import Executor
from dagster._core.executor.in_process import InProcessExecutor
from dagster._core.executor.init import InitExecutorContext
from dagster._core.executor.multiprocess import MultiprocessExecutor

from g_assets.resources.settings import Settings

STEPS_AT_ONCE = "steps_at_once"
# As many as a matrix has cells: their jobs wait in the cluster's queue together.
STEPS_ON_A_CLUSTER = 6


def steps_at_once(config: Mapping[str, Any]) -> int:
    """The number that the run's config gives; 0 is one on this machine, and all cells of a matrix on a cluster."""
    return config[STEPS_AT_ONCE] or (STEPS_ON_A_CLUSTER if Settings().measures_on_a_cluster() else 1)


@dg.executor(
    name="lab_executor",
    config_schema={
        STEPS_AT_ONCE: dg.Field(
            dg.IntSource,
            default_value=0,
            description="Steps of the run that go on at once, each in a process of its own; 1: one after the other in "
            "one process; 0: 1, or 6 where the installation measures on a cluster.",
        )
    },
)
def lab_executor(init_context: InitExecutorContext) -> Executor:
    """One process for the steps of a run, unless they only wait for a cluster.

    What is measured has a process of its own in either case.
    """
    count = steps_at_once(init_context.executor_config)
    if count == 1:
        return InProcessExecutor(retries=RetryMode.ENABLED)
    return MultiprocessExecutor(retries=RetryMode.ENABLED, max_concurrent=count)
