"""Keeping secrets out of records: by the name they go under, and then by their value wherever it turns up.

Belongs here: what looks like a secret. Does not belong here: deciding which variables are recorded at all.
"""

import os
import re
from collections.abc import Mapping, Sequence

from g_assets.artifacts.models import EnvironmentVariable

REDACTED = "[redacted]"
SECRET_NAME = re.compile(r"(?i)(secret|token|passw|passphrase|credential|private|api_?key|access_?key|auth)")
SHORTEST_SECRET = 6


def is_secret_name(name: str) -> bool:
    """Whether a variable or an option of this name probably holds a secret."""
    return SECRET_NAME.search(name) is not None


def redacted_environment(variables: Mapping[str, str]) -> tuple[EnvironmentVariable, ...]:
    """Variables in the order of their names, secrets without their value."""
    return tuple(
        EnvironmentVariable(name=name, value=REDACTED if is_secret_name(name) else value)
        for name, value in sorted(variables.items())
    )


def redacted_arguments(arguments: Sequence[str]) -> tuple[str, ...]:
    """An argument vector in which ``--token X`` and ``--token=X`` have lost their X, and no known secret stands."""
    result: list[str] = []
    hide_next = False
    for argument in arguments:
        name, equals, _ = argument.partition("=")
        secret = argument.startswith("-") and is_secret_name(name)
        if hide_next:
            result.append(REDACTED)
        elif secret and equals:
            result.append(f"{name}={REDACTED}")
        else:
            result.append(redacted_text(argument))
        hide_next = secret and not equals
    return tuple(result)


def redacted_text(text: str) -> str:
    """Text in which the values of this process's secret-looking variables are blotted out."""
    for name, value in os.environ.items():
        if is_secret_name(name) and len(value) >= SHORTEST_SECRET:
            text = text.replace(value, REDACTED)
    return text
