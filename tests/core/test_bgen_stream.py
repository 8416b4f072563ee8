"""The chunk stream as Python sees it: values without a copy, and buffers that live as long as they are used."""

import gc

import jax
import numpy as np
import pytest

from g_core._native import BgenReader, BgenWriter
from g_core.errors import InputError

N_SAMPLES = 50
N_VARIANTS = 60


@pytest.fixture
def pairs():
    random = np.random.default_rng(7)
    weights = random.dirichlet([0.4, 0.2, 0.1], size=(N_VARIANTS, N_SAMPLES))
    return np.floor(weights[..., :2] * 255).astype(np.uint8)


@pytest.fixture
def missing():
    return np.random.default_rng(8).random((N_VARIANTS, N_SAMPLES)) < 0.05


@pytest.fixture
def path(tmp_path, pairs, missing):
    target = tmp_path / "stream.bgen"
    writer = BgenWriter(str(target), sample_ids=None, n_samples=N_SAMPLES, compression="zlib", level=6, threads=1)
    writer.write(
        chromosome="1",
        rsids=[f"rs{number}" for number in range(N_VARIANTS)],
        positions=np.arange(N_VARIANTS, dtype=np.uint32),
        first_alleles=["A"] * N_VARIANTS,
        second_alleles=["C"] * N_VARIANTS,
        probabilities=pairs,
        missing=missing,
    )
    assert writer.finish() == N_VARIANTS
    return target


def stream(
    reader,
    *,
    chunk_variants=10,
    samples=None,
    staging_depth=2,
    effect_is_first_allele=True,
    moment_sets=(),
    coding="additive",
    genotype_format="dosage",
    flip_to_minor_allele=True,
    halve_males=False,
    count_genotypes=False,
):
    offsets = np.arange(0, reader.n_variants + 1, chunk_variants, dtype=np.uint64)
    samples = np.arange(reader.n_samples, dtype=np.uint32) if samples is None else samples
    return reader.stream(
        variant_indices=np.arange(reader.n_variants, dtype=np.uint32),
        chunk_offsets=offsets,
        chunk_counts_males=np.ones(len(offsets) - 1, dtype=np.bool_),
        sample_sets=[samples],
        males=[samples % 2 == 1],
        moment_sets=moment_sets,
        moment_males=[moment_set % 2 == 1 for moment_set in moment_sets],
        effect_is_first_allele=effect_is_first_allele,
        coding=coding,
        genotype_format=genotype_format,
        flip_to_minor_allele=flip_to_minor_allele,
        halve_males=halve_males,
        count_genotypes=count_genotypes,
        tile_rows=16,
        column_multiple=16,
        threads=2,
        staging_depth=staging_depth,
        decode_tile_variants=4,
        trusted_no_missing_diploid=False,
    )


