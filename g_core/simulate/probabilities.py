"""Genotype probabilities as an imputation program would report them, in the BGEN's eight bits.

Belongs here: the step from true haplotypes to what the file stores. The posterior of an allele is drawn so that it is
calibrated: given a posterior p the true allele is the minor one with probability p. With p from a
Beta(a f, a (1 - f)) distribution and a = 1 / r - 1 the expected INFO is r; conditional on the true allele that is a
Beta(a f + 1, a (1 - f)) or a Beta(a f, a (1 - f) + 1) variable.
"""

import numpy as np
import numpy.typing as npt

from g_core.simulate.sites import SiteTable
from g_core.simulate.spec import SimulationSpec
from g_core.simulate.streams import Stream, open_stream

# Posteriors are drawn from a table of this many beta variables for each variant and allele: one random byte picks
# one. Drawing a beta variable for every haplotype takes ten times as long.
TABLE_ENTRIES = 256


def simulate_probabilities(
    *, spec: SimulationSpec, sites: SiteTable, block: int, minor_haplotypes: npt.NDArray[np.bool_]
) -> npt.NDArray[np.uint8]:
    """Return what the BGEN stores for one linkage block.

    Args:
        spec: The dataset.
        sites: All its variants.
        block: Number of the linkage block.
        minor_haplotypes: As haplotypes.simulate_minor_haplotypes returns them.

    Returns:
        Shape (variants of the block, n_samples, 2): 255 * P(two copies of the first allele) and 255 * P(one copy).
    """
    generator = open_stream(seed=spec.seed, stream=Stream.IMPUTATION, index=block)
    start = block * spec.linkage_block_variants
    probabilities = np.empty((minor_haplotypes.shape[0], spec.n_samples, 2), dtype=np.uint8)
    for row in range(minor_haplotypes.shape[0]):
        variant = start + row
        quality = float(sites.imputation_quality[variant])
        if quality >= 1.0:
            posterior = minor_haplotypes[row].astype(np.float32)
        else:
            posterior = draw_posteriors(
                generator=generator,
                is_minor=minor_haplotypes[row],
                frequency=float(sites.minor_allele_counts[variant]) / minor_haplotypes.shape[1],
                quality=quality,
            )
        if not sites.first_is_minor[variant]:
            posterior = np.float32(1.0) - posterior
        probabilities[row] = quantise(posterior)
    return probabilities


def draw_posteriors(
    *, generator: np.random.Generator, is_minor: npt.NDArray[np.bool_], frequency: float, quality: float
) -> npt.NDArray[np.float32]:
    """Return the posterior probability of the minor allele for each haplotype, shape of ``is_minor``."""
    concentration = 1.0 / quality - 1.0
    minor_shape, major_shape = concentration * frequency, concentration * (1.0 - frequency)
    table = np.concatenate(
        (
            generator.beta(minor_shape, major_shape + 1.0, size=TABLE_ENTRIES),
            generator.beta(minor_shape + 1.0, major_shape, size=TABLE_ENTRIES),
        )
    ).astype(np.float32)
    picks = generator.integers(0, TABLE_ENTRIES, size=is_minor.size, dtype=np.uint8).astype(np.uint16)
    picks[is_minor] += TABLE_ENTRIES
    return table.take(picks)


def quantise(posterior: npt.NDArray[np.float32]) -> npt.NDArray[np.uint8]:
    """Return the stored bytes of one variant from its haplotype posteriors.

    Args:
        posterior: Shape (2 * n_samples,): probability that a haplotype carries the first allele.

    Returns:
        Shape (n_samples, 2); the two bytes of a sample never add up to more than 255.
    """
    one, other = posterior[0::2], posterior[1::2]
    both = one * other
    stored = np.empty((one.size, 2), dtype=np.uint8)
    stored[:, 0] = np.rint(255.0 * both)
    homozygous_second = np.rint(255.0 * ((1.0 - one) * (1.0 - other))).astype(np.int16)
    stored[:, 1] = np.maximum(255 - stored[:, 0].astype(np.int16) - homozygous_second, 0)
    return stored


def simulate_missing(*, spec: SimulationSpec, block: int, n_rows: int) -> npt.NDArray[np.bool_] | None:
    """Return which genotypes of a block are missing, shape (n_rows, n_samples); None where none may be."""
    if spec.missing_rate == 0.0:
        return None
    generator = open_stream(seed=spec.seed, stream=Stream.MISSING_GENOTYPES, index=block)
    return generator.random((n_rows, spec.n_samples), dtype=np.float32) < np.float32(spec.missing_rate)
