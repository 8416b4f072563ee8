"""The entry of the ``g`` command.

Belongs here: choosing the subcommand, and turning what went wrong into one message and an exit code (docs/errors.md).
Does not belong here: anything that a subcommand does.
"""

import os
import sys
import traceback
from collections.abc import Sequence

from g_core import errors
from g_core.cli.registry import ENTRIES

EXIT_UNEXPECTED = 1
EXIT_INTERRUPTED = 130
HELP_WORDS = frozenset({"-h", "--help", "help"})


def main(words: Sequence[str] | None = None) -> int:
    """Run ``g`` and return its exit code.

    Args:
        words: The command line after ``g``; None takes the process's own.
    """
    words = list(sys.argv[1:] if words is None else words)
    try:
        code = dispatch(words)
        sys.stdout.flush()  # a reader that has gone is noticed here and not while Python shuts down
        return code  # noqa: TRY300
    except errors.GError as error:
        sys.stderr.write(f"error: {error}\n")
        return error.exit_code
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has closed it (`g schema | head`); Python must not complain while it shuts down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_UNEXPECTED
    except SystemExit as leaving:
        # argparse leaves like this after --help.
        return leaving.code if isinstance(leaving.code, int) else 0
    except Exception as error:  # noqa: BLE001  (the last line of defence)
        return report_unexpected(error, words)


def dispatch(words: Sequence[str]) -> int:
    """Hand the words to their subcommand.

    Raises:
        UsageError: there is no such subcommand.
    """
    if not words:
        raise errors.UsageError(f"which command?\n{command_list()}")
    if words[0] in HELP_WORDS:
        sys.stdout.write(f"usage: g COMMAND ...\n\n{command_list()}\n\ng COMMAND --help lists a command's options\n")
        return 0
    if words[0] == "--version":
        from g_core import _native  # imports numpy, and is wanted here only

        build = _native.build_info()
        sys.stdout.write(f"g {build['version']} ({build['profile']} build for {build['target']})\n")
        return 0
    for entry in ENTRIES:
        if entry.name == words[0]:
            return entry.load().run(words[1:])
    raise errors.UsageError(unknown_command(words[0]))


def command_list() -> str:
    """Name and purpose of every subcommand."""
    width = max(len(entry.name) for entry in ENTRIES)
    return "\n".join(f"  g {entry.name:<{width}}  {entry.summary}" for entry in ENTRIES)


def unknown_command(word: str) -> str:
    """The words for a subcommand that is not there, with the most similar one."""
    import difflib  # slow to import, and wanted here only

    similar = difflib.get_close_matches(word, [entry.name for entry in ENTRIES], n=1)
    advice = f"; did you mean g {similar[0]}?" if similar else ""
    if word.startswith("-"):
        advice = "; the command comes first, as in g regenie --bgen FILE"
    return f"unknown command {word}{advice}\n{command_list()}"


def report_unexpected(error: Exception, words: Sequence[str]) -> int:
    """An error that nobody foresaw: one line, or the traceback with --debug."""
    if "--debug" in words:
        traceback.print_exception(error)
    else:
        name = type(error).__name__
        sys.stderr.write(f"error: unexpected {name}: {error}; run again with --debug for the traceback\n")
    return EXIT_UNEXPECTED
