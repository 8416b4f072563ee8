"""The assets ``<campaign>/<case>``: one measurement each, in a fresh process.

Belongs here: starting a case and showing what it measured. Does not belong here: measuring (payloads/), or how the
process is started (resources/compute.py).

A cell whose child failed materialises with status ``failed``: the manifest must show it. What raises is a run that was
terminated, and a measurement that could not be started at all.
"""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import dagster as dg

from g_assets.artifacts.cell import CellManifest
from g_assets.artifacts.metadata import cell_metadata
from g_assets.artifacts.models import Status
from g_assets.campaigns.campaign import Campaign, CaseName
from g_assets.defs import metadata
from g_assets.defs.campaign.keys import CampaignKeys
from g_assets.defs.campaign.planned_run import read_planned_run
from g_assets.defs.partitions import DATASETS
from g_assets.payloads.spec import MeasurementSpec, spec_for_case
from g_assets.resources.compute import CHECKOUT, Compute
from g_assets.resources.repeated_runs import repeated_runs
from g_assets.resources.settings import Settings

# No limit of its own in dagster.yaml: the default limit of every pool is one.
POOL = "benchmark_node"
# Which plan a cell carried out: a manifest joins the cells of one plan.
PLAN_RUN_ID = "plan_run_id"


def build_cell(campaign: Campaign, case: CaseName, pool: str | None) -> dg.AssetsDefinition:
    """The asset of one case. A case that reuses another's compile cache comes after it."""
    keys = CampaignKeys(campaign.name)
    cache_owner = case.uses_compile_cache_of
    upstream = [keys.plan] if cache_owner is None else [keys.plan, keys.cell(cache_owner)]

    @dg.asset(
        key=keys.cell(case.case_id),
        group_name=campaign.name,
        partitions_def=DATASETS,
        deps=upstream,
        pool=pool,
        output_required=False,
        kinds={case.device.value},
        description=case.description,
    )
    def cell(
        context: dg.AssetExecutionContext, compute: Compute, settings: Settings
    ) -> Iterator[dg.MaterializeResult[Any]]:
        planned = read_planned_run(context, campaign)
        if planned.plan.plan_only:
            context.log.info("the plan of run %s asks for a plan only: nothing is measured", planned.run_id)
            return
        spec = spec_for_case(
            planned.plan,
            case.case_id,
            run_id=context.run.run_id,
            artifact_root=settings.artifact_root(),
            working_directory=CHECKOUT,
            compute_mode=compute.mode_for(planned.plan.machine).value,
        )
        measured = compute.measure(context, with_filled_cache(context, spec))
        yield dg.MaterializeResult(
            metadata=shown(measured, planned.run_id),
            data_version=None if measured.results_sha256 is None else dg.DataVersion(measured.results_sha256),
        )

    return cell


def with_filled_cache(context: dg.AssetExecutionContext, spec: MeasurementSpec) -> MeasurementSpec:
    """The spec with the compile cache that its owner filled: this run's, else that of a run which this one repeats.

    A run that is re-executed from its failure does not measure the owner again, and its cache lies with the first run.
    """
    if spec.case.uses_compile_cache_of is None:
        return spec
    for run_id in repeated_runs(context):
        cache = spec.compile_cache.replace(context.run.run_id, run_id)
        if Path(cache).is_dir():
            return spec.model_copy(update={"compile_cache": cache})
    return spec


def shown(cell: CellManifest, plan_run_id: str) -> dict[str, metadata.Plain]:
    """Metadata of a cell: its own facts, the plan it carried out, and where its whole logs are."""
    facts = metadata.from_entries(cell_metadata(cell))
    logs = {f"trial_{trial.number}_stderr": PurePosixPath(cell.directory) / trial.stderr for trial in cell.trials}
    return facts | metadata.clean(
        {
            "valid": cell.status is Status.SUCCESS,
            PLAN_RUN_ID: plan_run_id,
            **{name: dg.MetadataValue.path(str(path)) for name, path in logs.items()},
        }
    )
