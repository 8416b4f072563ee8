"""What one option is.

Belongs here: the type of a row of default.toml. Does not belong here: reading rows (option_rows.py), looking them up
(options.py), judging values (option_values.py).
"""

import dataclasses
import enum
from typing import TypeAlias

OptionValue: TypeAlias = bool | int | float | str | tuple[str, ...] | None

AUTO = "auto"


class OptionKind(enum.StrEnum):
    """Kinds of single values."""

    STR = "str"
    INT = "int"
    FLOAT = "float"
    BOOL = "bool"
    PATH = "path"
    CHOICE = "choice"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Implication:
    """A default that changes when one of other options is given, and not as false."""

    when_given: tuple[str, ...]
    value: bool | int | tuple[str, ...]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One row of the table; the fields are explained at the top of default.toml."""

    section: str
    key: str
    kind: OptionKind
    default: OptionValue
    unit: str
    meaning: str
    required: bool
    auto: bool
    many: bool
    commas: bool
    flag: str | None
    short: str | None
    list_flag: str | None
    choice_flags: tuple[tuple[str, str], ...]
    choices: tuple[str, ...]
    minimum: float | None
    maximum: float | None
    above: float | None
    below: float | None
    implied: Implication | None
    auto_cpu: int | None
    auto_gpu: int | None

    @property
    def path(self) -> str:
        """``section.key``."""
        return f"{self.section}.{self.key}"

    @property
    def flags(self) -> tuple[str, ...]:
        """Every flag that sets this option, the chief one first."""
        named = (self.flag, self.short, self.list_flag)
        return (*(flag for flag in named if flag is not None), *(flag for flag, _ in self.choice_flags))
