"""Figures made of two rows: speed-up, flatness, what a process costs beside its scan.

Belongs here: which rows are set against each other, and what is demanded of the result. Does not belong here: rows
that are measured themselves (programme.py).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise

from g_assets.artifacts.models import Unit
from g_assets.benchmarks.cases import BT1, MANY_SAMPLES_CASE, QT1, STEP_CASE, ScanCase
from g_assets.benchmarks.record import BenchmarkRecord, Measured
from g_assets.benchmarks.row_ids import (
    MEMORY,
    ONE_THREAD,
    PROCESS,
    SCAN,
    THREADS,
    floor_id,
    step_id,
    thread_step_id,
    whole_id,
)
from g_assets.benchmarks.shapes import SHAPES, Shape

START_UP_AT_MOST_SECONDS = 1.3
COLD_AT_MOST_SECONDS = 2.0
SPEED_UP_AT_LEAST = 1.7


@dataclass(frozen=True, slots=True)
class Derived:
    """One figure with its demand, if there is one."""

    title: str
    value: float
    unit: Unit
    at_most: float | None
    at_least: float | None


def derive(record: BenchmarkRecord) -> tuple[Derived, ...]:
    """Every figure whose two rows were measured."""
    figures = (*start_up(record), *speed_ups(record), *flatness(record))
    return tuple(figure for figure in figures if figure is not None)


def start_up(record: BenchmarkRecord) -> Iterable[Derived | None]:
    """What a process takes beside its scan, and what an empty compile cache adds.

    The scan is that of the warm process, so that what a first chunk waits for counts as start-up.
    """
    shape = SHAPES[record.extent].yardstick
    for case in (QT1, BT1):
        filled = whole_id(case, shape, is_cold=False) + PROCESS
        cold = whole_id(case, shape, is_cold=True) + PROCESS
        yield difference(
            record, f"start-up beyond the scan, {case.title}", filled, case.case_id + SCAN, START_UP_AT_MOST_SECONDS
        )
        yield difference(record, f"an empty compile cache adds, {case.title}", cold, filled, COLD_AT_MOST_SECONDS)


def speed_ups(record: BenchmarkRecord) -> Iterable[Derived | None]:
    """How much faster two threads are than one."""
    shape = SHAPES[record.extent].yardstick
    pairs = (
        ("floor", floor_id(shape, ONE_THREAD), floor_id(shape, THREADS)),
        (QT1.title, step_id(shape, ONE_THREAD) + SCAN, step_id(shape, THREADS) + SCAN),
        (BT1.title, thread_step_id(BT1, ONE_THREAD) + SCAN, thread_step_id(BT1, THREADS) + SCAN),
    )
    for title, one, two in pairs:
        demand = None if title == "floor" else SPEED_UP_AT_LEAST
        yield quotient(record, f"1 to 2 threads, {title}: times as fast", one, two, median_of, at_least=demand)


def flatness(record: BenchmarkRecord) -> Iterable[Derived | None]:
    """How time a variant, time a genotype and memory change from one size to the next; 1 is flat."""
    shapes = SHAPES[record.extent]
    for smaller, larger in pairwise(shapes.variant_steps):
        sizes = f"{smaller.n_variants:,} to {larger.n_variants:,} variants"
        first, second = step_id(larger, THREADS) + SCAN, step_id(smaller, THREADS) + SCAN
        yield quotient(record, f"time a variant, {sizes}", first, second, per_variant, at_least=None)
        first, second = memory_id(STEP_CASE, larger), memory_id(STEP_CASE, smaller)
        yield quotient(record, f"peak memory, {sizes}", first, second, median_of, at_least=None)
    for smaller, larger in pairwise(shapes.sample_steps):
        sizes = f"{smaller.n_samples:,} to {larger.n_samples:,} samples"
        first, second = step_id(larger, THREADS) + SCAN, step_id(smaller, THREADS) + SCAN
        yield quotient(record, f"time a genotype, {sizes}", first, second, per_genotype, at_least=None)
    many, few = memory_id(MANY_SAMPLES_CASE, shapes.many_samples), memory_id(QT1, shapes.yardstick)
    sizes = f"{shapes.yardstick.n_samples:,} to {shapes.many_samples.n_samples:,} samples"
    yield quotient(record, f"peak memory, {sizes}", many, few, median_of, at_least=None)


def memory_id(case: ScanCase, shape: Shape) -> str:
    """Row id of the peak memory of a process."""
    return whole_id(case, shape, is_cold=False) + MEMORY


def median_of(measured: Measured) -> float | None:
    """The median as it is."""
    return measured.median


def per_variant(measured: Measured) -> float | None:
    """Time of a variant."""
    return measured.seconds_per_variant


def per_genotype(measured: Measured) -> float | None:
    """Time of a genotype."""
    return measured.seconds_per_genotype


def difference(record: BenchmarkRecord, title: str, whole: str, part: str, at_most: float) -> Derived | None:
    """Seconds by which one row is longer than another; None where one was not measured."""
    first, second = record.find(whole), record.find(part)
    if first is None or second is None:
        return None
    return Derived(title, first.median - second.median, Unit.SECONDS, at_most=at_most, at_least=None)


def quotient(
    record: BenchmarkRecord,
    title: str,
    numerator: str,
    denominator: str,
    figure: Callable[[Measured], float | None],
    *,
    at_least: float | None,
) -> Derived | None:
    """One row over another; None where one was not measured."""
    first, second = record.find(numerator), record.find(denominator)
    above, below = None if first is None else figure(first), None if second is None else figure(second)
    if above is None or not below:
        return None
    return Derived(title, above / below, Unit.RATIO, at_most=None, at_least=at_least)
