"""``python -m g_assets.parity.bgen MANIFEST``: unusual and damaged BGEN files through the reader.

Belongs here: the command line. Exit code 0 when every file passed, 1 when one failed, 2 when the manifest cannot be
used.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from g_assets.parity.bgen_check import check_file
from g_assets.parity.bgen_manifest import read_manifest
from g_assets.parity.cases import ParityUsageError


def main(words: Sequence[str] | None = None) -> int:
    """Check every file of a manifest and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m g_assets.parity.bgen", description="Read BGEN files of known content, legal and damaged."
    )
    parser.add_argument("manifest", type=Path, metavar="MANIFEST", help="a manifest.json beside its files; only read")
    path = parser.parse_args(words).manifest
    try:
        manifest = read_manifest(path)
    except ParityUsageError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    n_failed = 0
    for truth in manifest.files:
        problems = check_file(truth, path.parent)
        n_failed += bool(problems)
        sys.stdout.write(f"{'FAILED' if problems else 'passed'} {truth.id}\n")
        sys.stdout.write("".join(f"  {problem}\n" for problem in problems))
    sys.stdout.write(f"{len(manifest.files) - n_failed} passed, {n_failed} failed\n")
    return 1 if n_failed else 0


if __name__ == "__main__":
    sys.exit(main())
