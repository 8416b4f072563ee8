"""The asset ``<campaign>/comparison``: the run against the baseline that the event log gives it.

Belongs here: asking the event log, and keeping the answer. Does not belong here: the choice (compare/baseline.py), the
judgement (compare/), or the words (reports/).

To compare an earlier measurement with another baseline, materialise the plan with ``forced_baseline``, the comparison
and the report: nothing is measured again.
"""

from typing import Any

import dagster as dg

from g_assets.artifacts.models import Judgement
from g_assets.campaigns.campaign import Campaign
from g_assets.compare.baseline import choose_baseline, manifest_file_state
from g_assets.compare.models import MatrixComparison
from g_assets.defs import metadata
from g_assets.defs.campaign.keys import CampaignKeys
from g_assets.defs.campaign.planned_run import config_of, read_planned_run
from g_assets.defs.campaign.recorded import baseline_candidates, recorded_manifest
from g_assets.defs.partitions import DATASETS
from g_assets.reports.publish import Published, publish_comparison
from g_assets.resources.settings import Settings


def build_comparison(campaign: Campaign) -> dg.AssetsDefinition:
    """The comparison asset of a campaign."""
    keys = CampaignKeys(campaign.name)

    @dg.asset(
        key=keys.comparison,
        group_name=campaign.name,
        partitions_def=DATASETS,
        deps=[keys.plan, keys.manifest],
        description="The run against the newest earlier valid run of equal scope, or against the baseline that the "
        "plan's config forces. Without one it says so: `no_baseline` is a state, not a failure.",
    )
    def comparison(context: dg.AssetExecutionContext, settings: Settings) -> dg.MaterializeResult[Any]:
        config = config_of(read_planned_run(context, campaign), campaign)
        manifest = recorded_manifest(context.instance, keys, context.partition_key, context.run.run_id)
        choice = choose_baseline(
            baseline_candidates(context.instance, keys, context.partition_key),
            manifest.scope_key,
            config.forced_baseline,
            current_run_id=manifest.run_id,
            file_state=manifest_file_state,
        )
        compared = campaign.compare(manifest, choice, config)
        published = publish_comparison(settings.artifact_root(), manifest, compared)
        return dg.MaterializeResult(metadata=comparison_metadata(compared, published))

    return comparison


def comparison_metadata(comparison: MatrixComparison, published: Published) -> dict[str, metadata.Plain]:
    """What the event log keeps of a comparison: the ratios of the wall times, the counts, and the baseline."""
    ratios = {f"{cell.case_id}_wall_ratio": cell.metrics[0].ratio for cell in comparison.cells if cell.metrics}
    baseline = comparison.baseline
    return metadata.clean(
        {
            **{name: ratio for name, ratio in ratios.items() if ratio is not None},
            **{f"cases_{judgement.value}": comparison.count(judgement) for judgement in Judgement},
            "status": comparison.status.value,
            "reason": comparison.reason,
            "baseline_run_id": None if baseline is None else baseline.run_id,
            "baseline_commit": None if baseline is None else baseline.commit,
            "baseline_forced": comparison.forced,
            "same_scope": comparison.same_scope,
            "comparison": dg.MetadataValue.md(published.markdown),
            "comparison_path": published.record_path,
            "comparison_sha256": published.record_sha256,
        }
    )
