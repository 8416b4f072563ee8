"""The joined manifest of a matrix: ``matrix.json``, what a later run compares itself with.

Belongs here: the model. Does not belong here: making one (matrix.py) or judging two (compare/matrix.py).
"""

from datetime import datetime
from typing import Literal

from g_assets.artifacts.cell import CellManifest
from g_assets.artifacts.models import SCHEMA_VERSION, Record, Status
from g_assets.campaigns.model import Plan
from g_assets.campaigns.scope import PlaceScope


class MatrixManifest(Record):
    """Six cells, the plan they came from, and the scope they may be compared in."""

    schema_name: Literal["matrix_manifest"] = "matrix_manifest"
    schema_version: Literal[1] = SCHEMA_VERSION
    run_id: str
    plan: Plan
    status: Status
    reason: str | None
    valid: bool
    """Whether the run may be a baseline."""
    place: PlaceScope | None
    scope_key: str
    cells: tuple[CellManifest, ...]

    def cell(self, case_id: str) -> CellManifest | None:
        """The cell of that name, or None."""
        return next((cell for cell in self.cells if cell.case_id == case_id), None)

    @property
    def dataset(self) -> str:
        """Name of the dataset profile."""
        return self.plan.dataset

    @property
    def commit(self) -> str | None:
        """The commit that was measured, where git knows it."""
        return self.cells[0].context.build.commit if self.cells else None

    @property
    def dirty(self) -> bool | None:
        """Whether the tree differed from the commit."""
        return self.cells[0].context.build.dirty if self.cells else None

    @property
    def finished_at(self) -> datetime | None:
        """When the last cell ended."""
        return max((cell.finished_at for cell in self.cells), default=None)
