"""A configuration as the shortest command line that makes it again.

Belongs here: config to arguments. Does not belong here: reading arguments (arguments.py).
"""

from collections.abc import Mapping

from g_core.config import load, options
from g_core.config.model import RunConfig
from g_core.config.option import Option, OptionKind, OptionValue


def render_arguments(config: RunConfig) -> tuple[str, ...]:
    """Arguments after ``g regenie`` that load to an equal configuration; options at their default are left out."""
    values = config_values(config)
    changed = {option.path: values[option.path] for option in options.all_options() if differs(option, values)}
    implied = load.implied_values(changed)
    for option in options.all_options():
        # A default that another option changes must be said aloud where the configuration has the plain default.
        if option.path in implied and values[option.path] != implied[option.path]:
            changed[option.path] = values[option.path]
    return tuple(
        word
        for option in options.all_options()
        if option.path in changed
        for word in render_option(option, changed[option.path])
    )


def config_values(config: RunConfig) -> dict[str, OptionValue]:
    """Every value by ``section.key``, as the option table writes it."""
    sections: dict[str, dict[str, OptionValue]] = config.model_dump(mode="json")
    values: dict[str, OptionValue] = {}
    for option in options.all_options():
        value = sections[option.section][option.key]
        values[option.path] = tuple(value) if isinstance(value, list) else value
    return values


def differs(option: Option, values: Mapping[str, OptionValue]) -> bool:
    """True where the value is not the table's default."""
    return values[option.path] != option.default


def render_option(option: Option, value: OptionValue) -> tuple[str, ...]:
    """The words for one option."""
    for flag, choice in option.choice_flags:
        if value == choice:
            return (flag,)
    if isinstance(value, tuple):
        if option.flag is None:
            return (option.list_flag or "", ",".join(value))
        return tuple(word for entry in value for word in (option.flag, entry))
    flag = option.flag or ""
    if option.kind is OptionKind.BOOL:
        return (flag,) if value is True else (f"{flag}=false",)
    text = str(value)
    # argparse takes a word that begins with a dash for a flag.
    return (f"{flag}={text}",) if text.startswith("-") else (flag, text)
