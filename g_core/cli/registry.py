"""The subcommands of ``g``.

Belongs here: one line a subcommand. Does not belong here: importing any of them before it is asked for.
"""

import dataclasses
import importlib
from collections.abc import Sequence
from typing import Protocol, cast


class Subcommand(Protocol):
    """What a subcommand's module offers."""

    def run(self, words: Sequence[str]) -> int:
        """Run with the words after the subcommand's name and return the exit code."""
        ...


@dataclasses.dataclass(frozen=True, slots=True)
class Entry:
    """A subcommand's name, its one line of help, and its module."""

    name: str
    summary: str
    module: str

    def load(self) -> Subcommand:
        """Import the module."""
        return cast("Subcommand", importlib.import_module(self.module))


ENTRIES = (
    Entry("regenie", "association tests with REGENIE's step 2 options", "g_core.cli.regenie"),
    Entry("explain", "every intermediate of one test of a run", "g_core.cli.explain"),
    Entry("inspect", "a page about a run, finished or not", "g_core.cli.inspect"),
    Entry("plots", "Manhattan and QQ plots of a run", "g_core.cli.plots"),
    Entry("schema", "print the columns of the results", "g_core.cli.schema"),
    Entry("simulate", "make a dataset with known truth", "g_core.cli.simulate"),
    Entry("bgen", "look into a BGEN file, or cut its first variants", "g_core.cli.bgen"),
)
