"""One step at a time here, all cells at once on a cluster; what the config of a run says comes before both."""

import pytest

from g_assets.definitions import build_definitions
from g_assets.defs.executor import steps_at_once
from g_assets.resources.settings import MACHINE_VARIABLE, Settings


@pytest.mark.parametrize(
    ("machine", "configured", "expected"),
    [("local", 0, 1), ("example_cpu_node", 0, 6), ("example_cpu_node", 2, 2), ("local", 3, 3), ("no such", 0, 1)],
)
def test_steps_at_once(monkeypatch, machine, configured, expected):
    monkeypatch.setenv(MACHINE_VARIABLE, machine)
    assert steps_at_once({"steps_at_once": configured}) == expected


@pytest.mark.parametrize(("machine", "pools"), [("local", {"benchmark_node"}), ("example_cpu_node", set())])
def test_a_pool_keeps_measurements_apart_only_where_they_share_this_machine(machine, pools):
    definitions = build_definitions(settings=Settings(machine=machine))
    assert {asset.op.pool for asset in definitions.assets if asset.op.pool} == pools
