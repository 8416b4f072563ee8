"""The machine profiles of the checkout, and the private ones beside them."""

import pytest
from pydantic import ValidationError

from g_assets.profiles.load import PROFILE_DIRECTORY_VARIABLE, ProfileError, load_machine, profile_names
from g_assets.profiles.models import ProfileKind


def test_every_machine_of_the_checkout_can_be_read(monkeypatch):
    monkeypatch.delenv(PROFILE_DIRECTORY_VARIABLE, raising=False)
    assert set(profile_names(ProfileKind.MACHINES)) == {"local", "example_cpu_node", "example_gpu_node"}
    for name in profile_names(ProfileKind.MACHINES):
        assert load_machine(name).name == name


def test_the_gpu_request_is_laid_over_the_request():
    machine = load_machine("example_cpu_node").slurm.with_overrides({"gpu_request": {"partition": "gpu", "gpus": "1"}})
    assert (machine.request_for(gpu=False).partition, machine.request_for(gpu=False).gpus) == ("cpu", None)
    assert (machine.request_for(gpu=True).partition, machine.request_for(gpu=True).gpus) == ("gpu", "1")
    assert machine.request_for(gpu=True).mem == machine.request.mem


def test_an_unknown_field_of_the_table_is_refused():
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        load_machine("example_cpu_node").slurm.with_overrides({"password": "x"})


def test_a_private_profile_comes_before_one_of_the_checkout(tmp_path, monkeypatch):
    folder = tmp_path / "machines"
    folder.mkdir()
    text = 'description = "Mine"\ndevice = "cpu"\ncpus = 2\ncpu_chunk_variants = "auto"\n'
    (folder / "local.toml").write_text(text, encoding="utf-8")
    (folder / "broken.toml").write_text("cpus = 2\n", encoding="utf-8")
    monkeypatch.setenv(PROFILE_DIRECTORY_VARIABLE, str(tmp_path))
    assert load_machine("local").description == "Mine"
    assert "broken" in profile_names(ProfileKind.MACHINES)
    with pytest.raises(ProfileError, match=r"broken\.toml does not fit its model: description"):
        load_machine("broken")
