"""What a run directory holds, finished or not, and a page about it."""
