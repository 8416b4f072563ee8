"""Where the time of each scan goes: one more run each, with its stages timed.

Belongs here: these runs. Does not belong here: the rounds (rounds.py): a run that times its stages waits for the device
at each of them, so its total is no observation of anything.
"""

from collections.abc import Callable, Sequence

from g_assets.artifacts.models import Status, Unit
from g_assets.benchmarks.cases import ScanCase
from g_assets.benchmarks.datasets import Dataset
from g_assets.benchmarks.record import Row, Section, StageProfile, Unmeasured
from g_assets.benchmarks.scan_tasks import QUIET, run_scan
from g_assets.benchmarks.tasks import Workbench
from g_assets.benchmarks.warm_process import BenchmarkError
from g_core.engine.stages import Stage

TIMED = (*QUIET, "--stage-timing", "aggregate")
# Of the warm process the engine takes its whole age for start-up.
LEFT_OUT = Stage.STARTUP.value


def run_profiles(
    cases: Sequence[tuple[ScanCase, Dataset]], bench: Workbench, *, threads: int, tell: Callable[[str], None]
) -> tuple[tuple[StageProfile, ...], tuple[Unmeasured, ...]]:
    """Profile each case; the profiles, and a row for each that failed."""
    profiles: list[StageProfile] = []
    failed: list[Unmeasured] = []
    for case, dataset in cases:
        tell(f"profile: {case.title}")
        try:
            manifest, _ = run_scan(bench, case, dataset, threads=threads, options=TIMED)
        except BenchmarkError as error:
            row = profile_row(case, dataset, threads=threads)
            failed.append(Unmeasured(row=row, status=Status.FAILED, reason=str(error)))
            continue
        seconds = manifest.stage_seconds
        stages = tuple((stage, seconds[stage]) for stage in seconds if stage != LEFT_OUT and seconds[stage] > 0)
        profiles.append(StageProfile(case_id=case.case_id, title=case.title, stages=stages))
    return tuple(profiles), tuple(failed)


def profile_row(case: ScanCase, dataset: Dataset, *, threads: int) -> Row:
    """What a failed profile is listed as."""
    return Row(
        row_id=f"profile.{case.case_id}",
        section=Section.SCAN,
        title=f"profile of {case.title}",
        unit=Unit.SECONDS,
        n_samples=dataset.shape.n_samples,
        n_variants=dataset.shape.n_variants,
        threads=threads,
        floor_id=None,
        at_most=None,
        aim=None,
    )
