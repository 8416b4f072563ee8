"""A small record of a benchmark, made by hand."""

from datetime import UTC, datetime

from g_assets.artifacts.models import EnvironmentVariable, Status, Unit
from g_assets.benchmarks.record import BenchmarkRecord, Measured, Row, Section, StageProfile, Unmeasured
from g_assets.benchmarks.shapes import Extent
from tests.assets.fakes import CONTEXT

FLOOR = "floor.bench_400x600.threads2"


def make_row(row_id, section=Section.SCAN, **changes):
    row = Row(
        row_id=row_id,
        section=section,
        title=f"title of {row_id}",
        unit=Unit.SECONDS,
        n_samples=400,
        n_variants=600,
        threads=2,
        floor_id=FLOOR,
        at_most=None,
        aim=None,
    )
    return row.model_copy(update=changes)


def measured(row_id, *values, section=Section.SCAN, **changes):
    return Measured(row=make_row(row_id, section, **changes), values=values)


def floor(*values):
    return measured(FLOOR, *values, section=Section.FLOOR, floor_id=None)


def make_record(*rows, unmeasured=(), profiles=()):
    return BenchmarkRecord(
        run_id="20261130T120000Z",
        extent=Extent.SMALL,
        rounds=3,
        started_at=datetime(2026, 11, 30, 12, tzinfo=UTC),
        context=CONTEXT,
        versions=(EnvironmentVariable(name="numpy", value="2.4"),),
        measured=rows,
        unmeasured=unmeasured,
        profiles=profiles,
    )


def full_record():
    """Every kind of row once, and a figure of two rows."""
    absent = make_row("peer.plink2.qt1", Section.PEER)
    return make_record(
        floor(0.1, 0.2, 0.3),
        measured("qt1.scan", 0.3, 0.4, 0.5, at_most=2.2, aim=1.5),
        measured("qt1.call", 0.6, 0.7, 0.8),
        measured("bt1.scan", 0.9, 1.0, 1.1, at_most=4.5),
        measured("start.help", 0.1, 0.1, 0.2, section=Section.START_UP, floor_id=None, at_most=0.3, aim=0.15),
        measured("step.bench_200x300.threads2.scan", 0.1, section=Section.SCALING, n_samples=200, n_variants=300),
        measured("step.bench_200x900.threads2.scan", 0.6, section=Section.SCALING, n_samples=200, n_variants=900),
        measured("step.bench_400x600.threads2.scan", 0.4, section=Section.SCALING),
        measured("step.bench_400x600.threads1.scan", 0.7, section=Section.SCALING),
        measured("filled.qt1.bench_400x600.process", 1.5, section=Section.START_UP, floor_id=None),
        measured("cold.qt1.bench_400x600.process", 4.0, section=Section.START_UP, floor_id=None),
        measured("filled.qt1.bench_400x600.memory", 3e8, section=Section.MEMORY, unit=Unit.BYTES, floor_id=None),
        unmeasured=(Unmeasured(row=absent, status=Status.SKIPPED, reason="plink2 is not on the search path"),),
        profiles=(StageProfile(case_id="qt1", title="one trait", stages=(("compute", 0.3), ("output", 0.1))),),
    )
