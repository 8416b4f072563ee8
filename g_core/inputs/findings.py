"""What turns up while inputs are read: problems that stop the run, and notes that do not.

Belongs here: the one collector that every reader of this room is handed, so that all files' problems are told
together. Does not belong here: judging anything.
"""

import dataclasses
from collections.abc import Callable
from typing import TypeVar

from g_core import errors
from g_core.config.problems import Problems
from g_core.inputs.join_report import DroppedTrait

Content = TypeVar("Content")


@dataclasses.dataclass(slots=True)
class Findings:
    """Problems, notes and dropped traits, in the order they were found."""

    problems: Problems = dataclasses.field(default_factory=Problems)
    notes: list[str] = dataclasses.field(default_factory=list[str])
    dropped_traits: list[DroppedTrait] = dataclasses.field(default_factory=list[DroppedTrait])

    def note(self, text: str) -> None:
        """Keep a line for the join report."""
        self.notes.append(text)

    def drop_trait(self, name: str, reason: str) -> None:
        """Keep the reason why a trait is not analysed."""
        self.dropped_traits.append(DroppedTrait(name=name, reason=reason))

    def attempt(self, read: Callable[[], Content]) -> Content | None:
        """What ``read`` returns, or None after noting the InputError it raised."""
        try:
            return read()
        except errors.InputError as error:
            self.problems.add(str(error))
            return None
