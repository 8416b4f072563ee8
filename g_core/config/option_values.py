"""Judging one value against its option.

Belongs here: kinds, bounds and choices of single values, and the words for what is allowed. Does not belong here:
what values mean together (cross_checks.py).
"""

import math
import pathlib

from g_core.config.option import AUTO, Option, OptionKind, OptionValue
from g_core.config.option_rows import entries_of


class UnfitValueError(ValueError):
    """A value does not fit its option; the message says what is allowed."""


def allowed_values(option: Option) -> str:
    """What a single value of this option may be, in words."""
    match option.kind:
        case OptionKind.CHOICE:
            return " or ".join((*option.choices, AUTO) if option.auto else option.choices)
        case OptionKind.BOOL:
            return "true or false"
        case OptionKind.STR:
            return "text"
        case OptionKind.PATH:
            return "a path"
        case OptionKind.INT | OptionKind.FLOAT:
            bounds = {
                "at least": option.minimum,
                "at most": option.maximum,
                "above": option.above,
                "below": option.below,
            }
            number = "a whole number" if option.kind is OptionKind.INT else "a number"
            limits = " and ".join(f"{words} {bound:g}" for words, bound in bounds.items() if bound is not None)
            return " ".join(filter(None, (f"{number}{',' if limits and option.auto else ''}", limits))) + (
                ", or auto" if option.auto else ""
            )


def parse_text(option: Option, text: str) -> OptionValue:
    """A single value from the command line.

    Raises:
        UnfitValueError: the text is not a value of the option.
    """
    if option.auto and text == AUTO:
        return AUTO
    match option.kind:
        case OptionKind.INT:
            return check_single(option, parse_number(option, text, whole=True))
        case OptionKind.FLOAT:
            return check_single(option, parse_number(option, text, whole=False))
        case OptionKind.BOOL:
            if text.lower() not in {"true", "false"}:
                raise UnfitValueError(f"allowed: {allowed_values(option)}")
            return text.lower() == "true"
        case OptionKind.CHOICE | OptionKind.STR | OptionKind.PATH:
            return check_single(option, text)


def parse_number(option: Option, text: str, *, whole: bool) -> int | float:
    """A number from the command line; ``200.0`` is no whole number."""
    try:
        return int(text) if whole else float(text)
    except ValueError:
        raise UnfitValueError(f"allowed: {allowed_values(option)}") from None


def check_value(option: Option, value: object) -> OptionValue:
    """A value from a TOML file or from Python, single or list, as the option's own type.

    Raises:
        UnfitValueError: the value is not one of the option.
    """
    if value is None:
        return None
    if not option.many:
        return check_single(option, value)
    entries = entries_of(value)
    if entries is None:
        raise UnfitValueError(f"allowed: a list, each entry {allowed_values(option)}")
    return tuple(str(check_single(option, entry)) for entry in entries)


def check_single(option: Option, value: object) -> bool | int | float | str:
    """One value, or one entry of a list, as the option's own type."""
    problem = UnfitValueError(f"allowed: {allowed_values(option)}")
    if option.auto and value == AUTO:
        return AUTO
    match option.kind:
        case OptionKind.BOOL:
            if not isinstance(value, bool):
                raise problem
            return value
        case OptionKind.INT | OptionKind.FLOAT:
            return check_number(option, value)
        case OptionKind.CHOICE:
            # Both spellings are in use: per-phenotype in prose and flags, per_phenotype in files.
            chosen = value.replace("-", "_").lower() if isinstance(value, str) else ""
            if chosen not in option.choices:
                raise problem
            return chosen
        case OptionKind.STR | OptionKind.PATH:
            if not isinstance(value, str | pathlib.PurePath) or not str(value):
                raise problem
            return str(value)


def check_number(option: Option, value: object) -> int | float:
    """A number within the bounds of the option; a whole number is a float option's value too."""
    problem = UnfitValueError(f"allowed: {allowed_values(option)}")
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise problem
    if option.kind is OptionKind.INT and not isinstance(value, int):
        raise problem
    too_low = (option.minimum is not None and value < option.minimum) or (
        option.above is not None and value <= option.above
    )
    too_high = (option.maximum is not None and value > option.maximum) or (
        option.below is not None and value >= option.below
    )
    if too_low or too_high:
        raise problem
    return value if option.kind is OptionKind.INT else float(value)
