"""The BGEN reader against an independent writer and reader, and against files of known content."""

import threading

import bgen
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from g_core._native import BgenReader, BgenWriter
from g_core.bgen import open_bgen
from g_core.errors import InputError, UsageError


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
    np.testing.assert_allclose(dosage, 2 * probabilities[..., 0] + probabilities[..., 1], atol=3 * step + 1e-7, rtol=0)


@settings(max_examples=40)
@given(haplotypes=haplotypes, missing=missing, bit_depth=st.integers(1, 32))
def test_phased_dosage_is_the_sum_over_haplotypes(haplotypes, missing, bit_depth, tmp_path_factory):
    path = tmp_path_factory.mktemp("peer") / "peer.bgen"
    probabilities = np.stack([haplotypes, 1 - haplotypes], axis=-1).reshape(3, 7, 4)
    probabilities[missing] = np.nan
    write_with_peer(path, probabilities, bit_depth=bit_depth, phased=True, compression="zlib")
    step = 1 / (2**bit_depth - 1)
    with open_bgen(path) as bgen_file:
        dosage = bgen_file.read_dosage(0, 3)
        for variant in range(3):
            np.testing.assert_allclose(bgen_file.read_probabilities(variant), probabilities[variant], atol=step, rtol=0)
    expected = np.where(missing, np.nan, haplotypes.sum(axis=-1))
    np.testing.assert_allclose(dosage, expected, atol=2 * step + 1e-7, rtol=0)


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


def test_samples_may_be_asked_for_in_any_order_and_written_where_asked(small):
    with open_bgen(small) as bgen_file:
        whole = bgen_file.read_dosage(0, 4)
        assert whole.dtype == np.float32
        assert whole.ctypes.data % 64 == 0
        samples = [4, 0, 0, 2]
        np.testing.assert_array_equal(bgen_file.read_dosage(1, 3, samples), whole[1:3, samples])
        out = np.empty((4, 5), np.float32)
        assert bgen_file.read_dosage(0, 4, out=out) is out
        np.testing.assert_array_equal(out, whole)
        with pytest.raises(ValueError, match=r"out has shape \[4, 5\] instead of \[4, 1\]"):
            bgen_file.read_dosage(0, 4, [1], out)
        with pytest.raises(ValueError, match="beyond the 5 samples"):
            bgen_file.read_dosage(0, 4, [5])


def test_two_bytes_a_sample_are_the_stored_ones(tmp_path):
    path = tmp_path / "packed.bgen"
    pairs = np.random.default_rng(5).integers(0, 128, size=(6, 3, 2), dtype=np.uint8)
    writer = BgenWriter(str(path), sample_ids=None, n_samples=3, compression="zstd", level=3, threads=1)
    names = {"rsids": ["rs"] * 6, "first_alleles": ["A"] * 6, "second_alleles": ["C"] * 6}
    writer.write(chromosome="1", positions=np.arange(6, dtype=np.uint32), probabilities=pairs, missing=None, **names)
    assert writer.finish() == 6
    options = {"samples": None, "threads": 2, "tile_variants": 2, "trusted_no_missing_diploid": False}
    out = np.empty((6, 6), np.uint8)
    reader = BgenReader(str(path))
    reader.read_packed8(0, 6, out=out, **options)
    np.testing.assert_array_equal(out.reshape(6, 3, 2), pairs)
    for name, n_bytes in (("inflate_only", 19), ("variant_major_buffered", 12), ("variant_major_packed8_buffered", 6)):
        assert reader.run_path(name, **options) == 6 * n_bytes
    with pytest.raises(ValueError, match=r"path .*variant_major_buffered"):
        reader.run_path("fast", **options)


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
