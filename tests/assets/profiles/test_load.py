"""Profiles: the shipped ones read, and a wrong name or file is told by name."""

import pytest
from pydantic import ValidationError

from g_assets.profiles.load import ProfileError, load_dataset, load_machine, load_profile, load_workload, profile_names
from g_assets.profiles.models import DatasetProfile, DatasetSource, ProfileKind


@pytest.mark.parametrize("kind", list(ProfileKind))
def test_every_shipped_profile_reads_and_is_called_as_its_file(kind):
    names = profile_names(kind)
    assert names
    assert [load_profile(kind, name).name for name in names] == list(names)


def test_the_datasets_and_what_they_refer_to():
    assert set(profile_names(ProfileKind.DATASETS)) >= {"sim_chr22", "1kg_chr22", "1kg_chr10"}
    for name in profile_names(ProfileKind.DATASETS):
        assert load_workload(load_dataset(name).matrix_workload).name in profile_names(ProfileKind.WORKLOADS)


def test_the_simulated_dataset_has_the_size_of_the_panel():
    simulation = load_dataset("sim_chr22").simulation
    assert simulation is not None
    assert (simulation.n_samples, simulation.n_variants) == (2504, 20_000)


def test_the_local_machine_uses_the_cpus_of_the_process():
    assert (load_machine("local").device, load_machine("local").cpus) == ("cpu", "auto")


def test_an_unknown_name_is_answered_with_the_known_ones():
    with pytest.raises(ProfileError, match=r"no profile 'moon' in g_assets/profiles/datasets; known: .*sim_chr22"):
        load_dataset("moon")


@pytest.mark.parametrize("name", ["", ".", "../machines/local", "sim_chr22.toml"])
def test_a_name_is_never_taken_as_a_path(name):
    with pytest.raises(ProfileError, match="no profile"):
        load_dataset(name)


def test_an_unknown_field_is_refused_by_name():
    fields = load_dataset("1kg_chr22").model_dump() | {"colour": "blue"}
    with pytest.raises(ValidationError, match="colour"):
        DatasetProfile.model_validate(fields)


def test_a_simulated_dataset_must_say_how_it_is_made():
    fields = load_dataset("1kg_chr22").model_dump() | {"generator": DatasetSource.SIMULATOR}
    with pytest.raises(ValidationError, match="simulation"):
        DatasetProfile.model_validate(fields)
