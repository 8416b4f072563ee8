"""Two matrices side by side."""

import pytest

from g_assets.artifacts.models import Judgement, Status
from g_assets.artifacts.write import json_text
from g_assets.compare.baseline import Baseline, NoBaseline, Skipped
from g_assets.compare.matrix import compare_with_choice
from g_assets.compare.models import ComparisonStatus, MatrixComparison, ResultParity
from tests.assets.artifacts.records import failed_cell, make_cell, make_context, make_figures, make_matrix, make_trial
from tests.assets.fakes import write_results


def compare(tmp_path, current, baseline, *, forced=False):
    path = tmp_path / "matrix.json"
    path.write_text(json_text(baseline))
    choice = Baseline(str(path), baseline.run_id, forced, True, ())
    return compare_with_choice(current, choice, neutral_band_percent=10.0)


def cell_of(comparison, case_id):
    return next(cell for cell in comparison.cells if cell.case_id == case_id)


def test_the_same_numbers_are_neutral_and_unsupported_cells_are_shown_as_such(tmp_path):
    comparison = compare(tmp_path, make_matrix(), make_matrix(run_id="run-then"))
    assert comparison.status is ComparisonStatus.COMPARED
    assert [cell.judgement for cell in comparison.cells].count(Judgement.NEUTRAL) == 2
    gpu = cell_of(comparison, "binary_gpu")
    assert (gpu.judgement, gpu.reason) == (Judgement.NOT_COMPARABLE, "unsupported in both runs")
    assert comparison.baseline.run_id == "run-then"


def test_a_slower_cell_is_a_regression_with_its_ratio(tmp_path):
    slow = make_cell("binary_cpu", trials=(make_trial(wall_seconds=12.0),))
    cell = cell_of(compare(tmp_path, make_matrix(slow), make_matrix()), "binary_cpu")
    wall = cell.metrics[0]
    assert (cell.judgement, wall.name, wall.ratio) == (Judgement.REGRESSION, "wall_seconds", 2.0)
    assert (wall.current, wall.baseline, wall.current_trials) == (12.0, 6.0, 1)


def cell_with_results(folder, *, sha256, wall_seconds=6.0, **results):
    trial = make_trial(wall_seconds=wall_seconds, figures=make_figures(results_sha256=sha256 * 64))
    write_results(folder / trial.run_directory, **results)
    return make_cell("linear_cpu", trials=(trial,), directory=str(folder))


def test_a_faster_cell_whose_numbers_moved_is_a_failure_and_no_improvement(tmp_path):
    then = cell_with_results(tmp_path / "then", sha256="a")
    now = cell_with_results(tmp_path / "now", sha256="b", wall_seconds=1.0, effect=0.51)
    comparison = compare(tmp_path, make_matrix(now), make_matrix(then))
    cell = cell_of(comparison, "linear_cpu")
    assert comparison.cells_with_moved_numbers == ("linear_cpu",)
    assert (cell.judgement, cell.results) == (Judgement.NOT_COMPARABLE, ResultParity.MOVED)
    assert cell.reason.startswith("its numbers moved: largest change: BETA of rs1, trait T, from 0.5 to 0.51")
    assert all(metric.ratio is None for metric in cell.metrics)
    assert cell_of(comparison, "binary_cpu").results is ResultParity.EQUAL


def test_other_bits_within_tolerance_are_said_and_leave_the_verdict(tmp_path):
    then = cell_with_results(tmp_path / "then", sha256="a")
    now = cell_with_results(tmp_path / "now", sha256="b", wall_seconds=1.0, effect=0.500001)
    comparison = compare(tmp_path, make_matrix(now), make_matrix(then))
    cell = cell_of(comparison, "linear_cpu")
    assert comparison.cells_with_moved_numbers == ()
    assert (cell.judgement, cell.results) == (Judgement.IMPROVEMENT, ResultParity.WITHIN_TOLERANCE)
    assert "from 0.5 to 0.500001" in cell.results_reason


def test_results_that_are_gone_have_not_held(tmp_path):
    now = cell_with_results(tmp_path / "now", sha256="b")
    cell = cell_of(compare(tmp_path, make_matrix(now), make_matrix()), "linear_cpu")
    assert cell.results is ResultParity.MOVED
    assert "holds no results any more" in cell.results_reason


def test_a_baseline_of_another_scope_says_nothing_of_the_numbers(tmp_path):
    now = cell_with_results(tmp_path / "now", sha256="b")
    cell = cell_of(compare(tmp_path, make_matrix(now), make_matrix(variant_limit=100), forced=True), "linear_cpu")
    assert (cell.results, cell.judgement) == (ResultParity.UNKNOWN, Judgement.NEUTRAL)


