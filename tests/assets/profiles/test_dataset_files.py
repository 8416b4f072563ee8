"""Paths and fingerprints of a dataset."""

from pathlib import Path

import pytest

from g_assets.artifacts.models import FingerprintPolicy
from g_assets.profiles import dataset_files as module
from g_assets.profiles.dataset_files import data_directory, dataset_files, dataset_fingerprint, fingerprint_file
from g_assets.profiles.load import load_dataset


def test_the_data_directory_is_read_when_asked(monkeypatch):
    monkeypatch.delenv("GWAS_ENGINE_DATA_DIR", raising=False)
    assert data_directory() == Path("data")
    monkeypatch.setenv("GWAS_ENGINE_DATA_DIR", "elsewhere")
    assert data_directory() == Path("elsewhere")
    monkeypatch.setenv("GWAS_ENGINE_DATA_DIR", "")
    assert data_directory() == Path("data")


def test_every_path_is_below_the_data_directory():
    files = dataset_files(load_dataset("1kg_chr22"), Path("somewhere"), None)
    assert all(path.is_relative_to("somewhere") for path in files.all_paths())
    assert files.bgen == Path("somewhere/1kg_chr22_full.bgen")


def test_a_variant_limit_changes_the_bgen_and_nothing_else():
    profile = load_dataset("sim_chr22")
    whole, limited = (dataset_files(profile, Path("data"), limit) for limit in (None, 500))
    assert limited.bgen == Path("data/sim_chr22/sim_chr22.first500.bgen")
    assert whole.all_paths()[1:] == limited.all_paths()[1:]


def test_a_fingerprint_follows_content_and_not_names_or_times(tmp_path):
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_bytes(b"content")
    second.write_bytes(b"content")
    assert fingerprint_file(first).sha256 == fingerprint_file(second).sha256
    second.write_bytes(b"Content")
    assert fingerprint_file(first).sha256 != fingerprint_file(second).sha256


def test_a_very_large_file_is_fingerprinted_by_size_and_ends(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "FULL_FINGERPRINT_BYTES", 30)
    monkeypatch.setattr(module, "END_BYTES", 10)
    path = tmp_path / "large"

    def sha256_of(content):
        path.write_bytes(content)
        found = fingerprint_file(path)
        assert found.policy is FingerprintPolicy.ENDS_AND_SIZE
        return found.sha256

    base = sha256_of(b"0" * 40)
    assert base == sha256_of(b"0" * 19 + b"1" + b"0" * 20)
    assert len({base, sha256_of(b"0" * 41), sha256_of(b"1" + b"0" * 39), sha256_of(b"0" * 39 + b"1")}) == 4


def test_a_dataset_fingerprint_covers_each_file(tmp_path):
    files = dataset_files(load_dataset("sim_chr22"), tmp_path, None)
    for path in files.all_paths():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(path.name)
    seen = {dataset_fingerprint(files)}
    for path in files.all_paths():
        path.write_text("other")
        seen.add(dataset_fingerprint(files))
    assert len(seen) == 1 + len(files.all_paths())


def test_a_missing_file_has_no_fingerprint(tmp_path):
    with pytest.raises(FileNotFoundError):
        fingerprint_file(tmp_path / "nothing")
