"""The record as tables.

Belongs here: columns and words. Does not belong here: drawing a table (reports/text_table.py), or numbers of two rows
(derived.py).
"""

from g_assets.artifacts.models import Unit
from g_assets.benchmarks.derived import Derived, derive
from g_assets.benchmarks.record import BenchmarkRecord, Measured, Section, StageProfile, Unmeasured
from g_assets.benchmarks.row_ids import CALL, SCAN
from g_assets.reports.format import MISSING, commit, count, moment
from g_assets.reports.rows import Table

MEGABYTE = 1e6
NANOSECOND = 1e-9
REACHED, AIM_REACHED, ABOVE, BELOW = "reached", "aim reached", "above", "below"


def figures_table(record: BenchmarkRecord) -> Table:
    """Every row, measured or not, in the order of the sections; after them the figures made of two rows."""
    rows: list[tuple[str, ...]] = []
    for section in Section:
        shown = (measured for measured in record.measured if measured.row.section is section)
        rows += [measured_row(record, measured) for measured in shown if not measured.row.row_id.endswith(CALL)]
        rows += [unmeasured_row(absent) for absent in record.unmeasured if absent.row.section is section]
    rows += [derived_row(derived) for derived in derive(record)]
    header = ("part", "row", "median", "min - max", "whole call", "variants/s", "floors", "demanded", "aim", "verdict")
    return Table(header, tuple(rows), left_columns=2)


def measured_row(record: BenchmarkRecord, measured: Measured) -> tuple[str, ...]:
    """One row with its demand: in floors where it has a floor, else in its own unit."""
    row = measured.row
    floors, call = record.floors(measured), record.whole_call(measured)
    judged = measured.median if row.floor_id is None else floors
    in_floors = row.floor_id is not None
    has_rate = row.unit is Unit.SECONDS and row.section is not Section.START_UP
    rate = 1 / measured.seconds_per_variant if has_rate and measured.seconds_per_variant else None
    spread = f"{value_text(min(measured.values), row.unit)} - {value_text(max(measured.values), row.unit)}"
    return (
        part_text(row.section),
        row.title,
        value_text(measured.median, row.unit),
        spread,
        MISSING if call is None else value_text(call.median, row.unit),
        count(rate),
        MISSING if floors is None else f"{floors:.2f}",
        demand_text(row.at_most, row.unit, in_floors=in_floors),
        demand_text(row.aim, row.unit, in_floors=in_floors),
        verdict(judged, at_most=row.at_most, at_least=None, aim=row.aim),
    )


def unmeasured_row(absent: Unmeasured) -> tuple[str, ...]:
    """A row that says why it has no number."""
    return (part_text(absent.row.section), f"{absent.row.title}: {absent.reason}", *[MISSING] * 8)


def derived_row(derived: Derived) -> tuple[str, ...]:
    """A figure of two medians, which has no spread of its own."""
    demanded = MISSING
    if derived.at_most is not None:
        demanded = demand_text(derived.at_most, derived.unit, in_floors=False)
    elif derived.at_least is not None:
        demanded = f"at least {derived.at_least:g}"
    judged = verdict(derived.value, at_most=derived.at_most, at_least=derived.at_least, aim=None)
    value = value_text(derived.value, derived.unit)
    return ("of two rows", derived.title, value, MISSING, MISSING, MISSING, MISSING, demanded, MISSING, judged)


def part_text(section: Section) -> str:
    """A section in words."""
    return section.value.replace("_", "-")


def value_text(value: float, unit: Unit) -> str:
    """``0.243 s``, ``385 MB``, ``1.71``."""
    if unit is Unit.SECONDS:
        return f"{value:.3f} s"
    if unit is Unit.BYTES:
        return f"{value / MEGABYTE:,.0f} MB"
    return f"{value:.2f}"


def demand_text(demand: float | None, unit: Unit, *, in_floors: bool) -> str:
    """A demand as the column of its row is written."""
    if demand is None:
        return MISSING
    return f"{demand:g} floors" if in_floors else value_text(demand, unit)


def verdict(value: float | None, *, at_most: float | None, at_least: float | None, aim: float | None) -> str:
    """Whether a demand is reached; a dash where there is none. Nothing fails by it: a time depends on the machine."""
    if value is None or (at_most is None and at_least is None):
        return MISSING
    if at_most is not None and value > at_most:
        return ABOVE
    if at_least is not None and value < at_least:
        return BELOW
    return AIM_REACHED if aim is not None and value <= aim else REACHED


def stage_table(profiles: tuple[StageProfile, ...]) -> Table:
    """Milliseconds of each stage of each scan."""
    names = list(dict.fromkeys(name for profile in profiles for name, _ in profile.stages))
    rows: list[tuple[str, ...]] = []
    for profile in profiles:
        seconds = dict(profile.stages)
        rows.append((profile.title, *(milliseconds(seconds.get(name)) for name in names)))
    return Table(("scan", *(f"{name.replace('_', ' ')} ms" for name in names)), tuple(rows), left_columns=1)


def milliseconds(seconds: float | None) -> str:
    """``12.3``."""
    return MISSING if seconds is None else f"{seconds * 1000:,.1f}"


def scaling_table(record: BenchmarkRecord) -> Table:
    """Time of a variant and of a genotype for every scan of the scaling section."""
    rows = tuple(
        (
            measured.row.title,
            count(measured.row.n_samples),
            count(measured.row.n_variants),
            str(measured.row.threads),
            value_text(measured.median, Unit.SECONDS),
            f"{(measured.seconds_per_variant or 0) * 1e6:.1f}",
            f"{(measured.seconds_per_genotype or 0) / NANOSECOND:.2f}",
            f"{record.floors(measured) or 0:.2f}",
        )
        for measured in record.measured
        if measured.row.section is Section.SCALING and measured.row.row_id.endswith(SCAN)
    )
    header = ("scan", "samples", "variants", "threads", "scan time", "us a variant", "ns a genotype", "floors")
    return Table(header, rows, left_columns=1)


def place_lines(record: BenchmarkRecord) -> list[str]:
    """Machine, versions, commit and size of the measurement, a line each."""
    host, build = record.context.host, record.context.build
    versions = ", ".join(f"{fact.name} {fact.value}" for fact in record.versions)
    memory = "unknown memory" if host.memory_bytes is None else f"{host.memory_bytes / 1e9:.0f} GB"
    load = "unknown" if host.load_average_at_start is None else f"{host.load_average_at_start:.2f}"
    return [
        f"{moment(record.started_at)}, commit {commit(build.commit, dirty=build.dirty)}, run {record.run_id}",
        f"{host.cpu_affinity_count} CPUs of {host.cpu_model}, {memory}, {host.system}, load {load} at the start",
        f"Python {build.python_version}, JAX {build.jax_version}, {versions}",
        f"{record.extent.value}: medians of {record.rounds} interleaved rounds after one that does not count",
    ]
