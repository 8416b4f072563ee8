"""From a campaign to its Dagster nouns: plan, cells, manifest, comparison, report, and the checks on them.

Everything here is a factory over ``campaigns.campaign.Campaign``; nothing here knows which campaign it builds.
"""
