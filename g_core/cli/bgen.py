"""``g bgen``: look into a BGEN file, check it, cut its first variants, or write a small one.

Belongs here: flags and printing. Does not belong here: reading the format (rust/bgen), the JSON (bgen_records.py).
"""

import argparse
import pathlib
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from g_core import errors
from g_core.config.arguments import QuietParser

if TYPE_CHECKING:
    from g_core import _native

VARIANT_RANGE = re.compile(r"(\d*):(\d*)")


def build_parser() -> argparse.ArgumentParser:
    """The parser of every ``g bgen`` command."""
    parser = QuietParser(prog="g bgen", description="Look into a BGEN file, check it, cut it, or write a small one.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="info|dump|check|first|write")
    info = commands.add_parser("info", help="print what the file holds")
    info.add_argument("file", type=pathlib.Path, metavar="FILE")
    dump = commands.add_parser("dump", help="print variants with every probability")
    dump.add_argument("file", type=pathlib.Path, metavar="FILE")
    dump.add_argument(
        "--variants",
        default=":",
        metavar="A:B",
        help="from variant A, counted from 0, up to but without B; default all",
    )
    dump.add_argument("--json", action="store_true", help="one JSON object, which g bgen write takes")
    check = commands.add_parser("check", help="read everything; print OK, or the first fault with exit code 2")
    check.add_argument("file", type=pathlib.Path, metavar="FILE")
    first = commands.add_parser("first", help="copy the first variants into a new file")
    first.add_argument("--variants", type=int, required=True, metavar="N", help="how many, at least 1")
    first.add_argument("source", type=pathlib.Path, metavar="IN")
    first.add_argument("target", type=pathlib.Path, metavar="OUT")
    write = commands.add_parser("write", help="write a BGEN file of any legal kind from the JSON of g bgen dump")
    write.add_argument("--level", type=int, default=6, metavar="N", help="compression level; default 6")
    write.add_argument("source", type=pathlib.Path, metavar="JSON")
    write.add_argument("target", type=pathlib.Path, metavar="OUT")
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
        print_lines(describe(_native.BgenReader(str(given.file))))
    elif given.command == "dump":
        print_lines(dump(_native.BgenReader(str(given.file)), given.variants, as_json=given.json))
    elif given.command == "check":
        print_lines([check(_native.BgenReader(str(given.file)))])
    elif given.command == "first":
        if given.variants < 1:
            raise errors.UsageError(f"--variants {given.variants}: allowed: a whole number at least 1")
        n_copied = _native.write_first_variants(str(given.source), str(given.target), given.variants)
        print_lines([f"{given.target}: {n_copied} variants"])
    else:
        from g_core.cli import bgen_records

        n_written = bgen_records.write_file(bgen_records.read_record(given.source), given.target, level=given.level)
        print_lines([f"{given.target}: {n_written} variants"])
    return 0


def print_lines(lines: Sequence[str]) -> None:
    """Write lines to standard output."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def describe(reader: "_native.BgenReader") -> list[str]:
    """What ``g bgen info`` prints."""
    from g_core import bgen_index

    identifiers = reader.sample_ids
    stored = "none" if identifiers is None else ", ".join(identifiers[:3]) + (", ..." if len(identifiers) > 3 else "")
    lines = [
        f"file         {reader.path}",
        f"bytes        {reader.file_bytes}",
        f"layout       {reader.layout}",
        f"compression  {reader.compression}",
        f"samples      {reader.n_samples}",
        f"identifiers  {stored}",
        f"variants     {reader.n_variants}",
    ]
    if reader.trailing_bytes:
        lines.append(f"trailing     {reader.trailing_bytes} bytes after the last variant belong to none")
    index = bgen_index.index_beside(pathlib.Path(reader.path))
    if index is not None:
        lines.append(f"index        {bgen_index.describe_index(index, reader)}")
    return lines


def parse_range(text: str, n_variants: int) -> tuple[int, int]:
    """Bounds of ``A:B``; either may be left out.

    Raises:
        UsageError: It is no range, or goes beyond the file.
    """
    matched = VARIANT_RANGE.fullmatch(text)
    if matched is None:
        raise errors.UsageError(f"--variants {text}: allowed: A:B, counted from 0 and without B, such as 0:10")
    start = int(matched[1] or 0)
    stop = int(matched[2] or n_variants)
    if not start <= stop <= n_variants:
        raise errors.UsageError(f"--variants {text}: the file has {n_variants} variants, 0:{n_variants}")
    return start, stop


def dump(reader: "_native.BgenReader", variants: str, *, as_json: bool) -> list[str]:
    """What ``g bgen dump`` prints.

    Raises:
        UsageError: The range is not one of the file's.
        InputError: A variant is damaged.
    """
    from g_core.cli import bgen_records

    start, stop = parse_range(variants, reader.n_variants)
    record = bgen_records.describe_file(reader, start, stop)
    if as_json:
        return [record.model_dump_json()]
    lines: list[str] = []
    for number, variant in enumerate(record.variants, start=start):
        kind = f"{variant.bits} bits, {'phased' if variant.phased else 'unphased'}"
        where = f"{variant.chromosome}:{variant.position} {','.join(variant.alleles)}"
        lines.append(f"variant {number}: {variant.rsid} ({variant.variant_id}) {where}, {kind}")
        for sample, (ploidy, values) in enumerate(zip(variant.ploidy, variant.probabilities, strict=True)):
            shown = "missing" if values is None else " ".join(f"{value:.9g}" for value in values)
            lines.append(f"  sample {sample}: ploidy {ploidy}: {shown}")
    return lines


def check(reader: "_native.BgenReader") -> str:
    """What ``g bgen check`` prints of a sound file.

    Raises:
        InputError: The first fault.
    """
    from g_core.processors import available_threads

    n_bytes = reader.check(threads=available_threads())
    return f"{reader.path}: OK ({reader.n_variants} variants, {reader.n_samples} samples, {n_bytes} bytes of genotypes)"
