"""The asset ``<campaign>/report``: what a person reads, as a file and on the asset's page.

Belongs here: putting manifest and comparison together. Does not belong here: the words (reports/).
"""

from typing import Any

import dagster as dg

from g_assets.artifacts import paths
from g_assets.artifacts.read import ArtifactError, read_record
from g_assets.campaigns.campaign import Campaign
from g_assets.campaigns.matrix_manifest import MatrixManifest
from g_assets.compare.models import MatrixComparison
from g_assets.defs import metadata
from g_assets.defs.campaign.keys import CampaignKeys
from g_assets.defs.campaign.recorded import recorded_manifest
from g_assets.defs.partitions import DATASETS
from g_assets.reports.publish import publish_report
from g_assets.resources.settings import Settings


def build_report(campaign: Campaign) -> dg.AssetsDefinition:
    """The report asset of a campaign."""
    keys = CampaignKeys(campaign.name)

    @dg.asset(
        key=keys.report,
        group_name=campaign.name,
        partitions_def=DATASETS,
        deps=[keys.manifest, keys.comparison],
        kinds={"markdown"},
        description="What was measured, what failed, and what changed against the baseline. Shown here as Markdown.",
    )
    def report(context: dg.AssetExecutionContext, settings: Settings) -> dg.MaterializeResult[Any]:
        manifest = recorded_manifest(context.instance, keys, context.partition_key, context.run.run_id)
        published = publish_report(settings.artifact_root(), manifest, comparison_of(manifest, settings))
        return dg.MaterializeResult(
            metadata=metadata.clean(
                {
                    "report": dg.MetadataValue.md(published.markdown),
                    "report_path": published.record_path,
                    "status": manifest.status.value,
                    "valid": manifest.valid,
                }
            )
        )

    return report


def comparison_of(manifest: MatrixManifest, settings: Settings) -> MatrixComparison | None:
    """The comparison that was made of this manifest, or None. Raises dagster.Failure where it cannot be read."""
    plan = manifest.plan
    directory = paths.comparison_directory(settings.artifact_root(), plan.campaign, plan.dataset, manifest.run_id)
    path = directory / paths.COMPARISON_NAME
    if not path.is_file():
        return None
    try:
        return read_record(path, MatrixComparison)
    except ArtifactError as error:
        raise dg.Failure(str(error), allow_retries=False) from error
