"""Benchmarks: how long scans, their floors, start-up and peers take, side by side in one table."""
