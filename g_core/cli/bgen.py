"""``g bgen``: look into a BGEN file, or cut its first variants.

Belongs here: flags and printing. Does not belong here: reading the format (rust/bgen).
"""

import argparse
import pathlib
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from g_core import errors
from g_core.config.arguments import QuietParser

if TYPE_CHECKING:
    from g_core import _native


def build_parser() -> argparse.ArgumentParser:
    """The parser of ``g bgen info`` and ``g bgen first``."""
    parser = QuietParser(prog="g bgen", description="Look into a BGEN file, or cut its first variants.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="info|first")
    info = commands.add_parser("info", help="print what the file holds")
    info.add_argument("file", type=pathlib.Path, metavar="FILE")
    first = commands.add_parser("first", help="copy the first variants into a new file")
    first.add_argument("--variants", type=int, required=True, metavar="N", help="how many, at least 1")
    first.add_argument("source", type=pathlib.Path, metavar="IN")
    first.add_argument("target", type=pathlib.Path, metavar="OUT")
    return parser


def run(words: Sequence[str]) -> int:
    """Run ``g bgen`` and return its exit code.

    Raises:
        UsageError: The words are wrong.
        InputError: The file is not there, or is damaged.
        OutputError: The copy cannot be written.
    """
    given = build_parser().parse_args(words)
    from g_core import _native  # imports numpy, which --help should not wait for

    if given.command == "info":
        sys.stdout.write("".join(f"{line}\n" for line in describe(_native.BgenReader(str(given.file)))))
        return 0
    if given.variants < 1:
        raise errors.UsageError(f"--variants {given.variants}: allowed: a whole number at least 1")
    n_copied = _native.write_first_variants(str(given.source), str(given.target), given.variants)
    sys.stdout.write(f"{given.target}: {n_copied} variants\n")
    return 0


def describe(reader: "_native.BgenReader") -> list[str]:
    """What ``g bgen info`` prints."""
    identifiers = reader.sample_ids
    stored = "none" if identifiers is None else ", ".join(identifiers[:3]) + (", ..." if len(identifiers) > 3 else "")
    return [
        f"file         {reader.path}",
        f"bytes        {reader.file_bytes}",
        f"layout       {reader.layout}",
        f"compression  {reader.compression}",
        f"samples      {reader.n_samples}",
        f"identifiers  {stored}",
        f"variants     {reader.n_variants}",
    ]
