"""The matrix through Dagster, with fake measurements: what a run leaves, and what the next one makes of it."""

from collections.abc import Iterator
from dataclasses import dataclass

import dagster as dg
import pytest
from dagster import ExecuteInProcessResult

from tests.assets.defs.conftest import Laboratory, facts, laboratory_in, manifest_of, materialised

ASSETS = {
    "plan",
    "binary_cpu",
    "binary_gpu",
    "binary_gpu_cached",
    "linear_cpu",
    "linear_gpu",
    "linear_gpu_cached",
    "manifest",
    "comparison",
    "report",
}


@dataclass(frozen=True, slots=True)
class Nights:
    """Runs of one laboratory, in this order."""

    first: ExecuteInProcessResult
    second: ExecuteInProcessResult
    capped: ExecuteInProcessResult
    failed: ExecuteInProcessResult
    slower: ExecuteInProcessResult
    forced: ExecuteInProcessResult
    moved: ExecuteInProcessResult


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nights]:
    with laboratory_in(tmp_path_factory.mktemp("nights")) as laboratory:
        first = laboratory.run()
        yield Nights(
            first=first,
            second=laboratory.run(wall_seconds=2.1),
            capped=laboratory.run({"variant_limit": 2000}),
            failed=laboratory.run(failing=["binary_cpu"]),
            slower=laboratory.run(wall_seconds=4.0, results="b"),
            forced=laboratory.run({"forced_baseline": first.run_id[:8]}),
            moved=laboratory.run(wall_seconds=1.0, results="c", effect=0.50001),
        )


def checks(result: ExecuteInProcessResult) -> dict[str, bool]:
    return {evaluation.check_name: evaluation.passed for evaluation in result.get_asset_check_evaluations()}


def test_a_run_materialises_the_whole_group(nights):
    assert nights.first.success
    assert materialised(nights.first) == ASSETS


def test_a_cell_shows_its_numbers(nights):
    shown = facts(nights.first, "linear_cpu")
    assert {
        name: shown[name] for name in ("status", "valid", "wall_seconds", "variants_per_second", "rows", "parts")
    } == {
        "status": "success",
        "valid": True,
        "wall_seconds": 2.0,
        "variants_per_second": 1000.0,
        "rows": 1000,
        "parts": 1,
    }
    assert {"peak_memory_bytes", "result_bytes", "stage_seconds/decode", "trial_1_stderr", "commit"} <= shown.keys()


def test_a_gpu_cell_without_a_gpu_is_unsupported_with_the_reason(nights):
    shown = facts(nights.first, "binary_gpu_cached")
    assert (shown["status"], shown["reason"], shown["valid"]) == ("unsupported", "no GPU on node1", False)


def test_the_run_id_is_in_every_path(nights):
    for asset in ASSETS - {"plan", "binary_gpu", "linear_gpu"}:
        paths = [value for value in facts(nights.second, asset).values() if str(value).startswith("/")]
        assert paths, asset
        assert all(nights.second.run_id in str(path) for path in paths), asset


def test_the_first_run_has_no_baseline_and_is_no_failure(nights):
    comparison = facts(nights.first, "comparison")
    assert (comparison["status"], comparison["reason"]) == ("no_baseline", "no earlier run")
    assert "No baseline: no earlier run." in facts(nights.first, "report")["report"]
    assert all(checks(nights.first).values())


def test_the_second_run_compares_itself_with_the_first(nights):
    comparison = facts(nights.second, "comparison")
    assert (comparison["status"], comparison["baseline_run_id"]) == ("compared", nights.first.run_id)
    assert comparison["linear_cpu_wall_ratio"] == pytest.approx(1.05)
    report = facts(nights.second, "report")["report"]
    commit = facts(nights.first, "manifest")["commit"]
    assert f"Compared with run {nights.first.run_id[:8]} of commit {commit[:10]}, finished 20" in report
    assert all(checks(nights.second).values())


def test_another_variant_limit_is_another_scope(nights):
    comparison = facts(nights.capped, "comparison")
    assert comparison["status"] == "no_baseline"
    assert "equal scope" in comparison["reason"]
    assert facts(nights.capped, "plan")["variant_limit"] == 2000
    assert manifest_of(nights.capped).plan.work.variant_limit == 2000


