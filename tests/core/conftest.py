"""What tests of several rooms of the engine share."""

import json
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def case_arguments(golden: Path) -> dict[str, list[str]]:
    """Arguments of each golden case by its id."""
    cases = json.loads((golden / "cases.json").read_text(encoding="utf-8"))["cases"]
    return {case["id"]: case["argv"] for case in cases}
