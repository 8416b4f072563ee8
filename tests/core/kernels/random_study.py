"""A small random study that kernel tests share: covariates of unlike scale, dosage of every frequency, some missing."""

from dataclasses import dataclass

import numpy as np

from tests.core.kernels.encoded_dosage import EncodedDosage, encode_dosage, padded


@dataclass(frozen=True)
class Study:
    design: np.ndarray
    tile: EncodedDosage
    quantitative: np.ndarray
    cases: np.ndarray
    predictions: np.ndarray
    n_padded: int


def make_study(seed, *, n_samples=403, n_variants=96, n_traits=3, prevalence=0.2):
    rng = np.random.default_rng(seed)
    age = rng.uniform(40, 70, n_samples)
    design = np.column_stack(
        [np.ones(n_samples), age, rng.integers(0, 2, n_samples), rng.normal(size=(n_samples, 2)) * 0.01]
    )
    frequency = np.exp(rng.uniform(np.log(0.004), np.log(0.98), n_variants))
    dosage = rng.binomial(2, frequency[:, None], (n_variants, n_samples)).astype(float)
    blurred = rng.random(dosage.shape) < 0.2
    dosage = np.where(blurred, np.clip(dosage + rng.uniform(-0.3, 0.3, dosage.shape), 0, 2), dosage)
    dosage = np.round(dosage * 255) / 255
    dosage[0] = np.where(np.arange(n_samples) < 2, 1.0, 0.0)
    dosage[::5][rng.random(dosage[::5].shape) < 0.03] = np.nan
    liability = 0.03 * (age - 55) + rng.normal(size=n_samples) * 0.3
    base = np.log(prevalence / (1 - prevalence))
    chance = 1 / (1 + np.exp(-(base + liability)))
    return Study(
        design=design,
        tile=encode_dosage(dosage, padded(n_samples)),
        quantitative=liability[:, None] + rng.normal(size=(n_samples, n_traits)) * 2 + 170,
        cases=(rng.random((n_samples, n_traits)) < chance[:, None]).astype(float),
        predictions=rng.normal(size=(n_samples, n_traits)) * 0.2,
        n_padded=padded(n_samples),
    )
