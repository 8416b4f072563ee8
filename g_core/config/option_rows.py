"""Rows of default.toml as typed options.

Belongs here: the shape of a row, checked field by field. Does not belong here: anything a user types; a wrong row is
our own mistake and a test reads every one.
"""

import dataclasses
from collections.abc import Mapping
from typing import cast

from g_core.config.option import Implication, Option, OptionKind

ROW_FIELDS = {field.name for field in dataclasses.fields(Option)} - {"section", "key"}


def read_row(section: str, key: str, row: Mapping[str, object]) -> Option:
    """One row of the table as an Option.

    Raises:
        TypeError: a field of the row has the wrong type; a test reads every row.
        ValueError: the row has an unknown field.
    """
    unknown = set(row) - ROW_FIELDS
    if unknown:
        raise ValueError(f"default.toml: {section}.{key} has unknown fields {sorted(unknown)}")
    default = row.get("default")
    return Option(
        section=section,
        key=key,
        kind=OptionKind(text_field(row, "kind")),
        default=text_tuple(row, "default") if isinstance(default, list) else plain_value(default),
        unit=text_field(row, "unit"),
        meaning=text_field(row, "meaning"),
        required=row.get("required") is True,
        auto=row.get("auto") is True,
        many=row.get("many") is True,
        commas=row.get("commas") is True,
        flag=optional_text_field(row, "flag"),
        short=optional_text_field(row, "short"),
        list_flag=optional_text_field(row, "list_flag"),
        choice_flags=text_pairs(row, "choice_flags"),
        choices=text_tuple(row, "choices"),
        minimum=number_field(row, "minimum"),
        maximum=number_field(row, "maximum"),
        above=number_field(row, "above"),
        below=number_field(row, "below"),
        implied=implication_field(row),
        auto_cpu=whole_number_field(row, "auto_cpu"),
        auto_gpu=whole_number_field(row, "auto_gpu"),
    )


def text_field(row: Mapping[str, object], name: str) -> str:
    """A required text of a row."""
    value = row[name]
    if not isinstance(value, str):
        raise TypeError(f"default.toml: {name} must be a string, not {value!r}")
    return value


def optional_text_field(row: Mapping[str, object], name: str) -> str | None:
    """A text of a row that may be absent."""
    return text_field(row, name) if name in row else None


def number_field(row: Mapping[str, object], name: str) -> float | None:
    """A number of a row that may be absent."""
    value = row.get(name)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise TypeError(f"default.toml: {name} must be a number, not {value!r}")
    return value


def whole_number_field(row: Mapping[str, object], name: str) -> int | None:
    """A whole number of a row that may be absent."""
    value = row.get(name)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise TypeError(f"default.toml: {name} must be a whole number, not {value!r}")
    return value


def text_tuple(row: Mapping[str, object], name: str) -> tuple[str, ...]:
    """A list of texts of a row; absent means empty."""
    entries = entries_of(row.get(name, []))
    if entries is None:
        raise TypeError(f"default.toml: {name} must be a list, not {row[name]!r}")
    return tuple(str(entry) for entry in entries)


def text_pairs(row: Mapping[str, object], name: str) -> tuple[tuple[str, str], ...]:
    """An inline table of texts of a row; absent means empty."""
    table = table_of(row.get(name, {}))
    if table is None:
        raise TypeError(f"default.toml: {name} must be a table, not {row[name]!r}")
    return tuple((entry, str(chosen)) for entry, chosen in table.items())


def implication_field(row: Mapping[str, object]) -> Implication | None:
    """The ``implied`` table of a row."""
    table = table_of(row.get("implied"))
    if table is None:
        return None
    chosen = table["value"]
    if not isinstance(chosen, int | list):
        raise TypeError(f"default.toml: implied value must be an integer or a list, not {chosen!r}")
    value = chosen if isinstance(chosen, int) else text_tuple(table, "value")
    return Implication(when_given=text_tuple(table, "when_given"), value=value)


def entries_of(value: object) -> list[object] | None:
    """A list or tuple whose entries' types are unknown; None for anything else."""
    return list(cast("list[object]", value)) if isinstance(value, list | tuple) else None


def table_of(value: object) -> dict[str, object] | None:
    """A table out of TOML, whose values' types are unknown; None for anything else."""
    return cast("dict[str, object]", value) if isinstance(value, dict) else None


def plain_value(value: object) -> bool | int | float | str | None:
    """A single TOML value of the four plain types, or None."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise TypeError(f"default.toml: {value!r} cannot be the value of an option")
