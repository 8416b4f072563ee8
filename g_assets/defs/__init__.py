"""Dagster nouns, one a module: keys, partitions, assets, checks, jobs, schedules, and what they share.

Nothing here computes: what a benchmark is stands in campaigns/, what runs on the node in payloads/.
"""
