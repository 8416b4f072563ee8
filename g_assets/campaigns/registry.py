"""The campaigns that the lab has. A new one is a line here."""

from g_assets.campaigns.campaign import Campaign
from g_assets.campaigns.matrix_campaign import MatrixCampaign

CAMPAIGNS: tuple[Campaign, ...] = (MatrixCampaign(),)