def test_a_failed_cell_fails_the_run_and_leaves_everything_else(nights):
    assert not nights.failed.success
    assert materialised(nights.failed) == ASSETS
    failed = {name for name, passed in checks(nights.failed).items() if not passed}
    assert failed == {"complete", "every_case_ended_well"}
    assert facts(nights.failed, "binary_cpu")["status"] == "failed"
    assert "the engine stopped" in facts(nights.failed, "binary_cpu")["log_tail"]
    assert facts(nights.failed, "linear_cpu")["status"] == "success"
    report = facts(nights.failed, "report")["report"]
    assert "1 failed" in report
    assert "exit 1: the engine stopped" in report


def test_a_failed_run_is_compared_but_is_never_a_baseline(nights):
    assert facts(nights.failed, "comparison")["baseline_run_id"] == nights.second.run_id
    assert facts(nights.failed, "manifest")["valid"] is False
    assert facts(nights.slower, "comparison")["baseline_run_id"] == nights.second.run_id


def test_a_regression_and_other_bits_within_tolerance_warn_and_let_the_run_pass(nights):
    assert nights.slower.success
    assert {name for name, passed in checks(nights.slower).items() if not passed} == {"no_regression", "same_results"}
    assert facts(nights.slower, "comparison")["cases_regression"] == 2


def test_a_faster_run_whose_numbers_moved_fails_and_is_no_improvement(nights):
    assert not nights.moved.success
    assert materialised(nights.moved) == ASSETS
    assert {name for name, passed in checks(nights.moved).items() if not passed} == {"same_results", "numbers_held"}
    comparison = facts(nights.moved, "comparison")
    assert (comparison["cases_improvement"], comparison["cases_not_comparable"]) == (0, len(ASSETS) - 4)
    (check,) = (
        evaluation
        for evaluation in nights.moved.get_asset_check_evaluations()
        if evaluation.check_name == "numbers_held"
    )
    assert "binary_cpu: largest change: BETA of rs1, trait T, from 0.5 to 0.50001" in check.description
    report = facts(nights.moved, "report")["report"]
    assert "**FAILED: numbers moved in binary_cpu, linear_cpu" in report
    assert "| binary_cpu | success | FAILED: numbers moved |" in report


def test_a_baseline_can_be_forced_by_the_start_of_its_run_id(nights):
    comparison = facts(nights.forced, "comparison")
    assert (comparison["baseline_run_id"], comparison["baseline_forced"]) == (nights.first.run_id, True)


def test_a_plan_only_measures_nothing(laboratory: Laboratory):
    result = laboratory.run({"plan_only": True})
    assert result.success
    assert materialised(result) == {"plan"}
    commands = facts(result, "plan")["commands"]
    assert commands.count("g regenie") == len(ASSETS - {"plan", "manifest", "comparison", "report"})


def test_a_part_of_the_matrix_builds_on_the_newest_plan(laboratory: Laboratory):
    whole = laboratory.run(failing=["linear_cpu"])
    mended = laboratory.run(selection=["linear_cpu", "manifest", "comparison", "report"])
    assert mended.success
    assert materialised(mended) == {"linear_cpu", "manifest", "comparison", "report"}
    runs = {cell.case_id: cell.run_id for cell in manifest_of(mended).cells}
    assert runs.pop("linear_cpu") == mended.run_id
    assert set(runs.values()) == {whole.run_id}


def test_cells_of_another_plan_are_missing_from_the_manifest(laboratory: Laboratory):
    laboratory.run()
    result = laboratory.run({"variant_limit": 10}, selection=["plan", "linear_cpu", "manifest", "report"])
    assert not result.success
    manifest = manifest_of(result)
    assert [cell.case_id for cell in manifest.cells] == ["linear_cpu"]
    assert not manifest.valid
    assert "binary_cpu is missing" in manifest.reason


def test_a_config_value_out_of_its_limits_is_named(laboratory: Laboratory):
    result = laboratory.run({"p_threshold": 2.0})
    failure = next(event for event in result.all_node_events if event.is_step_failure)
    assert "p_threshold: Input should be less than 1" in failure.step_failure_data.error_display_string


def test_an_unknown_config_field_is_refused(laboratory: Laboratory):
    with pytest.raises(dg.DagsterInvalidConfigError, match="variant_limits"):
        laboratory.run({"variant_limits": 2000})
