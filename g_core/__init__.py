"""The engine: association statistics over BGEN files. Knows no Dagster."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from g_core.config.run_plan import RunPlan
    from g_core.engine.run import RunResult


def run(plan: "RunPlan") -> "RunResult":
    """Run one association scan; may be called again in the same process.

    Args:
        plan: What to run (see g_core.config.load).

    Returns:
        Where the results are and how each trait ended.

    Raises:
        GError: The work could not be done; the message says what, where, and what to do.
    """
    from g_core.engine.run import run_association  # importing JAX is left to those who run

    return run_association(plan, announce=lambda _line: None, startup_seconds=0.0)
