"""Fresh processes: a start-up that ends otherwise than it must is no measurement."""

import sys
from pathlib import Path

import pytest

from g_assets.benchmarks.cases import QT1
from g_assets.benchmarks.datasets import Dataset
from g_assets.benchmarks.process_tasks import START_UPS, StartUp, WholeProcess, start_up_task, whole_process_task
from g_assets.benchmarks.record import Section
from g_assets.benchmarks.shapes import Shape
from g_assets.benchmarks.tasks import Workbench
from g_assets.benchmarks.warm_process import BenchmarkError
from tests.conftest import REPOSITORY

DATASET = Dataset(Shape(400, 600), Path("data"), Path("data/no.bgen"), Path("data/no.sample"))


@pytest.fixture
def bench(tmp_path):
    return Workbench(warm=None, scratch=tmp_path, working_directory=REPOSITORY)


def start_up(row_id):
    return next(start for start in START_UPS if start.row_id == row_id)


@pytest.mark.parametrize("row_id", ["start.python", "start.help", "start.usage"])
def test_a_start_up_ends_as_it_must(bench, row_id):
    assert start_up_task(start_up(row_id)).observe(bench)[row_id] > 0


def test_a_start_up_that_fails_is_no_measurement(bench):
    task = start_up_task(StartUp("x", "x", (sys.executable, "-c", "raise SystemExit('no')"), 0, None, None))
    with pytest.raises(BenchmarkError, match="exit code 1, not 0: no"):
        task.observe(bench)


def test_a_whole_process_gives_the_rows_of_its_sections():
    whole = WholeProcess(
        case=QT1,
        dataset=DATASET,
        threads=2,
        is_cold=False,
        sections=(Section.START_UP, Section.MEMORY),
        memory_at_most=4.5e8,
    )
    wall, memory = whole_process_task(whole).rows
    assert (wall.row_id, wall.section) == ("filled.qt1.bench_400x600.process", Section.START_UP)
    assert (memory.section, memory.at_most) == (Section.MEMORY, 4.5e8)


def test_a_scan_whose_files_are_missing_is_no_measurement(bench):
    whole = WholeProcess(
        case=QT1, dataset=DATASET, threads=2, is_cold=True, sections=(Section.START_UP,), memory_at_most=None
    )
    with pytest.raises(BenchmarkError, match=r"exit code 2, not 0: (?s:.*)no\.bgen"):
        whole_process_task(whole).observe(bench)
