import hashlib

import numpy as np
import polars as pl
import pytest

from g_core import _native
from g_core.bgen import open_bgen
from g_core.errors import InputError, OutputError
from g_core.simulate.dataset import ensure_dataset, simulate_dataset
from g_core.simulate.manifest import read_manifest
from g_core.simulate.spec import build_spec

SMALL = {"n_samples": 120, "n_variants": 300, "linkage_block_variants": 64}


@pytest.fixture(scope="module")
def spec():
    return build_spec(SMALL)


@pytest.fixture(scope="module")
def dataset(spec, tmp_path_factory):
    return simulate_dataset(spec=spec, folder=tmp_path_factory.mktemp("data") / "sim", threads=2)


def digests(folder):
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_files_are_those_of_the_manifest_with_its_digests(dataset):
    listed = {file.path: file.sha256 for file in dataset.manifest.files}

    assert digests(dataset.folder).items() - listed.items() == {
        ("dataset.json", digests(dataset.folder)["dataset.json"])
    }
    assert read_manifest(dataset.folder) == dataset.manifest


def test_the_bgen_holds_the_asked_variants_and_samples(spec, dataset):
    bgen_file = open_bgen(dataset.bgen)
    reader = bgen_file.reader
    dosage = bgen_file.read_dosage(0, spec.n_variants)

    assert (reader.n_samples, reader.n_variants, reader.compression) == (120, 300, "zlib")
    assert reader.sample_ids is not None
    assert reader.sample_ids[0] == "F0001_S0001"
    assert not np.isnan(dosage).any()
    assert (np.minimum(dosage.mean(axis=1), 2 - dosage.mean(axis=1)) > 0).all()


@pytest.mark.parametrize("threads", [1, 3])
def test_bytes_do_not_depend_on_threads(spec, dataset, tmp_path, threads):
    again = simulate_dataset(spec=spec, folder=tmp_path / "again", threads=threads)

    assert digests(again.folder) == digests(dataset.folder)


def test_another_seed_changes_every_data_file(dataset, tmp_path):
    other = simulate_dataset(spec=build_spec(SMALL | {"seed": 23}), folder=tmp_path / "other", threads=2)
    same = {path for path, digest in digests(other.folder).items() if digests(dataset.folder)[path] == digest}

    assert same == {"baselines/regenie_step1_pred.list", "baselines/regenie_step1_qt_pred.list"}


def test_tables_have_one_row_a_sample_and_known_columns(dataset):
    def table(path):
        return pl.read_csv(path, separator=" ")

    assert table(dataset.quantitative_phenotypes).columns == ["FID", "IID", "phenotype_continuous"]
    assert table(dataset.binary_phenotypes).get_column("phenotype_binary").sum() == dataset.manifest.n_cases
    assert table(dataset.covariates).columns == ["FID", "IID", "age", "sex", "PC1", "PC2", "PC3", "PC4"]
    assert table(dataset.covariates).height == 120
    assert dataset.sample.read_text().splitlines()[:2] == ["ID_1 ID_2 missing sex", "0 0 0 D"]


def test_the_truth_names_variants_of_the_file_and_its_first_alleles(dataset):
    variants = pl.DataFrame(_native.BgenReader(str(dataset.bgen)).variants())
    truth = pl.read_csv(dataset.truth, separator="\t").join(variants, left_on="variant_id", right_on="rsid")

    assert truth.group_by("trait").len().sort("trait").get_column("len").to_list() == [10, 10]
    assert (truth.get_column("effect_allele") == truth.get_column("allele1")).all()
    assert (truth.get_column("other_allele") == truth.get_column("allele2")).all()
    assert (truth.get_column("beta") != 0).all()


def test_prediction_lists_lead_to_a_row_for_each_chromosome(dataset):
    for listing in (dataset.quantitative_predictions, dataset.binary_predictions):
        _, name = listing.read_text().split()
        lines = (listing.parent / name).read_text().splitlines()

        assert lines[0].split()[:2] == ["FID_IID", "F0001_S0001"]
        assert [line.split()[0] for line in lines[1:]] == [str(code) for code in range(1, 24)]
        assert {len(line.split()) for line in lines} == {121}


def test_missing_genotypes_are_missing_in_the_file(tmp_path):
    spec = build_spec(SMALL | {"missing_rate": 0.2})
    made = simulate_dataset(spec=spec, folder=tmp_path / "sim", threads=1)

    missing = np.isnan(open_bgen(made.bgen).read_dosage(0, 300))
    assert missing.mean() == pytest.approx(0.2, abs=0.02)


def test_a_complete_dataset_of_the_same_specification_is_reused(spec, tmp_path):
    made = ensure_dataset(spec=spec, folder=tmp_path / "deep/er/sim", threads=1)
    before = made.bgen.stat().st_mtime_ns
    again = ensure_dataset(spec=spec, folder=made.folder, threads=1)

    assert (made.was_reused, again.was_reused) == (False, True)
    assert again.bgen.stat().st_mtime_ns == before


def test_a_damaged_or_other_dataset_is_replaced_and_leaves_nothing_behind(spec, dataset, tmp_path):
    folder = tmp_path / "sim"
    ensure_dataset(spec=build_spec(SMALL | {"seed": 1}), folder=folder, threads=1)
    made = ensure_dataset(spec=spec, folder=folder, threads=1)
    made.covariates.write_text("FID IID\n")
    mended = ensure_dataset(spec=spec, folder=folder, threads=1)

    assert not made.was_reused
    assert not mended.was_reused
    assert digests(folder) == digests(dataset.folder)
    assert list(tmp_path.iterdir()) == [folder]


def test_a_folder_of_something_else_is_left_alone(spec, tmp_path):
    (tmp_path / "thesis.txt").write_text("irreplaceable")

    with pytest.raises(OutputError, match="is not a simulated dataset"):
        ensure_dataset(spec=spec, folder=tmp_path, threads=1)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_manifest_of_something_else_is_refused_by_name(spec, tmp_path):
    (tmp_path / "dataset.json").write_text('{"format": "another"}')

    with pytest.raises(InputError, match=r"dataset\.json"):
        ensure_dataset(spec=spec, folder=tmp_path, threads=1)


def test_a_failure_half_way_leaves_nothing(spec, tmp_path, monkeypatch):
    def fail(**_):
        raise RuntimeError("the disk is full")

    monkeypatch.setattr("g_core.simulate.dataset.write_tables", fail)
    with pytest.raises(RuntimeError, match="full"):
        simulate_dataset(spec=spec, folder=tmp_path / "sim", threads=1)

    assert list(tmp_path.iterdir()) == []
