"""The base of the configuration's sections.

Belongs here: filling in defaults and checking values by the option table. Does not belong here: any field.
"""

from typing import Any, ClassVar

import pydantic

from g_core.config import option_values, options
from g_core.config.option_rows import table_of


class Section(pydantic.BaseModel):
    """Base of the sections: absent fields take the table's default, present ones are checked against their row."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)
    section_name: ClassVar[str]

    @pydantic.model_validator(mode="before")
    @classmethod
    def fill_and_check(cls, values: Any) -> Any:
        """Merge defaults in and judge each value by its row of the table."""
        given = table_of(values)
        if given is None:
            return values
        checked: dict[str, object] = dict(given)
        for option in options.section_options(cls.section_name):
            value = given.get(option.key, option.default)
            try:
                checked[option.key] = option_values.check_value(option, value)
            except option_values.UnfitValueError as problem:
                raise ValueError(f"{option.path} = {value!r}: {problem}") from None
        return checked
