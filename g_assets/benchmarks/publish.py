"""``python -m g_assets.benchmarks.publish --from DIR``: tables and pictures of a run into the documentation.

Belongs here: replacing what stands between the marks of docs/benchmarks.md, and drawing into docs/images. Does not
belong here: measuring. What stands outside the marks is written by people.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from g_assets.artifacts.read import ArtifactError
from g_assets.artifacts.write import replace_text
from g_assets.benchmarks.artifact import read_benchmarks
from g_assets.benchmarks.plots import FLOORS_NAME, SAMPLES_NAME, STAGES_NAME, VARIANTS_NAME, draw_all
from g_assets.benchmarks.record import BenchmarkRecord
from g_assets.benchmarks.table import figures_table, place_lines, scaling_table, stage_table
from g_assets.reports.text_table import markdown_table

PAGE_NAME = "benchmarks.md"
IMAGES_NAME = "images"
ALTERNATIVE_TEXTS = {
    FLOORS_NAME: "Floors of each scan",
    STAGES_NAME: "Shares of the stages of each scan",
    VARIANTS_NAME: "Time of a variant against variants",
    SAMPLES_NAME: "Time of a genotype against samples",
}


class MarkError(Exception):
    """The page lacks a mark; the message names it."""


def blocks(record: BenchmarkRecord, pictures: Sequence[str]) -> dict[str, str]:
    """What goes between each pair of marks.

    Args:
        record: Of the run.
        pictures: Names of those that were drawn.
    """
    place = "\n".join(f"- {line}" for line in place_lines(record)) + "\n"
    return {
        "figures": f"{place}\n{image_lines(FLOORS_NAME, pictures)}{markdown_table(figures_table(record))}",
        "stages": f"{image_lines(STAGES_NAME, pictures)}{markdown_table(stage_table(record.profiles))}",
        "scaling": (
            f"{image_lines(VARIANTS_NAME, pictures)}{image_lines(SAMPLES_NAME, pictures)}"
            f"{markdown_table(scaling_table(record))}"
        ),
    }


def image_lines(name: str, pictures: Sequence[str]) -> str:
    """A picture and a blank line; nothing where it was not drawn."""
    return f"![{ALTERNATIVE_TEXTS[name]}]({IMAGES_NAME}/{name})\n\n" if name in pictures else ""


def fill(page: str, name: str, text: str) -> str:
    """The page with another text between ``<!-- NAME begin -->`` and ``<!-- NAME end -->``.

    Raises:
        MarkError: One of the two is not there.
    """
    begin, end = f"<!-- {name} begin -->\n", f"<!-- {name} end -->\n"
    head, found_begin, rest = page.partition(begin)
    _, found_end, tail = rest.partition(end)
    if not found_begin or not found_end:
        raise MarkError(f"no {begin.strip()} followed by {end.strip()}")
    return f"{head}{begin}\n{text}\n{end}{tail}"


def publish(record: BenchmarkRecord, documentation: Path) -> tuple[Path, ...]:
    """Fill the page and draw the pictures; every file written.

    Raises:
        MarkError: The page lacks a mark. Nothing was written.
        OutputError: A picture cannot be written.
    """
    page = documentation / PAGE_NAME
    text = page.read_text(encoding="utf-8")
    for name in blocks(record, ()):
        fill(text, name, "")
    images = documentation / IMAGES_NAME
    images.mkdir(exist_ok=True)
    pictures = draw_all(record, images)
    for name, block in blocks(record, pictures).items():
        text = fill(text, name, block)
    replace_text(page, text)
    return (page, *(images / name for name in pictures))


def main(words: Sequence[str] | None = None) -> int:
    """Publish one run; 0, or 2 where its artifact or the page cannot be used."""
    parser = argparse.ArgumentParser(
        prog="python -m g_assets.benchmarks.publish", description="Write a run's tables and pictures into docs."
    )
    parser.add_argument(
        "--from", dest="directory", type=Path, required=True, metavar="DIR", help="artifact directory of make bench"
    )
    parser.add_argument("--docs", type=Path, default=Path("docs"), metavar="DIR", help="documentation (default docs)")
    given = parser.parse_args(words)
    try:
        written = publish(read_benchmarks(given.directory), given.docs)
    except (ArtifactError, MarkError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    sys.stdout.write("".join(f"{path}\n" for path in written))
    return 0


if __name__ == "__main__":
    sys.exit(main())