@pytest.mark.parametrize("effect_is_first_allele", [True, False])
@pytest.mark.parametrize("samples", [None, np.arange(1, N_SAMPLES, 3, dtype=np.uint32)])
def test_values_and_moments_are_those_of_the_stored_bytes(path, pairs, missing, samples, effect_is_first_allele):
    columns = np.arange(N_SAMPLES) if samples is None else samples
    first, both = pairs[:, columns].astype(np.int64).transpose(2, 0, 1)
    homozygous = first if effect_is_first_allele else 255 - first - both
    dosage = np.ma.array(2 * homozygous + both, mask=missing[:, columns])
    info = np.ma.array((4 * homozygous + both) * 255, mask=missing[:, columns]) - dosage**2
    row = 0
    for chunk in stream(BgenReader(str(path)), samples=samples, effect_is_first_allele=effect_is_first_allele):
        values, moments = chunk.values(0), chunk.moments(0)
        rows = slice(row, row + chunk.n_variants)
        row += chunk.n_variants
        assert values.shape == (16, -len(columns) % 16 + len(columns))
        assert values.ctypes.data % 64 == 0
        flipped = dosage[rows].mean(axis=1) > 255
        counted = np.ma.where(flipped[:, None], 510 - dosage[rows], dosage[rows])
        centre = np.floor(counted.mean(axis=1) + 0.5)
        expected = (counted.filled(0) - centre[:, None]).astype(np.float32)
        expected = np.where(counted.mask, (counted.mean(axis=1) - centre)[:, None].astype(np.float32), expected)
        np.testing.assert_array_equal(values[: chunk.n_variants, : len(columns)], expected)
        assert not values[chunk.n_variants :].any()
        assert not values[:, len(columns) :].any()
        np.testing.assert_array_equal(moments.flipped, flipped)
        np.testing.assert_array_equal(moments.n_present, counted.count(axis=1))
        np.testing.assert_array_equal(moments.dosage_sum, dosage[rows].sum(axis=1) / 255)
        np.testing.assert_array_equal(moments.info_sum, info[rows].sum(axis=1) / 255**2)
        np.testing.assert_array_equal(moments.n_nonzero_present, (counted != 0).sum(axis=1))
        np.testing.assert_allclose(moments.centre, centre / 255, rtol=1e-15)
        np.testing.assert_array_equal(moments.unit, np.full(chunk.n_variants, 1 / 255))
        squares = ((counted.filled(0) - np.where(counted.mask, 0, centre[:, None])) ** 2).sum(axis=1)
        squares = squares + counted.mask.sum(axis=1) * (counted.mean(axis=1) - centre) ** 2
        np.testing.assert_allclose(moments.centred_square_sum, squares / 255**2, rtol=1e-13)
        males = columns % 2 == 1
        np.testing.assert_array_equal(moments.male_present, counted[:, males].count(axis=1))
        np.testing.assert_array_equal(moments.male_dosage_sum, dosage[rows][:, males].sum(axis=1).filled(0) / 255)
        places, missing_columns = np.nonzero(counted.mask)
        np.testing.assert_array_equal(moments.missing_columns, missing_columns)
        ends = np.searchsorted(places, np.arange(chunk.n_variants), side="right")
        np.testing.assert_array_equal(moments.missing_offsets, [0, *ends])
    assert row == N_VARIANTS


def what_is_tested(chunk):
    """What is tested, variants x samples."""
    moments = chunk.moments(0)
    values = chunk.values(0)[: chunk.n_variants, :N_SAMPLES].astype(np.float64)
    return moments.centre[:, None] + moments.unit[:, None] * values


@pytest.mark.parametrize("coding", ["additive", "dominant", "recessive"])
@pytest.mark.parametrize("halve_males", [False, True])
def test_values_hold_the_coding_unflipped_and_additive_sums_stay(path, pairs, missing, coding, halve_males):
    homozygous, heterozygous = pairs.astype(np.float64).transpose(2, 0, 1) / 255
    males = np.arange(N_SAMPLES) % 2 == 1
    dosage = np.ma.array(2 * homozygous + heterozygous, mask=missing)
    info = np.ma.array(4 * homozygous + heterozygous, mask=missing) - dosage**2
    if halve_males:
        dosage[:, males] /= 2
    tested = {
        "additive": dosage,
        "dominant": np.ma.array(homozygous + heterozygous, mask=missing),
        "recessive": np.ma.array(homozygous, mask=missing),
    }[coding]
    means = tested.mean(axis=1).filled(0)
    expected = np.where(missing, means[:, None], tested.filled(0))
    (chunk,) = stream(
        BgenReader(str(path)),
        chunk_variants=N_VARIANTS,
        coding=coding,
        flip_to_minor_allele=False,
        halve_males=halve_males,
    )
    moments = chunk.moments(0)
    np.testing.assert_allclose(what_is_tested(chunk), expected, atol=1e-7)
    assert not moments.flipped.any()
    assert (means > 1).any() == (coding == "additive")
    np.testing.assert_allclose(moments.tested_sum, tested.sum(axis=1), rtol=1e-13)
    np.testing.assert_allclose(moments.dosage_sum, dosage.sum(axis=1), rtol=1e-13)
    np.testing.assert_allclose(moments.info_sum, info.sum(axis=1), rtol=1e-12)
    np.testing.assert_allclose(moments.male_dosage_sum, dosage[:, males].sum(axis=1).filled(0), rtol=1e-13)
    np.testing.assert_array_equal(moments.n_nonzero_present, (tested != 0).sum(axis=1))


