"""The option table of default.toml, and looking things up in it.

Belongs here: the table. Does not belong here: how values are combined (load.py), what they mean together
(cross_checks.py). Imports nothing heavy, because ``g --help`` is built from it.
"""

import difflib
import functools
import pathlib
import tomllib
from collections.abc import Iterable, Mapping

from g_core.config.option import Option
from g_core.config.option_rows import read_row


@functools.cache
def all_options() -> tuple[Option, ...]:
    """The rows of default.toml in the order of the file."""
    text = (pathlib.Path(__file__).parent / "default.toml").read_text(encoding="utf-8")
    table: dict[str, dict[str, dict[str, object]]] = tomllib.loads(text)
    return tuple(read_row(section, key, row) for section, options in table.items() for key, row in options.items())


@functools.cache
def options_by_path() -> Mapping[str, Option]:
    """``section.key`` to row."""
    return {option.path: option for option in all_options()}


@functools.cache
def options_by_flag() -> Mapping[str, Option]:
    """Every flag to its row."""
    return {flag: option for option in all_options() for flag in option.flags}


def section_options(section: str) -> tuple[Option, ...]:
    """Rows of one section in the order of the file."""
    return tuple(option for option in all_options() if option.section == section)


def section_names() -> tuple[str, ...]:
    """Sections in the order of the file."""
    return tuple(dict.fromkeys(option.section for option in all_options()))


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name most like this one, or None when none is."""
    lower_to_known = {candidate.lower(): candidate for candidate in known}
    matches = difflib.get_close_matches(name.lower(), lower_to_known, n=1, cutoff=0.6)
    return lower_to_known[matches[0]] if matches else None
