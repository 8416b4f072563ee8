"""Values that somebody gave, each with where it came from.

Belongs here: the pair of value and place that error messages need. Does not belong here: defaults.
"""

import dataclasses
import pathlib
from collections.abc import Mapping

from g_core.config.option import OptionValue


@dataclasses.dataclass(frozen=True, slots=True)
class GivenValue:
    """A value of an option and the words for its place: a flag, or a file and key."""

    value: OptionValue
    place: str


@dataclasses.dataclass(frozen=True, slots=True)
class GivenArguments:
    """What a command line gave: a configuration file, or none, values by ``section.key``, and notes for the user."""

    config_file: pathlib.Path | None
    values: Mapping[str, GivenValue]
    notes: tuple[str, ...]
