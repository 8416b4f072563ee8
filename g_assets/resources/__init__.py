"""Dagster resources: how a measurement is started, and where this installation keeps its things."""
