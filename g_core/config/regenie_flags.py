"""REGENIE's flags that are not options here: ignored, or refused with the reason.

Belongs here: reading regenie_flags.toml and the words of a refusal. Does not belong here: flags that work
(default.toml).
"""

import dataclasses
import functools
import pathlib
import tomllib

from g_core.config import options


@dataclasses.dataclass(frozen=True, slots=True)
class UnsupportedFlag:
    """A flag of REGENIE that is refused, why, and what to use instead."""

    reason: str
    nearest: str | None


@dataclasses.dataclass(frozen=True, slots=True)
class RegenieFlags:
    """Flags of REGENIE beyond the option table; ``ignored`` maps each to the reason."""

    ignored: dict[str, str]
    unsupported: dict[str, UnsupportedFlag]


@functools.cache
def read_regenie_flags() -> RegenieFlags:
    """The lists of regenie_flags.toml."""
    text = (pathlib.Path(__file__).parent / "regenie_flags.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(text)
    ignored: dict[str, str] = tables["ignored"]
    unsupported: dict[str, dict[str, str]] = tables["unsupported"]
    return RegenieFlags(
        ignored=ignored,
        unsupported={
            flag: UnsupportedFlag(reason=row["reason"], nearest=row.get("nearest")) for flag, row in unsupported.items()
        },
    )


def describe_unknown_flag(flag: str) -> str:
    """Why a flag is not taken, and the nearest one that is."""
    refused = read_regenie_flags().unsupported.get(flag)
    if refused is not None:
        advice = f"; use {refused.nearest}" if refused.nearest else ""
        return f"{flag} is a REGENIE option that g does not support: {refused.reason}{advice}"
    similar = options.nearest(flag, [*options.options_by_flag(), "--config", "--help"])
    return f"unknown option {flag}" + (f"; did you mean {similar}?" if similar else "; g regenie --help lists them")
