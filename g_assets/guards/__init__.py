"""Checks of the repository itself: rules of the house that no linter knows. Knows neither Dagster nor any result."""
