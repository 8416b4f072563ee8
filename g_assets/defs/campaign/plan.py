"""The asset ``<campaign>/plan``: what a run would do, and the only place where its config is written.

Belongs here: config in, dataset made sure of, plan out. Does not belong here: expanding a config (campaigns/).
"""

from typing import Any

import dagster as dg

from g_assets.campaigns.campaign import Campaign
from g_assets.campaigns.model import Plan
from g_assets.defs import metadata
from g_assets.defs.campaign.config import campaign_config, config_schema
from g_assets.defs.campaign.keys import CampaignKeys
from g_assets.defs.campaign.planned_run import write_planned_run
from g_assets.defs.datasets import FILES_KEY, prepare_dataset, record_dataset
from g_assets.defs.partitions import DATASETS
from g_assets.profiles.load import load_dataset
from g_assets.resources.settings import Settings


def build_plan(campaign: Campaign) -> dg.AssetsDefinition:
    """The plan asset of a campaign."""

    @dg.asset(
        key=CampaignKeys(campaign.name).plan,
        group_name=campaign.name,
        partitions_def=DATASETS,
        deps=[FILES_KEY],
        config_schema=config_schema(campaign.config_model),
        description=f"What a run of the {campaign.name} would do: its cases as command lines. Takes the config.",
    )
    def plan(context: dg.AssetExecutionContext, settings: Settings) -> dg.MaterializeResult[Any]:
        if context.instance.is_ephemeral:
            context.log.warning("DAGSTER_HOME is not set: this run is forgotten when it ends and is nobody's baseline")
        chosen = campaign_config(context.op_execution_context.op_config, campaign.config_model)
        if chosen.machine is None:
            chosen = chosen.model_copy(update={"machine": settings.machine_name()})
        profile = load_dataset(context.partition_key)
        dataset = prepare_dataset(profile.name, campaign.variant_limit(chosen, profile), settings)
        record_dataset(context, dataset)
        made = campaign.plan(chosen, profile, settings.data_root(), dataset.fingerprint)
        path = write_planned_run(settings.artifact_root(), chosen, made, context.run.run_id)
        return dg.MaterializeResult(
            metadata=metadata.clean(
                {
                    "cases": len(made.cases),
                    "processes": made.subprocess_count,
                    "variant_limit": dataset.variant_limit,
                    "commands": dg.MetadataValue.md(command_list(made)),
                    "plan_only": made.plan_only,
                    "scope_key_of_work": made.scope_key,
                    "plan_path": path,
                    "config": dg.MetadataValue.json(chosen.model_dump(mode="json")),
                }
            ),
            data_version=dg.DataVersion(made.scope_key),
        )

    return plan


def command_list(plan: Plan) -> str:
    """The commands of a plan as Markdown, one a case."""
    return "\n".join(f"- **{case.case_id}**: `g regenie {' '.join(case.arguments)}`" for case in plan.cases)
