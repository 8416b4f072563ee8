"""The command line of ``g regenie``, read by argparse from the option table.

Belongs here: flags to given values, with every problem of the command line told at once. Does not belong here: what
the values mean together, and files.
"""

import argparse
import pathlib
from collections.abc import Sequence
from typing import Any, NoReturn

from g_core import errors
from g_core.config import option_values, options, regenie_flags
from g_core.config.given import GivenArguments, GivenValue
from g_core.config.option import Option, OptionKind
from g_core.config.problems import Problems


class QuietParser(argparse.ArgumentParser):
    """An argument parser that raises UsageError instead of leaving the process."""

    def error(self, message: str) -> NoReturn:
        """Turn argparse's complaint into ours."""
        raise errors.UsageError(f"{message}\n{self.prog} --help lists the options")


class CollectAction(argparse.Action):
    """Appends (flag, text) to one list, so that order and spelling are kept."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,  # noqa: ARG002  (argparse's own signature)
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        """Called by argparse for each flag it meets."""
        collected: list[tuple[str, str | None]] = namespace.collected
        # argparse hands over an empty list for a flag that takes no value and got none.
        collected.append((option_string or "", values if isinstance(values, str) else None))


def add_option_arguments(parser: argparse.ArgumentParser) -> None:
    """Give a parser every flag of the table, a group a section, and ``--config``."""
    parser.set_defaults(collected=[])
    parser.add_argument("--config", action=CollectAction, metavar="FILE", help="options from a TOML file; flags win")
    for section in options.section_names():
        group = parser.add_argument_group(section)
        for option in options.section_options(section):
            add_option(group, option)
    for flag in regenie_flags.read_regenie_flags().ignored:
        parser.add_argument(flag, action=CollectAction, nargs=0, help=argparse.SUPPRESS)


def add_option(group: argparse._ArgumentGroup, option: Option) -> None:  # pyright: ignore[reportPrivateUsage]
    """Add every flag of one option; the help goes with the first."""
    text = help_text(option)
    named = [flag for flag in (option.flag, option.short) if flag is not None]
    if named:
        bare = option.kind is OptionKind.BOOL
        group.add_argument(
            *named, action=CollectAction, nargs="?" if bare else None, metavar=metavar(option), help=text
        )
        text = f"the same as {named[0]}"
    if option.list_flag is not None:
        list_text = f"{text}, separated by commas" if named else text
        group.add_argument(option.list_flag, action=CollectAction, metavar="A,B,...", help=list_text)
    for flag, choice in option.choice_flags:
        description = f"{option.key} = {choice}"
        group.add_argument(flag, action=CollectAction, nargs=0, help=description)


def metavar(option: Option) -> str:
    """The word for a value in the help."""
    match option.kind:
        case OptionKind.CHOICE:
            return "{" + ",".join(option.choices) + "}"
        case OptionKind.BOOL:
            return "true|false"
        case OptionKind.PATH:
            name = "FILE" if option.unit == "file" else "PATH"
            return f"{name}[,{name}]" if option.commas else name
        case OptionKind.INT | OptionKind.FLOAT:
            return "NUMBER"
        case OptionKind.STR:
            return option.unit.split()[0].upper()


def help_text(option: Option) -> str:
    """Meaning and default, with percent signs as argparse wants them."""
    if option.required:
        note = " (required)"
    elif option.default is None or option.default == () or option.default is False:
        note = ""
    else:
        shown = ",".join(option.default) if isinstance(option.default, tuple) else str(option.default).lower()
        note = f" (default {shown})"
    return (option.meaning + note).replace("%", "%%")


def parse_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> GivenArguments:
    """Read a command line.

    Raises:
        UsageError: unknown flags, values that do not fit, choices that contradict each other; all told together.
    """
    namespace, rest = parser.parse_known_args(list(arguments))
    problems = Problems()
    describe_rest(rest, problems)
    collected: list[tuple[str, str | None]] = namespace.collected
    config_file: pathlib.Path | None = None
    values: dict[str, GivenValue] = {}
    notes: list[str] = []
    ignored = regenie_flags.read_regenie_flags().ignored
    for flag, text in collected:
        if flag == "--config":
            config_file = pathlib.Path(text or "")
        elif flag in ignored:
            notes.append(f"{flag} has no effect: {ignored[flag]}")
        else:
            take_flag(options.options_by_flag()[flag], flag, text, values, problems)
    problems.raise_usage_error()
    return GivenArguments(config_file=config_file, values=values, notes=tuple(notes))


def describe_rest(rest: Sequence[str], problems: Problems) -> None:
    """Name what argparse did not know; a word after an unknown flag is taken as its value."""
    after_flag = False
    for word in rest:
        if word.startswith("-") and word != "-":
            problems.add(regenie_flags.describe_unknown_flag(word.split("=", 1)[0]))
            after_flag = True
        elif not after_flag:
            problems.add(f"unexpected argument {word!r}: every value follows its flag")
        else:
            after_flag = False


def take_flag(option: Option, flag: str, text: str | None, values: dict[str, GivenValue], problems: Problems) -> None:
    """Add what one flag says to the values given so far."""
    choice = dict(option.choice_flags).get(flag)
    earlier = values.get(option.path)
    try:
        if choice is not None:
            given = GivenValue(choice, flag)
        elif option.many:
            given = extend_list(option, flag, text or "", earlier)
        elif option.kind is OptionKind.BOOL and text is None:
            given = GivenValue(value=True, place=flag)
        else:
            given = GivenValue(option_values.parse_text(option, text or ""), flag)
    except option_values.UnfitValueError as problem:
        problems.add(f"{flag} {text}: {problem}")
        return
    if earlier is not None and not option.many and earlier.value != given.value:
        if option.choice_flags:
            problems.add(f"{earlier.place} and {flag} cannot be used together")
        else:
            problems.add(f"{flag} is given twice, with {earlier.value} and {given.value}")
    values[option.path] = given


def extend_list(option: Option, flag: str, text: str, earlier: GivenValue | None) -> GivenValue:
    """The list so far with what one flag adds."""
    parts = text.split(",") if option.commas or flag == option.list_flag else [text]
    entries = tuple(str(option_values.parse_text(option, part.strip())) for part in parts if part.strip())
    if not entries:
        raise option_values.UnfitValueError("nothing is named")
    before = earlier.value if earlier is not None and isinstance(earlier.value, tuple) else ()
    return GivenValue(before + entries, flag)
