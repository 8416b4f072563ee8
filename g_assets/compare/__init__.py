"""Judging one run against another: the choice of the baseline, and verdicts with their reasons."""
