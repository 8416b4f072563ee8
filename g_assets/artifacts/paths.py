"""Where an artifact goes. The run id is in every path, so two runs of one asset never meet.

Belongs here: names of folders and files. Does not belong here: making them.
"""

import os
from pathlib import Path

ARTIFACT_ROOT_VARIABLE = "GWAS_ENGINE_ARTIFACT_DIR"
MANIFEST_NAME = "artifact_manifest.json"
REPORT_NAME = "report.json"
SUMMARY_NAME = "summary.md"
CELL_NAME = "cell.json"
MATRIX_NAME = "matrix.json"
COMPARISON_NAME = "comparisons.json"
EVENTS_NAME = "events.jsonl"
METRICS_NAME = "metrics.jsonl"
COMMANDS_NAME = "commands/commands.jsonl"
SPEC_NAME = "config/resolved_tool.json"
CONFIG_NAME = "config/resolved_config.toml"


def artifact_root() -> Path:
    """The artifact root: ``GWAS_ENGINE_ARTIFACT_DIR``, else ``artifacts`` under the working directory."""
    return Path(os.environ.get(ARTIFACT_ROOT_VARIABLE) or "artifacts")


def run_directory(root: Path, campaign: str, dataset: str, run_id: str) -> Path:
    """Folder of one run: its summary lies in it, its cells below it."""
    return root / campaign / dataset / run_id


def cell_directory(root: Path, campaign: str, dataset: str, run_id: str, case_id: str) -> Path:
    """Artifact directory of one cell."""
    return run_directory(root, campaign, dataset, run_id) / "cells" / case_id


def matrix_directory(root: Path, campaign: str, dataset: str, run_id: str) -> Path:
    """Artifact directory of the run's joined manifest."""
    return run_directory(root, campaign, dataset, run_id) / "matrix"


def comparison_directory(root: Path, campaign: str, dataset: str, run_id: str) -> Path:
    """Artifact directory of a comparison made by this run."""
    return run_directory(root, campaign, dataset, run_id) / "comparison"


def compile_cache_directory(root: Path, campaign: str, dataset: str, run_id: str, case_id: str) -> Path:
    """Compile cache that a case fills and its ``*_cached`` twin reuses."""
    return run_directory(root, campaign, dataset, run_id) / "compile_caches" / case_id


def report_directory(root: Path, campaign: str, dataset: str, run_id: str) -> Path:
    """Artifact directory of the report of this run."""
    return run_directory(root, campaign, dataset, run_id) / "report"
