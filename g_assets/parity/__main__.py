"""``python -m g_assets.parity DIR [--ids ID...]``: golden cases through the ``g`` command.

Belongs here: the command line. Exit code 0 when every case passed, 1 when one failed, 2 when the folder or an id
cannot be used.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from g_assets.parity.cases import ParityUsageError, choose_cases, read_cases
from g_assets.parity.judge import CaseResult, check_cases
from g_assets.parity.report import closing_line, describe_case, error_table
from g_assets.parity.tolerances import GOLDEN_TOLERANCES

JOBS = 2
TIMEOUT_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class Arguments:
    """The command line."""

    folder: Path
    ids: tuple[str, ...] | None
    output: Path | None


def parse_arguments(words: Sequence[str]) -> Arguments:
    """Read the command line; argparse ends the process with exit code 2 where it cannot."""
    parser = argparse.ArgumentParser(
        prog="python -m g_assets.parity", description="Compare g regenie with what REGENIE printed."
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="folder of cases.json; only read")
    parser.add_argument("--ids", nargs="+", metavar="ID", help="cases to run; default: all")
    parser.add_argument("--output", type=Path, metavar="FOLDER", help="keep what the runs write in this new folder")
    parsed = parser.parse_args(words)
    return Arguments(
        folder=parsed.folder.resolve(),
        ids=None if parsed.ids is None else tuple(parsed.ids),
        output=None if parsed.output is None else parsed.output.resolve(),
    )


def write_lines(lines: Sequence[str]) -> None:
    """Write lines to standard output at once, so that a reader of a pipe sees progress."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def check_folder(*, arguments: Arguments, output_folder: Path) -> tuple[CaseResult, ...]:
    """Run the chosen cases and write a line about each."""
    cases = choose_cases(read_cases(arguments.folder).cases, arguments.ids)
    return check_cases(
        cases=cases,
        golden_folder=arguments.folder,
        output_folder=output_folder,
        tolerances=GOLDEN_TOLERANCES,
        jobs=JOBS,
        timeout_seconds=TIMEOUT_SECONDS,
        on_result=lambda result: write_lines(describe_case(result)),
    )


def new_folder(path: Path) -> Path:
    """Make a folder that must not be there yet, so that no earlier run's files are taken for this one's.

    Raises:
        ParityUsageError: It is there, or cannot be made.
    """
    try:
        path.mkdir(parents=True)
    except OSError as error:
        raise ParityUsageError(f"{path}: {error.strerror}; name a new folder for --output") from error
    return path


def main(words: Sequence[str]) -> int:
    """Run the tool and return its exit code."""
    arguments = parse_arguments(words)
    try:
        with tempfile.TemporaryDirectory(prefix="g-parity-") as temporary:
            output_folder = Path(temporary) if arguments.output is None else new_folder(arguments.output)
            results = check_folder(arguments=arguments, output_folder=output_folder)
    except ParityUsageError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    write_lines(["", *error_table(results), "", closing_line(results)])
    return 0 if results and all(result.passed for result in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
