"""A campaign's assets and checks, all of them.

Belongs here: the list. Does not belong here: what each is (the modules beside this one).
"""

from dataclasses import dataclass

import dagster as dg

from g_assets.campaigns.campaign import Campaign
from g_assets.defs.campaign.cells import build_cell
from g_assets.defs.campaign.checks import build_checks
from g_assets.defs.campaign.comparison import build_comparison
from g_assets.defs.campaign.manifest import build_manifest
from g_assets.defs.campaign.plan import build_plan
from g_assets.defs.campaign.report import build_report


@dataclass(frozen=True, slots=True)
class CampaignDefinitions:
    """What one campaign brings to the code location."""

    assets: tuple[dg.AssetsDefinition, ...]
    checks: tuple[dg.AssetChecksDefinition, ...]


def build_campaign(campaign: Campaign, pool: str | None) -> CampaignDefinitions:
    """Plan, cells, manifest, comparison and report of a campaign, and the checks on them.

    Args:
        campaign: What is measured.
        pool: Pool of Dagster's that keeps its measurements apart; None where something else does.
    """
    return CampaignDefinitions(
        assets=(
            build_plan(campaign),
            *(build_cell(campaign, case, pool) for case in campaign.cases),
            build_manifest(campaign),
            build_comparison(campaign),
            build_report(campaign),
        ),
        checks=build_checks(campaign),
    )
