import numpy as np
import pytest

from g_core.simulate.haplotypes import mark_smallest, simulate_minor_haplotypes
from g_core.simulate.sites import simulate_sites
from g_core.simulate.spec import build_spec


@pytest.fixture(scope="module")
def spec():
    return build_spec({"n_samples": 500, "n_variants": 2000})


@pytest.fixture(scope="module")
def sites(spec):
    return simulate_sites(spec)


def test_positions_increase_within_their_window(spec, sites):
    assert (np.diff(sites.positions.astype(np.int64)) > 0).all()
    assert sites.positions[0] >= spec.first_position
    assert sites.positions[-1] <= spec.last_position


def test_a_window_with_room_for_each_variant_only_is_filled():
    spec = build_spec({"n_samples": 50, "n_variants": 100, "first_position": 1, "last_position": 100})

    assert simulate_sites(spec).positions.tolist() == list(range(1, 101))


def test_most_variants_are_rare_and_none_below_the_smallest_count(spec, sites):
    frequency = sites.minor_allele_counts / (2 * spec.n_samples)

    assert sites.minor_allele_counts.min() >= spec.minimum_minor_allele_count
    assert frequency.max() <= 0.5
    assert np.median(frequency) < 0.1
    assert (frequency > 0.2).mean() > 0.1


def test_alleles_differ_and_some_are_indels(sites):
    assert all(first != second for first, second in zip(sites.first_alleles, sites.second_alleles, strict=True))
    assert 0.02 < np.mean([len(allele) > 1 for allele in sites.second_alleles]) < 0.1


def test_each_variant_has_exactly_the_copies_it_should(spec, sites):
    minor = simulate_minor_haplotypes(spec=spec, sites=sites, block=1)

    assert minor.shape == (spec.linkage_block_variants, 2 * spec.n_samples)
    assert (minor.sum(axis=1) == sites.minor_allele_counts[256:512]).all()


def test_the_last_block_holds_what_is_left(spec, sites):
    minor = simulate_minor_haplotypes(spec=spec, sites=sites, block=spec.n_blocks - 1)

    assert minor.shape[0] == spec.n_variants % spec.linkage_block_variants


def test_near_variants_are_correlated_and_far_ones_are_not():
    spec = build_spec(
        {"n_samples": 1000, "n_variants": 256, "minimum_minor_allele_count": 600, "last_position": 16_600_000}
    )
    minor = simulate_minor_haplotypes(spec=spec, sites=simulate_sites(spec), block=0)
    squared = np.corrcoef(minor.astype(np.float64)) ** 2

    assert np.diagonal(squared, offset=1).mean() > 0.3
    assert np.diagonal(squared, offset=100).mean() < 0.01


def test_equal_values_at_the_boundary_are_not_all_marked():
    values = np.array([2.0, 1.0, 1.0, 1.0, 0.0], dtype=np.float32)

    assert mark_smallest(values=values, count=2).tolist() == [False, False, False, True, True]
