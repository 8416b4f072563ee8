"""From a command line and a TOML file to a RunConfig: defaults < file < flags.

Belongs here: precedence and the reading of the file. Does not belong here: what values mean together
(cross_checks.py) and what is derived from them (run_plan.py).
"""

import pathlib
import tomllib
from collections.abc import Mapping, Sequence

from g_core import errors
from g_core.config import arguments, option_values, options
from g_core.config.given import GivenArguments, GivenValue
from g_core.config.model import RunConfig
from g_core.config.option import OptionValue
from g_core.config.option_rows import table_of
from g_core.config.problems import Problems


def load_config(command_line: Sequence[str]) -> RunConfig:
    """The configuration that REGENIE-style arguments (without ``g regenie``) describe.

    Raises:
        UsageError: bad arguments, or a bad file given with --config.
    """
    parser = arguments.QuietParser(prog="g regenie", allow_abbrev=False)
    arguments.add_option_arguments(parser)
    return merge(arguments.parse_arguments(parser, command_line))


def merge(given: GivenArguments) -> RunConfig:
    """Put the values of the file under those of the flags, and the table's defaults under both.

    Raises:
        UsageError: the file cannot be read, or a key or value in it is wrong.
    """
    from_file = read_config_file(given.config_file) if given.config_file is not None else {}
    chosen = {path: entry.value for path, entry in {**from_file, **given.values}.items()}
    return build_config({**implied_values(chosen), **chosen})


def implied_values(chosen: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """Defaults that change because another option is given."""
    return {
        option.path: option.implied.value
        for option in options.all_options()
        if option.implied is not None
        and any(chosen.get(path, False) is not False for path in option.implied.when_given)
    }


def build_config(values: Mapping[str, OptionValue]) -> RunConfig:
    """A RunConfig from checked values by ``section.key``."""
    sections: dict[str, dict[str, OptionValue]] = {section: {} for section in options.section_names()}
    for path, value in values.items():
        option = options.options_by_path()[path]
        sections[option.section][option.key] = value
    return RunConfig.model_validate(sections)


def read_config_file(path: pathlib.Path) -> dict[str, GivenValue]:
    """Values of a TOML file by ``section.key``.

    Raises:
        UsageError: the file is missing, is no TOML, or has unknown keys or bad values; all told together.
    """
    try:
        tables: dict[str, object] = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise errors.UsageError(f"--config {path}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise errors.UsageError(f"--config {path}: not a TOML file: {error}") from error
    problems = Problems()
    values: dict[str, GivenValue] = {}
    for section, content in tables.items():
        table = table_of(content)
        if section not in options.section_names():
            problems.add(unknown_key(path, section, options.section_names(), is_section=True))
        elif table is None:
            problems.add(f"{path}: {section} must be a table: [{section}]")
        else:
            read_section(path, section, table, values, problems)
    problems.raise_usage_error()
    return values


def read_section(
    path: pathlib.Path,
    section: str,
    table: Mapping[str, object],
    values: dict[str, GivenValue],
    problems: Problems,
) -> None:
    """Take one table of the file."""
    known = {option.key: option for option in options.section_options(section)}
    for key, value in table.items():
        place = f"{path}: {section}.{key}"
        if key not in known:
            problems.add(unknown_key(path, f"{section}.{key}", list(options.options_by_path()), is_section=False))
            continue
        try:
            values[known[key].path] = GivenValue(option_values.check_value(known[key], value), place)
        except option_values.UnfitValueError as problem:
            problems.add(f"{place} = {value!r}: {problem}")


def unknown_key(path: pathlib.Path, key: str, known: Sequence[str], *, is_section: bool) -> str:
    """The words for a key that the table lacks, with the nearest that it has."""
    similar = options.nearest(key, known)
    noun = "section" if is_section else "key"
    return f"{path}: unknown {noun} {key}" + (f"; did you mean {similar}?" if similar else "")
