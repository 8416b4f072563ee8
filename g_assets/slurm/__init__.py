"""Sending work to a SLURM cluster and finding out, for certain, how it ended; knows no Dagster."""
