"""The record as pictures.

Belongs here: bars and lines. Does not belong here: numbers (record.py, derived.py), or where pictures go (publish.py).
"""

from pathlib import Path

from g_assets.benchmarks.record import BenchmarkRecord, Measured, Section
from g_assets.benchmarks.row_ids import SCAN, THREADS, step_id
from g_assets.benchmarks.shapes import SHAPES, Shape
from g_core.plots.picture import Picture, PictureSize

SIZE = PictureSize(width=900, height=480)
BAR_COLOUR, DEMAND_COLOUR, AIM_COLOUR = "#1f497d", "firebrick", "#3a8a3a"
STAGE_COLOURS = (
    *("#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#b07aa1", "#9c755f", "#ff9da7", "#1f497d", "#edc948", "#76b7b2"),
    *("#bab0ac", "#2f2f2f"),
)
# Room for the rows' names, which stand left of the axes.
BARS_AREA = (0.42, 0.12, 0.52, 0.78)
STAGES_AREA = (0.42, 0.3, 0.55, 0.6)
LINES_AREA = (0.1, 0.14, 0.86, 0.76)
FLOORS_NAME, STAGES_NAME = "bench_floors.png", "bench_stages.png"
VARIANTS_NAME, SAMPLES_NAME = "bench_variants.png", "bench_samples.png"


def draw_all(record: BenchmarkRecord, folder: Path) -> tuple[str, ...]:
    """Draw what the record has the rows for; the names of the pictures.

    Raises:
        OutputError: A picture cannot be written.
    """
    shapes = SHAPES[record.extent]
    pictures = {
        FLOORS_NAME: draw_floors(record),
        STAGES_NAME: draw_stages(record),
        VARIANTS_NAME: draw_steps(record, shapes.variant_steps, by_samples=False),
        SAMPLES_NAME: draw_steps(record, shapes.sample_steps, by_samples=True),
    }
    drawn = {name: picture for name, picture in pictures.items() if picture is not None}
    for name, picture in drawn.items():
        picture.save(folder / name)
    return tuple(drawn)


def draw_floors(record: BenchmarkRecord) -> Picture | None:
    """Floors of each scan and each peer, with what is demanded; None where no scan was measured."""
    shown = [row for row in record.measured if row.row.section in (Section.SCAN, Section.PEER) and is_bar(row)]
    if not shown:
        return None
    picture = Picture(SIZE, "Time of a scan in floors (reading and inflating the same BGEN alone)")
    axes = picture.axes
    axes.set_position(BARS_AREA)
    floors = [record.floors(row) or 0.0 for row in shown]
    places = list(range(len(shown)))
    axes.barh(places, floors, color=BAR_COLOUR)
    for demands, colour, label in (
        ([row.row.at_most for row in shown], DEMAND_COLOUR, "demanded at most"),
        ([row.row.aim for row in shown], AIM_COLOUR, "aim"),
    ):
        marked = [(demand, place) for place, demand in enumerate(demands) if demand is not None]
        axes.plot(*zip(*marked, strict=True), "|", color=colour, markersize=16, markeredgewidth=2, label=label)
    for place, value in enumerate(floors):
        axes.text(value, place, f" {value:.2f}", va="center", fontsize=9)
    axes.set_yticks(places, [row.row.title for row in shown], fontsize=9)
    axes.invert_yaxis()
    axes.axvline(1.0, color="grey", linewidth=0.8)
    axes.set_xlabel("floors")
    axes.legend(frameon=False, fontsize=9, loc="lower right", markerscale=0.6)
    return picture


def is_bar(measured: Measured) -> bool:
    """Whole calls of ours are left out: they stand in the table."""
    return measured.row.section is Section.PEER or measured.row.row_id.endswith(SCAN)


def draw_stages(record: BenchmarkRecord) -> Picture | None:
    """Shares of each stage in the call of each scan; None where none was profiled."""
    if not record.profiles:
        return None
    picture = Picture(SIZE, "Where the time of a call goes, stages one after another")
    axes = picture.axes
    axes.set_position(STAGES_AREA)
    names = dict.fromkeys(name for profile in record.profiles for name, _ in profile.stages)
    colours = {name: STAGE_COLOURS[place % len(STAGE_COLOURS)] for place, name in enumerate(names)}
    left = [0.0] * len(record.profiles)
    for name in names:
        shares = [dict(p.stages).get(name, 0.0) / sum(seconds for _, seconds in p.stages) for p in record.profiles]
        axes.barh(range(len(shares)), shares, left=left, label=name.replace("_", " "), color=colours[name])
        left = [start + share for start, share in zip(left, shares, strict=True)]
    axes.set_yticks(range(len(left)), [profile.title for profile in record.profiles], fontsize=9)
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of the call")
    axes.legend(frameon=False, fontsize=9, ncols=4, loc="upper center", bbox_to_anchor=(0.1, -0.17))
    return picture


def draw_steps(record: BenchmarkRecord, steps: tuple[Shape, ...], *, by_samples: bool) -> Picture | None:
    """Time against size: flat is linear. None where fewer than two sizes were measured."""
    found = [(shape, record.find(step_id(shape, THREADS) + SCAN)) for shape in steps]
    measured = [(shape, row) for shape, row in found if row is not None]
    if len(measured) < 2:
        return None
    if by_samples:
        title, what = "Time of a genotype against samples", "samples"
        sizes = [shape.n_samples for shape, _ in measured]
        times = [(row.seconds_per_genotype or 0.0) * 1e9 for _, row in measured]
        unit = "ns a genotype"
    else:
        title, what = f"Time of a variant against variants, {measured[0][0].n_samples:,} samples", "variants"
        sizes = [shape.n_variants for shape, _ in measured]
        times = [(row.seconds_per_variant or 0.0) * 1e6 for _, row in measured]
        unit = "us a variant"
    picture = Picture(SIZE, title)
    axes = picture.axes
    axes.set_position(LINES_AREA)
    axes.plot(sizes, times, "o-", color=BAR_COLOUR)
    axes.set_xscale("log")
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.set_xlabel(what)
    axes.set_ylabel(unit)
    return picture
