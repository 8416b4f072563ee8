"""What the parity tool reads of a run's ``manifest.json``.

Belongs here: the few fields that a judgement needs. The engine's own model (g_core/engine/manifest.py) says what a
manifest is; a field that the engine adds changes nothing here, so fields that nothing here uses are ignored on purpose.
"""

from pathlib import PurePosixPath

from pydantic import BaseModel, ConfigDict, ValidationError

from g_assets.parity.regenie_table import TableError
from g_assets.parity.run import CaseRun
from g_core.engine.manifest import MANIFEST_NAME, RunStatus


class PartEntry(BaseModel):
    """One Parquet part."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    path: PurePosixPath
    """Relative to the run directory."""


class TraitEntry(BaseModel):
    """One trait of a run."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    name: str
    status: RunStatus
    regenie_text: str | None
    """File name of the trait's own text."""
    parts: tuple[PartEntry, ...]


class FinishedRun(BaseModel):
    """A run that left its manifest."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    traits: tuple[TraitEntry, ...]

    @property
    def incomplete_traits(self) -> tuple[str, ...]:
        """Names of the traits that failed or are partial."""
        return tuple(trait.name for trait in self.traits if trait.status is not RunStatus.COMPLETE)

    def trait(self, name: str) -> TraitEntry | None:
        """The trait of that name, or None."""
        return next((trait for trait in self.traits if trait.name == name), None)

    def trait_of_text(self, text_name: str) -> TraitEntry | None:
        """The trait whose text has that name, or None."""
        return next((trait for trait in self.traits if trait.regenie_text == text_name), None)


def read_finished_run(run: CaseRun) -> FinishedRun:
    """Read the manifest of a run.

    Raises:
        TableError: There is none, so the run did not finish; or it is none.
    """
    path = run.run_directory / MANIFEST_NAME
    try:
        return FinishedRun.model_validate_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TableError(f"{path}: {error.strerror}") from error
    except ValidationError as error:
        raise TableError(f"{path} is not the manifest of a run: {error}") from error
