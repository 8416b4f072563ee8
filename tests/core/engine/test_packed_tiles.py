"""Tiles made from packed rows are, to the bit, those of the dosage format."""

import jax
import numpy as np
import pytest

from g_core import _native
from g_core.config.choices import Coding
from g_core.engine.packed_tiles import PackedRows
from g_core.kernels.packed_genotypes import replace_rows, unpack_genotypes

N_SAMPLES = 53
TILE_ROWS = 16


@pytest.fixture
def write_bgen(tmp_path):
    def write(missing):
        n_variants = len(missing)
        random = np.random.default_rng(11)
        weights = random.dirichlet([0.3, 0.2, 0.2], size=(n_variants, N_SAMPLES))
        path = tmp_path / "study.bgen"
        writer = _native.BgenWriter(
            str(path), sample_ids=None, n_samples=N_SAMPLES, compression="zlib", level=6, threads=1
        )
        writer.write(
            chromosome="1",
            rsids=[f"rs{number}" for number in range(n_variants)],
            positions=np.arange(n_variants, dtype=np.uint32),
            first_alleles=["A"] * n_variants,
            second_alleles=["C"] * n_variants,
            probabilities=np.floor(weights[..., :2] * 255).astype(np.uint8),
            missing=missing,
        )
        writer.finish()
        return _native.BgenReader(str(path))

    return write


def chunks(reader, genotype_format, *, coding=Coding.ADDITIVE, effect_is_first_allele=True):
    samples = np.arange(0, N_SAMPLES, dtype=np.uint32)
    return reader.stream(
        variant_indices=np.arange(reader.n_variants, dtype=np.uint32),
        chunk_offsets=np.array([0, reader.n_variants], np.uint64),
        chunk_counts_males=np.zeros(1, np.bool_),
        sample_sets=[samples[samples != 7]],
        males=[np.zeros(N_SAMPLES - 1, np.bool_)],
        moment_sets=[],
        moment_males=[],
        effect_is_first_allele=effect_is_first_allele,
        coding=str(coding),
        genotype_format=genotype_format,
        flip_to_minor_allele=True,
        halve_males=False,
        count_genotypes=False,
        tile_rows=TILE_ROWS,
        column_multiple=16,
        threads=2,
        staging_depth=1,
        decode_tile_variants=5,
        trusted_no_missing_diploid=False,
    )


def packed_tiles(reader, *, coding=Coding.ADDITIVE, effect_is_first_allele=True):
    (chunk,) = chunks(reader, "packed8", coding=coding, effect_is_first_allele=effect_is_first_allele)
    rows = PackedRows(chunk, 0, N_SAMPLES - 1, effect_is_first_allele, coding)
    return [np.asarray(tile) for tile in rows.tile_values(TILE_ROWS, jax.devices("cpu")[0])]


def incomplete(rows, n_variants=2 * TILE_ROWS + 5):
    missing = np.zeros((n_variants, N_SAMPLES), np.bool_)
    missing[rows, 3] = True
    return missing


@pytest.mark.parametrize("effect_is_first_allele", [True, False])
@pytest.mark.parametrize("coding", list(Coding))
@pytest.mark.parametrize(
    "rows",
    [[], [0], [15, 16, 36], list(range(16, 23)), list(range(16, 32)), list(range(37))],
    ids=["complete", "one", "ends", "several shares", "a whole tile", "all"],
)
def test_tiles_are_those_of_the_dosage_format(write_bgen, rows, coding, effect_is_first_allele):
    reader = write_bgen(incomplete(rows))
    (dosage,) = chunks(reader, "dosage", coding=coding, effect_is_first_allele=effect_is_first_allele)
    tiles = packed_tiles(reader, coding=coding, effect_is_first_allele=effect_is_first_allele)
    assert [tile.shape[0] for tile in tiles] == [TILE_ROWS] * 3
    np.testing.assert_array_equal(np.concatenate(tiles), dosage.values(0))


def test_a_sample_that_is_missing_outside_the_set_takes_no_row_off_the_packed_path(write_bgen):
    missing = np.zeros((TILE_ROWS, N_SAMPLES), np.bool_)
    missing[:, 7] = True
    (chunk,) = chunks(write_bgen(missing), "packed8")
    assert chunk.side_rows(0).tolist() == []


def test_any_number_of_incomplete_rows_takes_one_compilation_of_each_kernel(write_bgen):
    unpack_genotypes.clear_cache()
    replace_rows.clear_cache()
    for rows in ([], [1], [1, 2, 20], [0, 3, 6, 9]):
        packed_tiles(write_bgen(incomplete(rows)))
    assert (unpack_genotypes._cache_size(), replace_rows._cache_size()) == (1, 1)
