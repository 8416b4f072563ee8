"""The BGEN writer against an independent reader; files appear whole or not at all."""

import bgen
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from g_core._native import BgenWriter, write_first_variants
from g_core.bgen import open_bgen
from g_core.errors import InputError, OutputError


def write(path, pairs, *, missing=None, sample_ids=None, compression="zlib", level=3, threads=1):
    n_variants, n_samples, _ = pairs.shape
    writer = BgenWriter(
        str(path), sample_ids=sample_ids, n_samples=n_samples, compression=compression, level=level, threads=threads
    )
    writer.write(
        chromosome="X",
        rsids=[f"rs{number}" for number in range(n_variants)],
        positions=np.arange(1, n_variants + 1, dtype=np.uint32),
        first_alleles=["A"] * n_variants,
        second_alleles=["CT"] * n_variants,
        probabilities=pairs,
        missing=missing,
    )
    return writer


@settings(max_examples=40)
@given(
    pairs=hnp.arrays(np.uint8, (4, 6, 2), elements=st.integers(0, 127)),
    missing=st.none() | hnp.arrays(np.bool_, (4, 6)),
    compression=st.sampled_from(["none", "zlib", "zstd"]),
    with_ids=st.booleans(),
)
def test_an_independent_reader_finds_what_was_written(pairs, missing, compression, with_ids, tmp_path_factory):
    path = tmp_path_factory.mktemp("own") / "own.bgen"
    sample_ids = [f"s{number}" for number in range(6)] if with_ids else None
    writer = write(path, pairs, missing=missing, sample_ids=sample_ids, compression=compression)
    assert writer.finish() == 4
    peer = bgen.BgenReader(str(path))
    assert len(peer) == 4
    if with_ids:
        assert peer.samples == sample_ids
    first, both = pairs.astype(np.float64).transpose(2, 0, 1) / 255
    expected = np.stack([first, both, 1 - first - both], axis=-1)
    if missing is not None:
        expected[missing] = np.nan
    for number, variant in enumerate(peer):
        assert (variant.rsid, variant.chrom, variant.pos) == (f"rs{number}", "X", number + 1)
        assert variant.alleles == ["A", "CT"]
        np.testing.assert_allclose(variant.probabilities, expected[number], atol=1e-6, rtol=0)


@settings(max_examples=20)
@given(haplotypes=hnp.arrays(np.uint8, (4, 6, 2)), missing=st.none() | hnp.arrays(np.bool_, (4, 6)))
def test_an_independent_reader_finds_haplotypes(haplotypes, missing, tmp_path_factory):
    path = tmp_path_factory.mktemp("own") / "phased.bgen"
    writer = BgenWriter(str(path), sample_ids=None, n_samples=6, compression="zstd", level=3, threads=1)
    writer.write_phased(
        chromosome="1",
        rsids=["rs"] * 4,
        positions=np.arange(4, dtype=np.uint32),
        first_alleles=["A"] * 4,
        second_alleles=["C"] * 4,
        probabilities=haplotypes,
        missing=missing,
    )
    assert writer.finish() == 4
    first = haplotypes / 255
    expected = np.stack([first, 1 - first], axis=-1).reshape(4, 6, 4)
    if missing is not None:
        expected[missing] = np.nan
    for number, variant in enumerate(bgen.BgenReader(str(path))):
        assert variant.is_phased
        np.testing.assert_allclose(variant.probabilities, expected[number], atol=1e-6, rtol=0)


def test_bytes_do_not_depend_on_threads(tmp_path):
    pairs = np.random.default_rng(3).integers(0, 128, size=(300, 20, 2), dtype=np.uint8)
    for threads in (1, 3):
        write(tmp_path / f"{threads}.bgen", pairs, threads=threads).finish()
    assert (tmp_path / "1.bgen").read_bytes() == (tmp_path / "3.bgen").read_bytes()


def test_the_file_has_its_name_only_when_finished(tmp_path):
    path = tmp_path / "new.bgen"
    writer = write(path, np.zeros((2, 3, 2), dtype=np.uint8))
    assert not path.exists()
    assert len(list(tmp_path.iterdir())) == 1
    writer.finish()
    assert [file.name for file in tmp_path.iterdir()] == ["new.bgen"]
    with pytest.raises(ValueError, match="already finished"):
        writer.finish()


def test_a_writer_that_is_dropped_leaves_nothing(tmp_path):
    writer = write(tmp_path / "new.bgen", np.zeros((2, 3, 2), dtype=np.uint8))
    del writer
    assert list(tmp_path.iterdir()) == []


def test_wrong_input_is_refused(tmp_path):
    path = tmp_path / "new.bgen"
    excess = np.array([[[0, 0], [200, 56]]], dtype=np.uint8)
    with pytest.raises(ValueError, match="rs0, sample 2"):
        write(path, excess)
    with pytest.raises(ValueError, match="3 sample identifiers for 2 samples"):
        write(path, excess, sample_ids=["a", "b", "c"])
    with pytest.raises(ValueError, match='compression "gzip"'):
        write(path, excess, compression="gzip")
    with pytest.raises(ValueError, match="missing has shape"):
        write(path, np.zeros((1, 2, 2), dtype=np.uint8), missing=np.zeros((1, 3), dtype=np.bool_))
    with pytest.raises(OutputError, match=r"absent.new\.bgen: cannot write"):
        write(tmp_path / "absent" / "new.bgen", excess)
    assert list(tmp_path.iterdir()) == []


def test_the_first_variants_of_a_file(tmp_path):
    source, target = tmp_path / "all.bgen", tmp_path / "first.bgen"
    pairs = np.random.default_rng(4).integers(0, 128, size=(9, 5, 2), dtype=np.uint8)
    write(source, pairs, sample_ids=list("abcde"), compression="zstd").finish()
    assert write_first_variants(str(source), str(target), 4) == 4
    first, every = open_bgen(target), open_bgen(source)
    assert (first.n_variants, first.sample_ids, first.reader.trailing_bytes) == (4, list("abcde"), 0)
    np.testing.assert_array_equal(first.read_dosage(0, 4), every.read_dosage(0, 4))
    assert write_first_variants(str(source), str(target), 100) == 9
    assert target.read_bytes() == source.read_bytes()
    with pytest.raises(InputError, match="cannot open"):
        write_first_variants(str(tmp_path / "absent.bgen"), str(target), 4)