def test_another_number_of_rows_is_other_work(tmp_path):
    fewer = make_cell("linear_cpu", trials=(make_trial(figures=make_figures(rows=10, results_sha256="b" * 64)),))
    cell = cell_of(compare(tmp_path, make_matrix(fewer), make_matrix()), "linear_cpu")
    assert cell.judgement is Judgement.NOT_COMPARABLE
    assert cell.reason == "other work: 10 rows against 20000"
    assert cell.results is ResultParity.MOVED
    assert all(metric.ratio is None for metric in cell.metrics)


def test_a_failed_cell_is_not_comparable(tmp_path):
    cell = cell_of(compare(tmp_path, make_matrix(failed_cell("binary_cpu")), make_matrix()), "binary_cpu")
    assert (cell.judgement, cell.reason) == (Judgement.NOT_COMPARABLE, "failed in this run")
    assert cell.results is ResultParity.UNKNOWN


def test_a_cell_that_only_one_run_has_is_shown(tmp_path):
    baseline = make_matrix()
    current = baseline.model_copy(update={"cells": baseline.cells[1:]})
    missing = cell_of(compare(tmp_path, current, baseline), "binary_cpu")
    assert (missing.current_status, missing.reason) == (None, "not in this run")
    new = cell_of(compare(tmp_path, baseline, current), "binary_cpu")
    assert (new.baseline_status, new.reason) == (None, "not in the baseline")


def test_trials_that_disagree_have_no_checksum(tmp_path):
    trials = (make_trial(1), make_trial(2, figures=make_figures(results_sha256="b" * 64)))
    comparison = compare(tmp_path, make_matrix(make_cell("linear_cpu", trials=trials)), make_matrix())
    assert cell_of(comparison, "linear_cpu").results is ResultParity.UNKNOWN


def test_no_baseline_is_a_state_with_its_reason():
    choice = NoBaseline("no earlier run", (Skipped("run-1", "another scope"),))
    comparison = compare_with_choice(make_matrix(), choice, neutral_band_percent=10.0)
    assert (comparison.status, comparison.reason) == (ComparisonStatus.NO_BASELINE, "no earlier run")
    assert (comparison.baseline, comparison.cells) == (None, ())
    assert comparison.skipped[0].reason == "another scope"


def test_a_baseline_that_cannot_be_read_is_no_baseline(tmp_path):
    path = tmp_path / "matrix.json"
    path.write_text("{")
    choice = Baseline(str(path), "run-then", True, True, ())
    comparison = compare_with_choice(make_matrix(), choice, neutral_band_percent=10.0)
    assert comparison.status is ComparisonStatus.NO_BASELINE
    assert str(path) in comparison.reason


def test_a_forced_manifest_of_a_failed_run_is_no_baseline(tmp_path):
    failed = make_matrix(failed_cell("binary_cpu"))
    assert failed.status is Status.PARTIAL
    comparison = compare(tmp_path, make_matrix(), failed, forced=True)
    assert comparison.status is ComparisonStatus.NO_BASELINE


def test_a_forced_baseline_of_another_scope_says_so(tmp_path):
    comparison = compare(tmp_path, make_matrix(), make_matrix(variant_limit=100), forced=True)
    assert comparison.same_scope is False
    assert "another scope" in comparison.reason


def test_a_comparison_survives_json(tmp_path):
    comparison = compare(tmp_path, make_matrix(failed_cell("binary_cpu")), make_matrix())
    assert MatrixComparison.model_validate_json(comparison.model_dump_json()) == comparison


def on_a_busy_machine(cell, load):
    context = make_context()
    host = context.host.model_copy(update={"load_average_at_start": load})
    return cell.model_copy(update={"context": context.model_copy(update={"host": host})})


@pytest.mark.parametrize(
    ("load", "cpu_seconds", "expected"),
    [
        (0.5, 6.0, Judgement.REGRESSION),
        (9.0, 6.0, Judgement.INCONCLUSIVE),
        (9.0, 12.0, Judgement.REGRESSION),
    ],
    ids=["idle: waiting is a regression", "busy: waiting says nothing", "busy: more work is a regression"],
)
def test_a_busy_machine_casts_doubt_unless_the_cpu_time_changed_too(tmp_path, load, cpu_seconds, expected):
    trial = make_trial(wall_seconds=12.0).model_copy(update={"cpu_seconds": cpu_seconds})
    slow = on_a_busy_machine(make_cell("binary_cpu", trials=(trial,)), load)
    forth = cell_of(compare(tmp_path, make_matrix(slow), make_matrix()), "binary_cpu")
    assert forth.judgement is expected
    assert ("busy (load 9.0 on 2 CPUs)" in forth.reason) is (expected is Judgement.INCONCLUSIVE)
    back = cell_of(compare(tmp_path, make_matrix(), make_matrix(slow)), "binary_cpu")
    assert (back.judgement is Judgement.INCONCLUSIVE) is (expected is Judgement.INCONCLUSIVE)
