"""The jobs: one a campaign, its whole group.

Belongs here: what is run together by name. Does not belong here: when (schedules.py).
"""

import dagster as dg
from dagster._core.definitions.unresolved_asset_job_definition import UnresolvedAssetJobDefinition

from g_assets.campaigns.campaign import Campaign


def build_job(campaign: Campaign) -> UnresolvedAssetJobDefinition:
    """Every asset and check of a campaign, for one dataset."""
    return dg.define_asset_job(
        f"{campaign.name}_job",
        selection=dg.AssetSelection.groups(campaign.name),
        description=f"The whole {campaign.name} for one dataset.",
    )
