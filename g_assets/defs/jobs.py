"""The jobs: one a campaign, its whole group, and one for parity.

Belongs here: what is run together by name. Does not belong here: when (schedules.py).
"""

import dagster as dg
from dagster._core.definitions.unresolved_asset_job_definition import UnresolvedAssetJobDefinition

from g_assets.campaigns.campaign import Campaign
from g_assets.defs import parity


def build_job(campaign: Campaign) -> UnresolvedAssetJobDefinition:
    """Every asset and check of a campaign, for one dataset."""
    return dg.define_asset_job(
        f"{campaign.name}_job",
        selection=dg.AssetSelection.groups(campaign.name),
        description=f"The whole {campaign.name} for one dataset.",
    )


def build_parity_job() -> UnresolvedAssetJobDefinition:
    """Both parity assets."""
    return dg.define_asset_job(
        "parity_job",
        selection=dg.AssetSelection.groups(parity.GROUP),
        description="Every golden case against what REGENIE printed.",
    )
