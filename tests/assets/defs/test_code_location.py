import subprocess
import sys

import dagster as dg
import pytest

from g_assets import definitions
from g_assets.defs.campaign.cells import POOL
from g_assets.profiles.load import profile_names
from g_assets.profiles.models import ProfileKind

HEAVY = ("jax", "jaxlib", "numpy", "pyarrow", "polars", "matplotlib", "scipy", "dagster_slurm", "g_core._native")

# Every asset, its group, and what it is made from.
GRAPH = """
datasets/files [datasets]
matrix/binary_cpu [matrix] <- matrix/plan
matrix/binary_gpu [matrix] <- matrix/plan
matrix/binary_gpu_cached [matrix] <- matrix/binary_gpu, matrix/plan
matrix/comparison [matrix] <- matrix/manifest, matrix/plan
matrix/linear_cpu [matrix] <- matrix/plan
matrix/linear_gpu [matrix] <- matrix/plan
matrix/linear_gpu_cached [matrix] <- matrix/linear_gpu, matrix/plan
matrix/manifest [matrix] <- matrix/binary_cpu, matrix/binary_gpu, matrix/binary_gpu_cached, matrix/linear_cpu, \
matrix/linear_gpu, matrix/linear_gpu_cached, matrix/plan
matrix/plan [matrix] <- datasets/files
matrix/report [matrix] <- matrix/comparison, matrix/manifest
parity/binary [parity]
parity/linear [parity]
"""


@pytest.fixture(scope="module")
def loaded() -> dg.Definitions:
    return definitions.build_definitions()


def asset_graph(loaded: dg.Definitions):
    return loaded.resolve_asset_graph()


def test_the_code_location_imports_nothing_heavy():
    code = f"import sys, g_assets.definitions; print(sorted(set({HEAVY!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.returncode) == ("[]", 0), done.stderr


def test_the_definitions_hold_together(loaded):
    dg.Definitions.validate_loadable(loaded)


def test_each_call_makes_fresh_definitions():
    assert definitions.build_definitions() is not definitions.build_definitions()


def test_the_asset_graph_is_the_documented_one(loaded):
    graph = asset_graph(loaded)
    lines = []
    for key in sorted(graph.get_all_asset_keys(), key=lambda key: key.path):
        node = graph.get(key)
        parents = ", ".join(sorted(parent.to_user_string() for parent in node.parent_keys))
        lines.append(f"{key.to_user_string()} [{node.group_name}]" + (f" <- {parents}" if parents else ""))
    assert lines == GRAPH.strip().splitlines()


def test_every_asset_but_parity_has_one_partition_a_dataset_profile(loaded):
    graph = asset_graph(loaded)
    names = set(profile_names(ProfileKind.DATASETS))
    for key in graph.get_all_asset_keys():
        partitions = graph.get(key).partitions_def
        assert (set() if partitions is None else set(partitions.get_partition_keys())) == (
            set() if key.path[0] == "parity" else names
        )
    assert {"sim_chr22", "1kg_chr22", "1kg_chr10"} <= names


def test_only_measuring_assets_wait_in_the_pool(loaded):
    graph = asset_graph(loaded)
    pooled = {key.path[-1] for key in graph.get_all_asset_keys() if graph.get(key).pools == {POOL}}
    assert pooled == {f"{trait}_{device}" for trait in ("binary", "linear") for device in ("cpu", "gpu", "gpu_cached")}


def test_the_checks_that_end_a_run_stand_where_they_hide_no_report(loaded):
    graph = asset_graph(loaded)
    checks = {f"{key.asset_key.to_user_string()}:{key.name}": graph.get(key).blocking for key in graph.asset_check_keys}
    assert checks == {
        "matrix/manifest:schema_valid": True,
        "matrix/manifest:complete": False,
        "matrix/comparison:same_results": False,
        "matrix/comparison:no_regression": False,
        "matrix/report:every_case_ended_well": True,
        "matrix/report:numbers_held": True,
        "parity/binary:agrees_with_regenie": True,
        "parity/linear:agrees_with_regenie": True,
    }
