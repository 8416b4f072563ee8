"""What a run measures: each floor that a row is told in, and a panel only where it is there or asked for."""

from dataclasses import replace

import pytest

from g_assets.artifacts.models import Status
from g_assets.benchmarks.cases import PANEL_CASES, YARDSTICK_CASES
from g_assets.benchmarks.programme import make_programme
from g_assets.benchmarks.record import Section
from g_assets.benchmarks.shapes import SHAPES, Extent, Shape

SMALL = replace(SHAPES[Extent.SMALL], yardstick=Shape(30, 12), panel=Shape(24, 10))
SCAN = (Section.SCAN,)
YARDSTICK_ROWS = [f"{case.case_id}.scan" for case in YARDSTICK_CASES]
PANEL_ROWS = [f"{case.case_id}.scan" for case in PANEL_CASES]


def scans(programme):
    return [row.row_id for task in programme.tasks for row in task.rows if row.row_id.endswith(".scan")]


def test_a_panel_that_is_not_there_is_told_and_not_made(tmp_path):
    programme = make_programme(SMALL, tmp_path, SCAN)
    assert scans(programme) == YARDSTICK_ROWS
    assert [(row.row.row_id, row.status) for row in programme.unmeasured] == [
        (row_id, Status.SKIPPED) for row_id in PANEL_ROWS
    ]
    assert not (tmp_path / "bench_24x10").exists()


def test_a_panel_is_made_where_it_is_asked_for_and_measured_where_it_is_there(tmp_path):
    for shapes in (replace(SMALL, makes_panel=True), SMALL):
        programme = make_programme(shapes, tmp_path, SCAN)
        assert scans(programme) == [*YARDSTICK_ROWS, *PANEL_ROWS]
        assert programme.unmeasured == ()


@pytest.mark.parametrize("section", [Section.SCAN, Section.SCALING, Section.READING])
def test_every_floor_that_a_row_is_told_in_is_measured_before_it(tmp_path, section):
    programme = make_programme(SHAPES[Extent.SMALL], tmp_path, (section,))
    measured = set()
    for task in programme.tasks:
        assert {row.floor_id for row in task.rows} - {None} <= measured
        measured |= {row.row_id for row in task.rows}
    assert len(measured) == sum(len(task.rows) for task in programme.tasks)
