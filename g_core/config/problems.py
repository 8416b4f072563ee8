"""Collecting problems, so that a user hears of all of them at once.

Belongs here: the list and its printed form. Does not belong here: what counts as a problem.
"""

import dataclasses

from g_core import errors


def describe(problems: list[str]) -> str:
    """One problem as it is; several as a counted bullet list. Lines within a problem stay under its bullet."""
    if len(problems) == 1:
        return problems[0]
    bullets = ("  - " + problem.replace("\n", "\n    ") for problem in problems)
    return f"{len(problems)} problems:\n" + "\n".join(bullets)


@dataclasses.dataclass(slots=True)
class Problems:
    """Problems found so far, in the order they were found."""

    found: list[str] = dataclasses.field(default_factory=list[str])

    def add(self, problem: str) -> None:
        """Note one problem; a problem that is already noted is not repeated."""
        if problem not in self.found:
            self.found.append(problem)

    def raise_usage_error(self) -> None:
        """Raise UsageError with everything found; do nothing when nothing was."""
        if self.found:
            raise errors.UsageError(describe(self.found))

    def raise_input_error(self) -> None:
        """Raise InputError with everything found; do nothing when nothing was."""
        if self.found:
            raise errors.InputError(describe(self.found))
