"""True haplotypes with linkage disequilibrium.

Belongs here: the haplotype model. A block of neighbouring variants shares, for each haplotype, a latent Gaussian
value that changes along the chromosome as an AR(1) process in base pairs; the haplotypes with the most extreme values
carry the minor allele. Blocks are independent, as if a recombination hot spot lay between them. Imputation error is
added in probabilities.py.
"""

import numpy as np
import numpy.typing as npt

from g_core.simulate.sites import SiteTable
from g_core.simulate.spec import SimulationSpec
from g_core.simulate.streams import Stream, open_stream


def simulate_minor_haplotypes(*, spec: SimulationSpec, sites: SiteTable, block: int) -> npt.NDArray[np.bool_]:
    """Return which haplotypes carry the minor allele in one linkage block.

    Returns:
        Shape (variants of the block, 2 * n_samples); columns 2 i and 2 i + 1 belong to sample i. Each row has exactly
        ``sites.minor_allele_counts`` true entries.
    """
    generator = open_stream(seed=spec.seed, stream=Stream.HAPLOTYPES, index=block)
    start = block * spec.linkage_block_variants
    stop = min(start + spec.linkage_block_variants, spec.n_variants)
    positions = sites.positions[start:stop].astype(np.float64)
    correlation = np.exp(-np.diff(positions, prepend=positions[:1]) / spec.linkage_length_bases).astype(np.float32)
    innovation = np.sqrt(1.0 - correlation**2)
    takes_upper_tail = generator.random(stop - start) < 0.5
    n_haplotypes = 2 * spec.n_samples
    minor = np.empty((stop - start, n_haplotypes), dtype=np.bool_)
    latent = generator.standard_normal(n_haplotypes, dtype=np.float32)
    for row in range(stop - start):
        # The first row keeps the starting values: its correlation with itself is 1.
        latent *= correlation[row]
        latent += innovation[row] * generator.standard_normal(n_haplotypes, dtype=np.float32)
        signed = -latent if takes_upper_tail[row] else latent
        minor[row] = mark_smallest(values=signed, count=int(sites.minor_allele_counts[start + row]))
    return minor


def mark_smallest(*, values: npt.NDArray[np.float32], count: int) -> npt.NDArray[np.bool_]:
    """Return a mask of exactly ``count`` of the smallest entries."""
    boundary = np.partition(values, count - 1)[count - 1]
    marked = values <= boundary
    surplus = int(np.count_nonzero(marked)) - count
    if surplus:  # equal float32 values at the boundary
        marked[np.flatnonzero(values == boundary)[:surplus]] = False
    return marked
