"""What runs on the node: cases as commands in fresh processes, timed where they run; no Dagster but dagster_pipes."""
