"""The asset ``<campaign>/manifest``: the cells of one plan, joined. It always materialises, whatever the cells did.

Belongs here: finding the cells that belong to the plan, and writing what they come to. Does not belong here: the
rules of joining (campaigns/), or the checks (checks.py).
"""

from pathlib import Path
from typing import Any

import dagster as dg

from g_assets.artifacts import paths
from g_assets.artifacts.cell import CellManifest
from g_assets.artifacts.read import ArtifactError, read_cell
from g_assets.campaigns.campaign import Campaign
from g_assets.campaigns.matrix_manifest import MatrixManifest
from g_assets.defs import lineage, metadata
from g_assets.defs.campaign.cells import PLAN_RUN_ID
from g_assets.defs.campaign.keys import CampaignKeys
from g_assets.defs.campaign.planned_run import PlannedRun, read_planned_run
from g_assets.defs.partitions import DATASETS
from g_assets.reports.publish import Published, publish_matrix
from g_assets.resources.settings import Settings


def build_manifest(campaign: Campaign) -> dg.AssetsDefinition:
    """The manifest asset of a campaign."""
    keys = CampaignKeys(campaign.name)

    @dg.asset(
        key=keys.manifest,
        group_name=campaign.name,
        partitions_def=DATASETS,
        deps=[keys.plan, *(keys.cell(case.case_id) for case in campaign.cases)],
        description="Every case of the run, joined: what a later run compares itself with. Always there, also of a run "
        "whose cases failed; `valid` says whether it may be a baseline.",
    )
    def manifest(context: dg.AssetExecutionContext, settings: Settings) -> dg.MaterializeResult[Any]:
        planned = read_planned_run(context, campaign)
        joined = campaign.summarise(planned.plan, cells_of_plan(context, campaign, planned), context.run.run_id)
        published = publish_matrix(settings.artifact_root(), joined)
        return dg.MaterializeResult(metadata=manifest_metadata(joined, published))

    return manifest


def cells_of_plan(context: dg.AssetExecutionContext, campaign: Campaign, planned: PlannedRun) -> list[CellManifest]:
    """The newest cell of each case that carried out this plan; one that is missing or unreadable is left out."""
    cells: list[CellManifest] = []
    for case in campaign.cases:
        key = CampaignKeys(campaign.name).cell(case.case_id)
        records = lineage.history(context.instance, key, context.partition_key)
        record = next((record for record in records if record.text(PLAN_RUN_ID) == planned.run_id), None)
        directory = None if record is None else record.text("artifact_directory")
        if directory is None:
            context.log.warning("%s was not measured under the plan of run %s", case.case_id, planned.run_id)
            continue
        try:
            cells.append(read_cell(Path(directory)))
        except ArtifactError as error:
            context.log.warning("%s is left out: %s", case.case_id, error)
    return cells


def manifest_metadata(manifest: MatrixManifest, published: Published) -> dict[str, metadata.Plain]:
    """What the event log keeps of a manifest; a baseline is chosen by ``valid``, ``scope_key``, path and digest."""
    times = {f"{cell.case_id}_wall_seconds": cell.wall_seconds for cell in manifest.cells}
    values: dict[str, metadata.Plain] = {
        **{name: seconds for name, seconds in times.items() if seconds is not None},
        "cases_in_plan": len(manifest.plan.cases),
        "cases_measured": sum(cell.wall_seconds is not None for cell in manifest.cells),
        "status": manifest.status.value,
        "reason": manifest.reason,
        "valid": manifest.valid,
        "scope_key": manifest.scope_key,
        "manifest_path": published.record_path,
        "manifest_sha256": published.record_sha256,
        "variant_limit": manifest.plan.work.variant_limit,
        "commit": manifest.commit,
        "dirty": manifest.dirty,
        "files": dg.MetadataValue.md(file_list(manifest)),
    }
    return metadata.clean(values)


def file_list(manifest: MatrixManifest) -> str:
    """Where the artifacts of each cell are, as Markdown."""
    return "\n".join(
        f"- **{cell.case_id}** {cell.status.value}: `{Path(cell.directory) / paths.MANIFEST_NAME}`"
        for cell in manifest.cells
    )
