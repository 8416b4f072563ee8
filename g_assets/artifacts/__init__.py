"""Tooling Artifact Format: the models of a measurement's directory, and how it is written, read and validated."""
