"""``g plots``: Manhattan and QQ plots of every trait of a run.

Belongs here: flags, file names and printing. Does not belong here: drawing (g_core/plots).
"""

import pathlib
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from g_core.config.arguments import QuietParser
from g_core.errors import OutputError, UsageError

if TYPE_CHECKING:
    from g_core.inspection.run_state import RunState, TraitState

DESCRIPTION = """\
Draws a Manhattan plot and a QQ plot with lambda GC for each trait of a run, into OUT.g/plots. Of a run that is not
finished it draws what is committed so far.
"""
PLOTS_FOLDER = "plots"
LEAST_PIXELS = 200
MOST_PIXELS = 10_000


def run(words: Sequence[str]) -> int:
    """Run ``g plots`` and return its exit code.

    Raises:
        UsageError: The words are wrong.
        InputError: It is no run directory, has no such trait, or a file that its record names cannot be read.
        OutputError: A picture cannot be written.
    """
    parser = QuietParser(prog="g plots", description=DESCRIPTION)
    parser.add_argument("directory", type=pathlib.Path, metavar="OUT.g")
    parser.add_argument("--trait", action="append", metavar="NAME", help="only this trait; may be repeated")
    parser.add_argument("--width", type=int, default=1600, metavar="PIXELS", help="of the Manhattan plot; default 1600")
    parser.add_argument(
        "--height", type=int, default=700, metavar="PIXELS", help="of both plots, and width of the QQ plot; default 700"
    )
    given = parser.parse_args(words)
    for flag, pixels in (("--width", given.width), ("--height", given.height)):
        if not LEAST_PIXELS <= pixels <= MOST_PIXELS:
            raise UsageError(f"{flag} {pixels}: allowed: a whole number from {LEAST_PIXELS} to {MOST_PIXELS}")
    from g_core.inspection.run_state import read_run_state  # imports numpy, which --help should not wait for

    state = read_run_state(given.directory)
    traits = chosen_traits(state, given.trait)
    folder = given.directory / PLOTS_FOLDER
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: cannot make the folder: {error.strerror}") from None
    if state.manifest is None:
        sys.stdout.write(f"{given.directory}: the run is not finished; this is what is committed so far\n")
    for trait in traits:
        sys.stdout.write(f"{draw_trait(trait, folder, given.width, given.height)}\n")
    return 0


def chosen_traits(state: "RunState", names: Sequence[str] | None) -> list["TraitState"]:
    """The traits that were asked for, or all.

    Raises:
        UsageError: One of them is not in the run.
    """
    known = {trait.name: trait for trait in state.traits}
    unknown = [name for name in names or () if name not in known]
    if unknown:
        raise UsageError(f"--trait {unknown[0]}: not in this run, which has {', '.join(known) or 'none'}")
    return list(known.values()) if names is None else [known[name] for name in dict.fromkeys(names)]


def draw_trait(trait: "TraitState", folder: pathlib.Path, width: int, height: int) -> str:
    """Draw both plots of a trait, and say in a line what was drawn."""
    from g_core.engine.run_directory import file_name_of
    from g_core.plots.manhattan import draw_manhattan
    from g_core.plots.picture import PictureSize
    from g_core.plots.qq import draw_qq
    from g_core.plots.quantiles import lambda_gc
    from g_core.results.read import read_tested_rows

    if trait.counts.rows and not trait.parts:
        return f"trait {trait.name}: no plots: the run wrote no Parquet results (--format parquet)"
    rows = read_tested_rows(trait.parts)
    name = file_name_of(trait.name)
    manhattan, qq = folder / f"{name}.manhattan.png", folder / f"{name}.qq.png"
    draw_manhattan(rows, PictureSize(width, height), trait.name).save(manhattan)
    draw_qq(rows, PictureSize(height, height), trait.name).save(qq)
    inflation = lambda_gc(rows.chi_square)
    if inflation is None:
        reason = f" ({trait.reason})" if trait.reason is not None else ""
        told = f"no row with a test{reason}; the plots say so"
    else:
        told = f"{rows.log10_p.size:,} tests, lambda GC {inflation:.4f}"
    return f"trait {trait.name}: {told}: {manhattan}, {qq}"
