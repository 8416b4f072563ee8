"""What a benchmark is, without Dagster: config model, plan, summary; one file a campaign."""
