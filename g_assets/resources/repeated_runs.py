"""The runs that a run repeats.

Belongs here: the chain of re-executions. Does not belong here: what a step takes over from an earlier run.
"""

import dagster as dg


def repeated_runs(context: dg.AssetExecutionContext) -> tuple[str, ...]:
    """This run, and the runs that it repeats, newest first."""
    found = [context.run.run_id]
    parent = context.run.parent_run_id
    while parent is not None and parent not in found:
        found.append(parent)
        run = context.instance.get_run_by_id(parent)
        parent = None if run is None else run.parent_run_id
    return tuple(found)
