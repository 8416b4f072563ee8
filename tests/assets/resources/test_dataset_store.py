"""A dataset is made once and found again; a cached cut is used only while it is of the file that is there."""

from pathlib import Path

import pytest

from g_assets.profiles.load import load_dataset
from g_assets.profiles.models import DatasetProfile, Simulation
from g_assets.resources.dataset_store import DatasetError, ensure_dataset

N_SAMPLES, N_VARIANTS = 40, 60


def small(n_variants: int = N_VARIANTS) -> DatasetProfile:
    """The default profile, with a dataset that takes no time to make."""
    simulation = Simulation(n_samples=N_SAMPLES, n_variants=n_variants, seed=1)
    return load_dataset("sim_chr22").model_copy(update={"simulation": simulation})


def test_a_dataset_is_made_once_and_found_again(tmp_path):
    made = ensure_dataset(small(), tmp_path, None)
    found = ensure_dataset(small(), tmp_path, None)
    assert (made.was_made, found.was_made) == (True, False)
    assert found == made.model_copy(update={"was_made": False})
    assert (made.n_samples, made.n_variants) == (N_SAMPLES, N_VARIANTS)


def test_the_first_variants_are_cut_once(tmp_path):
    whole = ensure_dataset(small(), tmp_path, None)
    cut = ensure_dataset(small(), tmp_path, 10)
    again = ensure_dataset(small(), tmp_path, 10)
    assert (cut.was_made, again.was_made) == (True, False)
    assert (cut.n_variants, cut.n_samples) == (10, N_SAMPLES)
    assert len({whole.fingerprint, cut.fingerprint}) == 2
    assert again.fingerprint == cut.fingerprint
    assert whole.bgen != cut.bgen


def test_a_cut_of_a_file_that_has_changed_is_made_anew(tmp_path):
    stale = Path(ensure_dataset(small(), tmp_path, 10).bgen)
    whole = small()
    content = stale.read_bytes()
    other = tmp_path / "other"
    replacement = Path(ensure_dataset(small(N_VARIANTS + 1), other, None).bgen)
    files = whole.model_copy(update={"simulation": None})
    (tmp_path / whole.bgen).write_bytes(replacement.read_bytes())
    cut = ensure_dataset(files, tmp_path, 10)
    assert cut.was_made
    assert stale.read_bytes() != content


def test_more_variants_than_there_are_is_the_whole_file(tmp_path):
    assert ensure_dataset(small(), tmp_path, 10 * N_VARIANTS).n_variants == N_VARIANTS


def test_every_missing_file_is_named_and_where_to_put_it(tmp_path):
    profile = load_dataset("1kg_chr22")
    with pytest.raises(DatasetError) as caught:
        ensure_dataset(profile, tmp_path, None)
    message = str(caught.value)
    expected = (profile.bgen, profile.sample, "covariates.txt", "pheno_bin.txt", "regenie_step1_qt_pred.list")
    assert all(name in message for name in expected)
    assert f"below {tmp_path}; put them there, or set GWAS_ENGINE_DATA_DIR" in message


def test_a_file_that_is_no_bgen_is_named(tmp_path):
    profile = small()
    ensure_dataset(profile, tmp_path, None)
    (tmp_path / profile.bgen).write_bytes(b"not a BGEN")
    files = profile.model_copy(update={"simulation": None})
    with pytest.raises(DatasetError, match=r"sim_chr22\.bgen"):
        ensure_dataset(files, tmp_path, None)


def test_a_folder_of_somebody_else_is_left_alone(tmp_path):
    folder = (tmp_path / small().bgen).parent
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(DatasetError, match="is not a simulated dataset"):
        ensure_dataset(small(), tmp_path, None)
    assert (folder / "notes.txt").read_text() == "mine"
