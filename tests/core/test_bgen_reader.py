"""The BGEN reader against an independent writer and reader, and against files of known content."""

import json
import threading
from pathlib import Path

import bgen
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from g_core._native import BgenReader
from g_core.bgen import BgenFile, open_bgen
from g_core.errors import InputError, UsageError

ODD_FOLDER = "bgen_odd"


def write_with_peer(path, probabilities, *, bit_depth, phased, compression):
    """Variants of any depth through the PyPI package; probabilities has shape (variants, samples, 3 or 4)."""
    n_samples = probabilities.shape[1]
    sample_ids = [f"f{i}_i{i}" for i in range(n_samples)]
    with bgen.BgenWriter(str(path), n_samples=n_samples, samples=sample_ids, compression=compression) as writer:
        for number, genotypes in enumerate(probabilities):
            alleles = ["A", "GT"]
            writer.add_variant(
                f"v{number}", f"rs{number}", "chr2", 10 + number, alleles, genotypes, phased=phased, bit_depth=bit_depth
            )
    return sample_ids


def unphased(weights):
    total = weights.sum(axis=-1, keepdims=True)
    return np.where(total > 0, weights / np.where(total > 0, total, 1), [1.0, 0.0, 0.0])


weights = hnp.arrays(np.float64, (3, 7, 3), elements=st.sampled_from([0.0, 0.0, 1.0, 2.0, 0.3, 17.0]))
haplotypes = hnp.arrays(np.float64, (3, 7, 2), elements=st.floats(0.0, 1.0, width=16))
missing = hnp.arrays(np.bool_, (3, 7))


@settings(max_examples=40)
@given(weights=weights, missing=missing, bit_depth=st.integers(1, 32), compression=st.sampled_from(["zlib", "zstd"]))
def test_unphased_probabilities_of_any_depth_come_back(weights, missing, bit_depth, compression, tmp_path_factory):
    path = tmp_path_factory.mktemp("peer") / "peer.bgen"
    probabilities = unphased(weights)
    probabilities[missing] = np.nan
    sample_ids = write_with_peer(path, probabilities, bit_depth=bit_depth, phased=False, compression=compression)
    step = 1 / (2**bit_depth - 1)
    with open_bgen(path) as bgen_file:
        assert bgen_file.sample_ids == sample_ids
        dosage = bgen_file.read_dosage(0, 3)
        for variant in range(3):
            np.testing.assert_allclose(bgen_file.read_probabilities(variant), probabilities[variant], atol=step, rtol=0)
    np.testing.assert_allclose(dosage, 2 * probabilities[..., 0] + probabilities[..., 1], atol=3 * step, rtol=0)


@settings(max_examples=40)
@given(haplotypes=haplotypes, missing=missing, bit_depth=st.integers(1, 32))
def test_phased_dosage_is_the_sum_over_haplotypes(haplotypes, missing, bit_depth, tmp_path_factory):
    path = tmp_path_factory.mktemp("peer") / "peer.bgen"
    probabilities = np.stack([haplotypes, 1 - haplotypes], axis=-1).reshape(3, 7, 4)
    probabilities[missing] = np.nan
    write_with_peer(path, probabilities, bit_depth=bit_depth, phased=True, compression="zlib")
    with open_bgen(path) as bgen_file:
        dosage = bgen_file.read_dosage(0, 3)
    expected = np.where(missing, np.nan, haplotypes.sum(axis=-1))
    np.testing.assert_allclose(dosage, expected, atol=2 / (2**bit_depth - 1), rtol=0)


@pytest.mark.golden
@pytest.mark.parametrize("name", ["example", "example_3chr", "example_3chr_zstd", "sim"])
def test_golden_inputs_read_as_the_peer_reads_them(golden, name):
    path = golden / "inputs" / f"{name}.bgen"
    peer = bgen.BgenReader(str(path))
    with open_bgen(path) as bgen_file:
        table = bgen_file.variants()
        dosage = bgen_file.read_dosage(0, bgen_file.n_variants)
    assert table.num_rows == len(peer)
    for row, expected, found in zip(table.to_pylist(), peer, dosage, strict=True):
        identity = (expected.varid, expected.rsid, expected.chrom, expected.pos, *expected.alleles)
        columns = ("variant_id", "rsid", "chromosome", "position", "allele1", "allele2")
        assert tuple(row[column] for column in columns) == identity
        probabilities = expected.probabilities
        np.testing.assert_allclose(found, 2 * probabilities[:, 0] + probabilities[:, 1], atol=1e-6, rtol=0)


def odd_manifest(golden: Path) -> list[dict]:
    return json.loads((golden / ODD_FOLDER / "manifest.json").read_text())["files"]


def has_diploid_dosage(variant: dict) -> bool:
    return len(variant["alleles"]) == 2 and set(variant["ploidy"]) <= {1, 2}