def test_a_moment_set_gets_the_sums_of_a_sample_set(path):
    samples = np.array([0, 3, 4, 30, 49], dtype=np.uint32)
    reader = BgenReader(str(path))
    both = zip(stream(reader, moment_sets=[samples[:0], samples]), stream(reader, samples=samples), strict=True)
    for whole, alone in both:
        sums, moments = whole.sums(1), alone.moments(0)
        assert sums.n_present.any()
        assert not whole.sums(0).n_present.any()
        for name in ("n_present", "dosage_sum", "info_sum", "male_present", "male_dosage_sum"):
            np.testing.assert_array_equal(getattr(sums, name), getattr(moments, name))


def test_homozygotes_are_counted_on_request_and_males_at_one(path, pairs, missing):
    dosage = np.ma.array(2 * pairs[..., 0].astype(np.int64) + pairs[..., 1], mask=missing)
    male = np.arange(N_SAMPLES) % 2 == 1
    reference = (2 * dosage < np.where(male, 510, 255)).sum(axis=1)
    effect = (2 * dosage >= np.where(male, 510, 765)).sum(axis=1)
    (counted,) = stream(BgenReader(str(path)), chunk_variants=N_VARIANTS, count_genotypes=True)
    np.testing.assert_array_equal(counted.moments(0).n_hom_reference, reference)
    np.testing.assert_array_equal(counted.moments(0).n_hom_effect, effect)
    (uncounted,) = stream(BgenReader(str(path)), chunk_variants=N_VARIANTS)
    assert not uncounted.moments(0).n_hom_reference.any()
    assert not uncounted.moments(0).n_hom_effect.any()


def test_an_array_outlives_its_chunk_and_its_stream(path):
    chunks = stream(BgenReader(str(path)))
    first = next(chunks)
    kept, moments = first.values(0), first.moments(0)
    before = kept.copy()
    del first
    for chunk in chunks:
        assert not np.shares_memory(chunk.values(0), kept)
    del chunks, chunk
    gc.collect()
    np.testing.assert_array_equal(kept, before)
    assert before.any()
    assert moments.n_present.shape == (10,)


def test_buffers_are_reused_once_nobody_looks_at_them(path):
    chunks = stream(BgenReader(str(path)), chunk_variants=2, staging_depth=2)
    addresses = {chunk.values(0).ctypes.data for chunk in chunks}
    assert len(addresses) <= 4
    assert chunks.buffers_allocated <= 4


def test_kept_arrays_never_share_memory(path):
    arrays = [chunk.values(0) for chunk in stream(BgenReader(str(path)))]
    assert len({array.ctypes.data for array in arrays}) == len(arrays)


def test_jax_takes_the_values_without_a_copy_on_a_cpu(path):
    values = next(stream(BgenReader(str(path)))).values(0)
    on_device = jax.dlpack.from_dlpack(values)
    assert on_device.unsafe_buffer_pointer() == values.ctypes.data
    np.testing.assert_array_equal(np.asarray(on_device), values)


def test_a_stream_can_be_left_in_the_middle(path):
    reader = BgenReader(str(path))
    for _ in range(5):
        chunks = stream(reader, chunk_variants=1)
        assert next(chunks).index == 0
        del chunks


