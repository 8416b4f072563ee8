"""The schedules. Each is stopped until somebody starts it, and in UTC, where no hour is skipped or comes twice.

Belongs here: when something runs by itself. Does not belong here: what it runs (jobs.py).
"""

import dagster as dg
from dagster._core.definitions.unresolved_asset_job_definition import UnresolvedAssetJobDefinition

from g_assets.defs.partitions import DATASETS
from g_assets.parity.cases import CASES_NAME
from g_assets.parity.golden_folder import GOLDEN_FOLDER_VARIABLE, holds_cases
from g_assets.resources.settings import NIGHTLY_DATASET_VARIABLE, Settings

NIGHTLY_CRON = "30 2 * * *"
PARITY_CRON = "30 1 * * *"


def build_nightly_matrix(job: UnresolvedAssetJobDefinition) -> dg.ScheduleDefinition:
    """The matrix each night over the dataset that the settings name (a chr22 one unless they say otherwise)."""

    @dg.schedule(
        job=job,
        name="nightly_matrix",
        cron_schedule=NIGHTLY_CRON,
        execution_timezone="UTC",
        default_status=dg.DefaultScheduleStatus.STOPPED,
        description=f"The matrix each night at 02:30 UTC; {NIGHTLY_DATASET_VARIABLE} names the dataset.",
    )
    def nightly_matrix(context: dg.ScheduleEvaluationContext, settings: Settings) -> dg.RunRequest | dg.SkipReason:
        dataset = settings.nightly_partition()
        if not DATASETS.has_partition_key(dataset):
            known = ", ".join(DATASETS.get_partition_keys())
            return dg.SkipReason(f"{NIGHTLY_DATASET_VARIABLE} names no dataset profile: {dataset!r}; known: {known}")
        # One run a date and dataset, however often the tick is evaluated.
        return dg.RunRequest(run_key=f"{context.scheduled_execution_time:%Y-%m-%d}:{dataset}", partition_key=dataset)

    return nightly_matrix


def build_nightly_parity(job: UnresolvedAssetJobDefinition) -> dg.ScheduleDefinition:
    """Parity each night, before the matrix; where there are no golden data the tick is skipped and says so."""

    @dg.schedule(
        job=job,
        name="nightly_parity",
        cron_schedule=PARITY_CRON,
        execution_timezone="UTC",
        default_status=dg.DefaultScheduleStatus.STOPPED,
        description=f"Parity each night at 01:30 UTC; {GOLDEN_FOLDER_VARIABLE} names the golden data.",
    )
    def nightly_parity(context: dg.ScheduleEvaluationContext, settings: Settings) -> dg.RunRequest | dg.SkipReason:
        folder = settings.golden_root()
        if not holds_cases(folder):
            return dg.SkipReason(f"no golden data: {folder} holds no {CASES_NAME}; set {GOLDEN_FOLDER_VARIABLE}")
        return dg.RunRequest(run_key=f"{context.scheduled_execution_time:%Y-%m-%d}")

    return nightly_parity
