"""What the plan of a run leaves for the assets after it: its config and its plan, as one file.

Belongs here: the record, its place, and finding the one that an asset builds on. Does not belong here: making a plan
(campaigns/).
"""

from pathlib import Path
from typing import Literal

import dagster as dg

from g_assets.artifacts.models import SCHEMA_VERSION, Record
from g_assets.artifacts.paths import run_directory
from g_assets.artifacts.write import json_text, replace_text
from g_assets.campaigns.campaign import Campaign
from g_assets.campaigns.model import CampaignConfig, Plan
from g_assets.defs.campaign.keys import CampaignKeys
from g_assets.defs.campaign.recorded import recorded


class PlannedRun(Record):
    """Contents of ``planned_run.json``; ``config`` is the campaign's config as JSON."""

    schema_name: Literal["planned_run"] = "planned_run"
    schema_version: Literal[1] = SCHEMA_VERSION
    run_id: str
    config: str
    plan: Plan


def write_planned_run(root: Path, config: CampaignConfig, plan: Plan, run_id: str) -> Path:
    """Write the file below the run's artifact folder and return its path."""
    path = run_directory(root, plan.campaign, plan.dataset, run_id) / "plan" / "planned_run.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_text(path, json_text(PlannedRun(run_id=run_id, config=config.model_dump_json(), plan=plan)))
    return path


def read_planned_run(context: dg.AssetExecutionContext, campaign: Campaign) -> PlannedRun:
    """The plan of this run, else of the newest earlier run of the partition.

    Raises dagster.Failure where there is none, or where its file is gone.
    """
    key = CampaignKeys(campaign.name).plan
    return recorded(
        context.instance, key, context.partition_key, context.run.run_id, path_name="plan_path", model=PlannedRun
    )


def config_of(planned: PlannedRun, campaign: Campaign) -> CampaignConfig:
    """The config that the plan was made with."""
    return campaign.config_model.model_validate_json(planned.config)
