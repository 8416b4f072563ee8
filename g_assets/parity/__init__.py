"""Parity with REGENIE: golden cases run through the ``g`` command, and their results compared row by row."""
