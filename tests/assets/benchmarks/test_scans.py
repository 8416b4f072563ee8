"""Scans in the warm process: the scan within its call, its stages in a run of its own, failures with their words."""

from dataclasses import replace

import pytest

from g_assets.benchmarks.cases import QT1
from g_assets.benchmarks.datasets import make_dataset
from g_assets.benchmarks.profiles import run_profiles
from g_assets.benchmarks.record import Section
from g_assets.benchmarks.scan_tasks import scan_task
from g_assets.benchmarks.shapes import Shape
from g_assets.benchmarks.tasks import Workbench
from g_assets.benchmarks.warm_process import BenchmarkError, warm_process
from tests.conftest import REPOSITORY


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    return make_dataset(tmp_path_factory.mktemp("data"), Shape(60, 20), QT1.tables, threads=1)


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    scratch = tmp_path_factory.mktemp("scratch")
    with warm_process(scratch / "log.txt", REPOSITORY) as warm:
        yield Workbench(warm=warm, scratch=scratch, working_directory=REPOSITORY)


def test_a_scan_is_a_part_of_its_call(bench, dataset):
    task = scan_task(QT1, dataset, section=Section.SCAN, row_id="qt1", title=QT1.title, threads=1)
    observed = task.observe(bench)
    assert 0 < observed["qt1.scan"] < observed["qt1.call"]


def test_a_profile_tells_the_stages_of_the_call_and_not_the_age_of_the_process(bench, dataset):
    (profile,), failed = run_profiles([(QT1, dataset)], bench, threads=1, tell=lambda _line: None)
    stages = dict(profile.stages)
    assert {"preflight", "compute"} <= stages.keys()
    assert "startup" not in stages
    assert failed == ()


def test_a_scan_that_fails_tells_its_words_and_a_failed_profile_is_a_row(bench, dataset):
    case = replace(QT1, options=("--minMAC", "many"))
    task = scan_task(case, dataset, section=Section.SCAN, row_id="qt1", title=case.title, threads=1)
    with pytest.raises(BenchmarkError, match=r"exit code 2: (?s:.*)--minMAC"):
        task.observe(bench)
    profiles, (failed,) = run_profiles([(case, dataset)], bench, threads=1, tell=lambda _line: None)
    assert profiles == ()
    assert failed.row.row_id == "profile.qt1"
