"""The policy of the device: what a GPU is told before it starts, and what stays as the user has it."""

import os

import pytest

from g_core.engine.device import MEMORY_VARIABLES, set_gpu_policy


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch):
    for name in (*MEMORY_VARIABLES, "XLA_FLAGS"):
        # Set first, so that what the policy sets is taken away again.
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)


def test_a_gpu_takes_memory_as_it_needs_it_and_its_algorithms_the_same_way_every_time():
    set_gpu_policy()
    assert os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] == "false"
    assert os.environ["XLA_FLAGS"] == "--xla_gpu_deterministic_ops=true"


def test_the_policy_is_set_once_however_often_a_run_starts():
    set_gpu_policy()
    set_gpu_policy()
    assert os.environ["XLA_FLAGS"] == "--xla_gpu_deterministic_ops=true"


@pytest.mark.parametrize("name", MEMORY_VARIABLES)
def test_memory_that_the_user_arranged_stays(monkeypatch, name):
    monkeypatch.setenv(name, "0.5")
    set_gpu_policy()
    assert {each: os.environ.get(each) for each in MEMORY_VARIABLES if each in os.environ} == {name: "0.5"}


def test_flags_of_the_user_stay(monkeypatch):
    monkeypatch.setenv("XLA_FLAGS", "--xla_gpu_deterministic_ops=false --xla_dump_to=dump")
    set_gpu_policy()
    assert os.environ["XLA_FLAGS"] == "--xla_gpu_deterministic_ops=false --xla_dump_to=dump"


def test_a_flag_of_the_user_is_joined_by_those_of_the_policy(monkeypatch):
    monkeypatch.setenv("XLA_FLAGS", "--xla_dump_to=dump")
    set_gpu_policy()
    assert os.environ["XLA_FLAGS"] == "--xla_dump_to=dump --xla_gpu_deterministic_ops=true"
