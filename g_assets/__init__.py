"""The lab: a Dagster code location around the engine. Runs from the checkout; imports no JAX."""
