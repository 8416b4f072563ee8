"""Start-up is measured in fresh processes; how long it took is not tested."""

import subprocess
import sys

import pytest

from g_assets.guards.startup import StartUp, measure_seconds


def test_each_trial_gives_one_time_and_the_warming_one_none():
    seconds = measure_seconds(StartUp("nothing", (sys.executable, "-c", "pass")), trials=2)
    assert len(seconds) == 2
    assert min(seconds) > 0


def test_a_command_that_fails_is_no_measurement():
    with pytest.raises(subprocess.CalledProcessError):
        measure_seconds(StartUp("failure", (sys.executable, "-c", "raise SystemExit(3)")), trials=1)