def test_a_damaged_variant_is_named_and_the_chunks_before_it_are_given(path):
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    chunks = stream(BgenReader(str(path)))
    assert [next(chunks).index for _ in range(5)] == [0, 1, 2, 3, 4]
    with pytest.raises(InputError, match=rf"stream\.bgen: variant {N_VARIANTS} \(rs{N_VARIANTS - 1}\)"):
        next(chunks)
    with pytest.raises(StopIteration):
        next(chunks)


def test_wrong_requests_are_refused(path):
    reader = BgenReader(str(path))
    with pytest.raises(ValueError, match="must ascend"):
        stream(reader, samples=np.array([3, 1], dtype=np.uint32))
    with pytest.raises(ValueError, match="beyond the 50 samples"):
        stream(reader, samples=np.array([50], dtype=np.uint32))
    with pytest.raises(IndexError, match="sample set 1 of 1"):
        next(stream(reader)).values(1)
    with pytest.raises(ValueError, match='coding "overdominant"; additive, dominant and recessive are possible'):
        stream(reader, coding="overdominant")
    with pytest.raises(IndexError, match="moment set 0 of 0"):
        next(stream(reader)).sums(0)


@pytest.mark.parametrize("coding", ["additive", "dominant", "recessive"])
@pytest.mark.parametrize("effect_is_first_allele", [True, False])
def test_packed_rows_are_the_stored_bytes_and_make_the_same_values(
    path, pairs, missing, coding, effect_is_first_allele
):
    options = {"chunk_variants": N_VARIANTS, "coding": coding, "effect_is_first_allele": effect_is_first_allele}
    (dosage,) = stream(BgenReader(str(path)), **options)
    (packed,) = stream(BgenReader(str(path)), genotype_format="packed8", **options)
    incomplete = np.flatnonzero(missing.any(axis=1))
    np.testing.assert_array_equal(packed.side_rows(0), incomplete)
    words = packed.packed(0)
    assert words.shape == dosage.values(0).shape
    assert words.ctypes.data % 64 == 0
    stored = pairs[..., 0].astype(np.uint16) | pairs[..., 1].astype(np.uint16) << 8
    stored[incomplete] = 0
    np.testing.assert_array_equal(words[:N_VARIANTS, :N_SAMPLES], stored)
    assert not words[N_VARIANTS:].any()
    assert not words[:, N_SAMPLES:].any()
    values = np.full((N_VARIANTS + 1, words.shape[1]), np.nan, np.float32)
    packed.copy_values(0, np.arange(N_VARIANTS, dtype=np.uint32)[::-1], values)
    np.testing.assert_array_equal(values[:N_VARIANTS], dosage.values(0)[N_VARIANTS - 1 :: -1])
    assert np.isnan(values[N_VARIANTS]).all()


def test_a_form_that_was_not_asked_for_is_refused(path):
    dosage = next(stream(BgenReader(str(path))))
    packed = next(stream(BgenReader(str(path)), genotype_format="packed8"))
    for refused in (lambda: dosage.packed(0), lambda: dosage.side_rows(0), lambda: packed.values(0)):
        with pytest.raises(ValueError, match="the stream was asked for genotypes of format"):
            refused()
    with pytest.raises(ValueError, match="dosage and packed8 are possible"):
        stream(BgenReader(str(path)), genotype_format="packed9")


def test_values_are_copied_only_into_room_that_fits_and_of_variants_that_are_there(path):
    chunk = next(stream(BgenReader(str(path)), chunk_variants=10))
    columns = chunk.values(0).shape[1]
    with pytest.raises(ValueError, match=f"out has {columns - 1} columns instead of {columns}"):
        chunk.copy_values(0, np.array([0], np.uint32), np.zeros((1, columns - 1), np.float32))
    with pytest.raises(ValueError, match="do not fit"):
        chunk.copy_values(0, np.array([0, 1], np.uint32), np.zeros((1, columns), np.float32))
    with pytest.raises(ValueError, match="row 10 of 10 variants"):
        chunk.copy_values(0, np.array([10], np.uint32), np.zeros((1, columns), np.float32))