def first_allele_dosage(probabilities: list[float], *, phased: bool) -> float:
    """Of the probabilities in the specification's order; a haploid sample counts twice."""
    if len(probabilities) == 2:
        return 2 * probabilities[0]
    return probabilities[0] + probabilities[2] if phased else 2 * probabilities[0] + probabilities[1]


def check_odd_variant(bgen_file: BgenFile, number: int, expected: dict) -> None:
    if not has_diploid_dosage(expected):
        with pytest.raises(InputError, match=rf"variant {number + 1} \({expected['rsid']}\)"):
            bgen_file.read_dosage(number, number + 1)
        return
    first = [
        np.nan if p is None else first_allele_dosage(p, phased=expected["phased"]) for p in expected["probabilities"]
    ]
    np.testing.assert_allclose(bgen_file.read_dosage(number, number + 1)[0], first, atol=1e-6, rtol=0)


@pytest.mark.golden
def test_unusual_files_give_the_right_values(golden):
    valid = [file for file in odd_manifest(golden) if file["valid"]]
    assert valid
    for file in valid:
        with open_bgen(golden / ODD_FOLDER / file["file"]) as bgen_file:
            assert bgen_file.n_samples == file["n_samples"], file["id"]
            assert bgen_file.sample_ids == file["sample_ids"], file["id"]
            rows = bgen_file.variants().to_pylist()
            assert [row["rsid"] for row in rows] == [variant["rsid"] for variant in file["variants"]], file["id"]
            for number, (row, expected) in enumerate(zip(rows, file["variants"], strict=True)):
                assert row["chromosome"] == expected["chrom"]
                assert row["position"] == expected["pos"]
                assert row["n_alleles"] == len(expected["alleles"])
                assert [row["allele1"], row["allele2"]][: row["n_alleles"]] == expected["alleles"][:2]
                check_odd_variant(bgen_file, number, expected)


@pytest.mark.golden
def test_damaged_files_are_refused_by_name(golden):
    damaged = [file for file in odd_manifest(golden) if not file["valid"]]
    assert damaged
    for file in damaged:
        path = golden / ODD_FOLDER / file["file"]
        if file["id"] == "bad_count_low":
            reader = BgenReader(str(path))
            assert reader.read_dosage(0, 2).shape == (2, file["n_samples"])
            assert reader.trailing_bytes > 0
            continue
        with pytest.raises(InputError, match=file["file"]):
            open_and_read_all(path)


def open_and_read_all(path: Path) -> None:
    reader = BgenReader(str(path))
    reader.read_dosage(0, reader.n_variants)


def test_a_missing_file_a_folder_and_a_stranger_are_told_apart(tmp_path):
    with pytest.raises(InputError, match=r"absent\.bgen: cannot open"):
        open_bgen(tmp_path / "absent.bgen")
    with pytest.raises(InputError, match="this is a directory"):
        open_bgen(tmp_path)
    stranger = tmp_path / "stranger.bgen"
    stranger.write_text("FID IID Y1\n1 1 0.5\n2 2 0.25\n")
    with pytest.raises(InputError, match="not a BGEN file"):
        open_bgen(stranger)


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.bgen"
    write_with_peer(path, unphased(np.ones((4, 5, 3))), bit_depth=8, phased=False, compression="zlib")
    return path


def test_a_closed_file_says_so(small):
    with open_bgen(small) as bgen_file:
        assert "5 samples, 4 variants" in repr(bgen_file)
    assert "closed" in repr(bgen_file)
    with pytest.raises(UsageError, match=r"small\.bgen: this BGEN file is closed"):
        bgen_file.read_dosage(0, 1)


def test_ranges_outside_the_file_are_refused(small):
    with open_bgen(small) as bgen_file:
        assert bgen_file.read_dosage(4, 4).shape == (0, 5)
        for start, stop in [(0, 5), (3, 2)]:
            with pytest.raises(ValueError, match="outside the file's 4"):
                bgen_file.read_dosage(start, stop)
        with pytest.raises(ValueError, match="outside the file's 4"):
            bgen_file.read_probabilities(4)


def test_one_reader_serves_several_threads(small):
    with open_bgen(small) as bgen_file:
        expected = bgen_file.read_dosage(0, 4)
        found = [None] * 4

        def read(place):
            found[place] = bgen_file.read_dosage(0, 4)

        threads = [threading.Thread(target=read, args=(place,)) for place in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for dosage in found:
        np.testing.assert_array_equal(dosage, expected)


def test_an_index_file_beside_it_is_not_read(small):
    small.with_suffix(".bgen.bgi").write_text("not SQLite")
    with open_bgen(small) as bgen_file:
        assert bgen_file.n_variants == 4
