"""``python -m g_assets.parity``: golden cases through the ``g`` command, or one test of a case explained.

    python -m g_assets.parity DIR [--ids ID...] [--output FOLDER] [--json FILE]
    python -m g_assets.parity explain CASE VARIANT [--trait T] [--folder DIR]

Belongs here: the command line. Exit code 0 when every case passed, 1 when one failed, 2 when the folder or an id
cannot be used; ``explain`` ends with the exit code of ``g explain``.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from g_assets.parity.cases import ParityUsageError, choose_cases, read_cases
from g_assets.parity.explain import explain
from g_assets.parity.golden_folder import golden_folder
from g_assets.parity.record import ParityRecord
from g_assets.parity.regenie_table import TableError
from g_assets.parity.report import closing_line, describe_case, error_table, slowest_line
from g_assets.parity.run_folder import run_folder
from g_assets.parity.tolerances import GOLDEN_TOLERANCES

JOBS = 2
TIMEOUT_SECONDS = 600.0
EXPLAIN_WORD = "explain"


@dataclass(frozen=True, slots=True)
class CheckArguments:
    """The command line of a run over a folder."""

    folder: Path
    ids: tuple[str, ...] | None
    output: Path | None
    json: Path | None


@dataclass(frozen=True, slots=True)
class ExplainArguments:
    """The command line of ``explain``."""

    case: str
    variant: str
    trait: str | None
    folder: Path


def parse_check(words: Sequence[str]) -> CheckArguments:
    """Read the command line; argparse ends the process with exit code 2 where it cannot."""
    parser = argparse.ArgumentParser(
        prog="python -m g_assets.parity",
        description="Compare g regenie with what REGENIE printed.",
        epilog=f"One test of a case: python -m g_assets.parity {EXPLAIN_WORD} CASE VARIANT",
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="folder of cases.json; only read")
    parser.add_argument("--ids", nargs="+", metavar="ID", help="cases to run; default: all")
    parser.add_argument("--output", type=Path, metavar="FOLDER", help="keep what the runs write in this new folder")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the largest errors of each case and column")
    parsed = parser.parse_args(words)
    return CheckArguments(
        folder=parsed.folder.resolve(),
        ids=None if parsed.ids is None else tuple(parsed.ids),
        output=None if parsed.output is None else parsed.output.resolve(),
        json=None if parsed.json is None else parsed.json.resolve(),
    )


def parse_explain(words: Sequence[str]) -> ExplainArguments:
    """Read the command line of ``explain``; argparse ends the process with exit code 2 where it cannot."""
    parser = argparse.ArgumentParser(
        prog=f"python -m g_assets.parity {EXPLAIN_WORD}",
        description="Print every intermediate of one test of a golden case, and REGENIE's row beside it.",
    )
    parser.add_argument("case", metavar="CASE", help="id of the case")
    parser.add_argument("variant", metavar="VARIANT", help="ID of the variant")
    parser.add_argument("--trait", metavar="T", help="one trait; default: every trait that REGENIE printed")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="folder of cases.json; default: G_GOLDEN_DIR")
    parsed = parser.parse_args(words)
    folder = golden_folder() if parsed.folder is None else parsed.folder.resolve()
    return ExplainArguments(case=parsed.case, variant=parsed.variant, trait=parsed.trait, folder=folder)


def write_lines(lines: Sequence[str]) -> None:
    """Write lines to standard output at once, so that a reader of a pipe sees progress."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def run_check(arguments: CheckArguments) -> int:
    """Run the chosen cases, write a line about each and the report, and return the exit code."""
    run = run_folder(
        golden_folder=arguments.folder,
        choose=lambda cases: choose_cases(cases, arguments.ids),
        output_folder=None if arguments.output is None else new_folder(arguments.output),
        tolerances=GOLDEN_TOLERANCES,
        jobs=JOBS,
        timeout_seconds=TIMEOUT_SECONDS,
        on_result=lambda result: write_lines(describe_case(result)),
    )
    if arguments.json is not None:
        write_record(arguments.json, run.record)
    write_lines(["", *error_table(run.results), "", slowest_line(run.results), closing_line(run.results)])
    return 0 if run.record.passed else 1


def run_explain(arguments: ExplainArguments) -> int:
    """Print one test of a case and return the exit code."""
    (case,) = choose_cases(read_cases(arguments.folder).cases, [arguments.case])
    lines, exit_code = explain(
        case=case,
        golden_folder=arguments.folder,
        variant=arguments.variant,
        trait=arguments.trait,
        timeout_seconds=TIMEOUT_SECONDS,
    )
    write_lines(lines)
    return exit_code


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


def write_record(path: Path, record: ParityRecord) -> None:
    """Write the record as JSON.

    Raises:
        ParityUsageError: The file cannot be written.
    """
    try:
        path.write_text(record.model_dump_json(indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise ParityUsageError(f"{path}: {error.strerror}; name another file for --json") from error


def main(words: Sequence[str]) -> int:
    """Run the tool and return its exit code."""
    try:
        if words[:1] == [EXPLAIN_WORD]:
            return run_explain(parse_explain(words[1:]))
        return run_check(parse_check(words))
    except (ParityUsageError, TableError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
