import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from g_core.simulate.genotypes import simulate_block
from g_core.simulate.probabilities import draw_posteriors, quantise
from g_core.simulate.sites import simulate_sites
from g_core.simulate.spec import build_spec


@given(hnp.arrays(np.float32, 40, elements=st.floats(0.0, 1.0, width=32)))
def test_stored_bytes_are_probabilities_of_the_three_genotypes(posterior):
    stored = quantise(posterior).astype(np.float64)
    one, other = posterior[0::2].astype(np.float64), posterior[1::2].astype(np.float64)

    assert (stored.sum(axis=1) <= 255).all()
    assert np.abs(stored[:, 0] / 255 - one * other).max() <= 0.51 / 255
    assert np.abs(stored[:, 1] / 255 - (one * (1 - other) + other * (1 - one))).max() <= 1.01 / 255


@pytest.mark.parametrize("quality", [0.3, 0.6, 0.95])
def test_posteriors_are_calibrated_and_as_informative_as_wanted(quality):
    generator = np.random.default_rng(1)
    is_minor = generator.random(200_000) < 0.2
    posterior = draw_posteriors(generator=generator, is_minor=is_minor, frequency=0.2, quality=quality)

    # 256 table entries for each allele: the mean of a beta variable is off by a few hundredths at most.
    assert posterior.mean() == pytest.approx(0.2, abs=0.05)
    assert posterior.var() / (0.2 * 0.8) == pytest.approx(quality, abs=0.15)
    certain = posterior > 0.6
    assert is_minor[certain].mean() == pytest.approx(posterior[certain].mean(), abs=0.1)


def test_hard_calls_are_the_true_genotypes():
    spec = build_spec({"n_samples": 100, "n_variants": 50, "hard_calls": True})
    sites = simulate_sites(spec)
    block = simulate_block(spec=spec, sites=sites, block=0)
    stored = block.probabilities.astype(np.int64)
    dosage = (2 * stored[:, :, 0] + stored[:, :, 1]) // 255

    assert set(np.unique(stored)) <= {0, 255}
    assert block.missing is None
    for variant in range(spec.n_variants):
        assert (block.first_allele_copies(sites=sites, variant=variant) == dosage[variant]).all()


def test_imputed_dosages_follow_the_true_genotypes():
    spec = build_spec({"n_samples": 2000, "n_variants": 60, "minimum_minor_allele_count": 400, "genotyped_fraction": 0})
    sites = simulate_sites(spec)
    block = simulate_block(spec=spec, sites=sites, block=0)
    stored = block.probabilities.astype(np.float64)
    dosage = (2 * stored[:, :, 0] + stored[:, :, 1]) / 255
    squared = [
        np.corrcoef(dosage[variant], block.first_allele_copies(sites=sites, variant=variant))[0, 1] ** 2
        for variant in range(spec.n_variants)
    ]

    assert np.abs(np.array(squared) - sites.imputation_quality).max() < 0.2
    assert ((stored > 0) & (stored < 255)).mean() > 0.1


def test_genotypes_are_missing_at_the_asked_rate():
    spec = build_spec({"n_samples": 400, "n_variants": 200, "missing_rate": 0.1})
    block = simulate_block(spec=spec, sites=simulate_sites(spec), block=0)

    assert block.missing is not None
    assert block.missing.shape == (200, 400)
    assert block.missing.mean() == pytest.approx(0.1, abs=0.01)
