"""What turns up while inputs are read: problems that stop the run, failed traits, and notes that stop nothing.

Belongs here: the one collector that every reader of this room is handed, so that all files' problems are told
together. Does not belong here: judging anything.
"""

import dataclasses
from collections.abc import Callable
from typing import TypeVar

from g_core import errors
from g_core.config.problems import Problems, describe
from g_core.inputs.join_report import FailedTrait

Content = TypeVar("Content")


@dataclasses.dataclass(slots=True)
class Findings:
    """Problems, notes and failed traits, in the order they were found."""

    problems: Problems = dataclasses.field(default_factory=Problems)
    notes: list[str] = dataclasses.field(default_factory=list[str])
    failed_traits: list[FailedTrait] = dataclasses.field(default_factory=list[FailedTrait])

    def note(self, text: str) -> None:
        """Keep a line for the join report."""
        self.notes.append(text)

    def fail_trait(self, name: str, reason: str) -> None:
        """Keep the first reason why a trait is not analysed; the others go on without it."""
        if all(failed.name != name for failed in self.failed_traits):
            self.failed_traits.append(FailedTrait(name=name, reason=reason))

    def attempt(self, read: Callable[[], Content]) -> Content | None:
        """What ``read`` returns, or None after noting the InputError it raised."""
        try:
            return read()
        except errors.InputError as error:
            self.problems.add(str(error))
            return None

    def raise_problems(self) -> None:
        """Stop the run where something is a problem of all traits; failed traits are told with it."""
        if self.problems.found:
            failed = [trait.line() for trait in self.failed_traits]
            raise errors.InputError(describe([*self.problems.found, *failed]))

    def raise_no_trait_left(self) -> None:
        """Stop the run because every trait has failed."""
        raise errors.InputError(describe([trait.line() for trait in self.failed_traits]))
