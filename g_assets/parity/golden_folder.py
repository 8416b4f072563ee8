"""Where the golden data lie.

Belongs here: the one place that knows the variable and the default. Does not belong here: reading the data (cases.py).
"""

import os
from pathlib import Path

from g_assets.parity.cases import CASES_NAME
from g_assets.parity.run import REPOSITORY_ROOT

GOLDEN_FOLDER_VARIABLE = "G_GOLDEN_DIR"


def golden_folder() -> Path:
    """``G_GOLDEN_DIR``, else ``../shared/golden`` beside the checkout; it need not be there."""
    return Path(os.environ.get(GOLDEN_FOLDER_VARIABLE) or REPOSITORY_ROOT.parent / "shared" / "golden").absolute()


def holds_cases(folder: Path) -> bool:
    """Whether a folder is one of golden data."""
    return (folder / CASES_NAME).is_file()
