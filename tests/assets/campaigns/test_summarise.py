"""Joining cells: status, validity and scope of a matrix."""

import pytest

from g_assets.artifacts.models import Status
from g_assets.campaigns.matrix import summarise
from g_assets.campaigns.matrix_manifest import MatrixManifest
from tests.assets.artifacts.records import failed_cell, make_cell, make_context, make_matrix, make_plan


def test_a_matrix_on_a_machine_without_gpu_is_a_success_and_may_be_a_baseline():
    manifest = make_matrix()
    assert (manifest.status, manifest.valid, manifest.reason) == (Status.SUCCESS, True, None)
    assert len(manifest.cells) == 6


def test_a_failed_cell_makes_it_partial_and_never_a_baseline():
    manifest = make_matrix(failed_cell("binary_cpu"))
    assert (manifest.status, manifest.valid) == (Status.PARTIAL, False)
    assert manifest.reason == "binary_cpu failed: trial 1: exit 1: boom"


def test_when_every_measured_cell_failed_the_matrix_failed():
    manifest = make_matrix(failed_cell("binary_cpu"), failed_cell("linear_cpu"))
    assert (manifest.status, manifest.valid) == (Status.FAILED, False)


def test_nothing_measured_is_no_success():
    cells = [
        make_cell(name, trials=(), status=Status.UNSUPPORTED, reason="no") for name in ("binary_cpu", "linear_cpu")
    ]
    manifest = make_matrix(*cells)
    assert (manifest.status, manifest.valid) == (Status.UNSUPPORTED, False)
    assert "nothing was measured" in manifest.reason


def test_a_missing_cell_is_named():
    manifest = summarise(make_plan(), [make_cell("binary_cpu")], "run-now")
    assert (manifest.status, manifest.valid) == (Status.PARTIAL, False)
    assert "linear_cpu is missing" in manifest.reason


def test_no_cell_at_all_is_a_failure():
    manifest = summarise(make_plan(), [], "run-now")
    assert (manifest.status, manifest.valid) == (Status.FAILED, False)


def test_a_plan_only_is_a_dry_run():
    manifest = summarise(make_plan(plan_only=True), [], "run-now")
    assert (manifest.status, manifest.valid) == (Status.DRY_RUN, False)


@pytest.mark.parametrize("status", [Status.TIMED_OUT, Status.PARTIAL, Status.INTERRUPTED, Status.SKIPPED])
def test_any_other_end_of_a_cell_is_no_success(status):
    manifest = make_matrix(make_cell("linear_cpu", status=status, reason="why"))
    assert (manifest.status, manifest.valid) == (Status.PARTIAL, False)


def with_host(cell, **changes):
    context = make_context()
    return cell.model_copy(
        update={"context": context.model_copy(update={"host": context.host.model_copy(update=changes)})}
    )


def with_build(cell, **changes):
    context = make_context()
    build = context.build.model_copy(update=changes)
    return cell.model_copy(update={"context": context.model_copy(update={"build": build})})


def everywhere(change, **changes):
    return make_matrix(*(change(cell, **changes) for cell in make_matrix().cells)).scope_key


@pytest.mark.parametrize(
    "changes",
    [{"cpu_model": "Other"}, {"gpu_models": ("GPU X",)}, {"cpu_affinity_count": 1}],
    ids=lambda c: next(iter(c)),
)
def test_another_machine_is_another_scope(changes):
    assert everywhere(with_host, **changes) != make_matrix().scope_key


@pytest.mark.parametrize(
    ("changes", "same"),
    [
        ({"commit": "f" * 40}, True),
        ({"dirty": True}, True),
        ({"native": ()}, True),
        ({"python_version": "3.11.9"}, True),
        ({"python_version": "3.12.1"}, False),
        ({"jax_version": "0.10.9"}, True),
        ({"jax_version": "0.11.0"}, False),
    ],
)
def test_the_commit_is_compared_and_the_versions_below_it_are_scope(changes, same):
    assert (everywhere(with_build, **changes) == make_matrix().scope_key) is same


def test_the_host_name_is_no_scope():
    assert everywhere(with_host, hostname="node2") == make_matrix().scope_key


def test_the_compute_mode_is_scope():
    cells = [cell.model_copy(update={"context": make_context(compute_mode="slurm")}) for cell in make_matrix().cells]
    assert make_matrix(*cells).scope_key != make_matrix().scope_key


def test_a_manifest_survives_json():
    manifest = make_matrix(failed_cell("binary_cpu"))
    assert MatrixManifest.model_validate_json(manifest.model_dump_json()) == manifest
