"""The asset keys of a campaign.

Belongs here: names. Does not belong here: what an asset does.
"""

from dataclasses import dataclass

import dagster as dg


@dataclass(frozen=True, slots=True)
class CampaignKeys:
    """The keys of one campaign's assets, all below its name; its group has the name too."""

    campaign: str

    @property
    def plan(self) -> dg.AssetKey:
        """What would be done."""
        return dg.AssetKey([self.campaign, "plan"])

    def cell(self, case_id: str) -> dg.AssetKey:
        """What one case measured."""
        return dg.AssetKey([self.campaign, case_id])

    @property
    def manifest(self) -> dg.AssetKey:
        """The cells of a run, joined."""
        return dg.AssetKey([self.campaign, "manifest"])

    @property
    def comparison(self) -> dg.AssetKey:
        """The run against its baseline."""
        return dg.AssetKey([self.campaign, "comparison"])

    @property
    def report(self) -> dg.AssetKey:
        """What a person reads."""
        return dg.AssetKey([self.campaign, "report"])
