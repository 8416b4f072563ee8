"""Genotype blocks: true haplotypes and what the file stores of them, made ahead in threads.

Belongs here: what a block is and the order in which blocks come. How they are drawn is in haplotypes.py and
probabilities.py.
"""

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from g_core.simulate.haplotypes import simulate_minor_haplotypes
from g_core.simulate.probabilities import simulate_missing, simulate_probabilities
from g_core.simulate.sites import SiteTable
from g_core.simulate.spec import SimulationSpec


@dataclass(frozen=True, slots=True)
class GenotypeBlock:
    """Variants ``start`` to ``stop`` of the file."""

    start: int
    stop: int
    minor_haplotypes: npt.NDArray[np.bool_]
    """Shape (variants, 2 * n_samples)."""
    probabilities: npt.NDArray[np.uint8]
    """Shape (variants, n_samples, 2), as the BGEN stores them."""
    missing: npt.NDArray[np.bool_] | None
    """Shape (variants, n_samples)."""

    def first_allele_copies(self, *, sites: SiteTable, variant: int) -> npt.NDArray[np.int64]:
        """Return each sample's true copies of the first allele; ``variant`` is its number in the file."""
        minor_copies = self.minor_haplotypes[variant - self.start].reshape(-1, 2).sum(axis=1)
        return minor_copies if sites.first_is_minor[variant] else 2 - minor_copies


def simulate_block(*, spec: SimulationSpec, sites: SiteTable, block: int) -> GenotypeBlock:
    """Make one linkage block; it depends on the specification and its number only."""
    minor_haplotypes = simulate_minor_haplotypes(spec=spec, sites=sites, block=block)
    start = block * spec.linkage_block_variants
    return GenotypeBlock(
        start=start,
        stop=start + minor_haplotypes.shape[0],
        minor_haplotypes=minor_haplotypes,
        probabilities=simulate_probabilities(spec=spec, sites=sites, block=block, minor_haplotypes=minor_haplotypes),
        missing=simulate_missing(spec=spec, block=block, n_rows=minor_haplotypes.shape[0]),
    )


def iterate_blocks(*, spec: SimulationSpec, sites: SiteTable, threads: int) -> Iterator[GenotypeBlock]:
    """Yield every block in file order; at most ``threads + 1`` are in memory besides the one in use."""
    with ThreadPoolExecutor(max_workers=threads) as pool:
        pending: deque[Future[GenotypeBlock]] = deque()
        for block in range(spec.n_blocks):
            pending.append(pool.submit(simulate_block, spec=spec, sites=sites, block=block))
            if len(pending) > threads:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
