"""Sites: where the variants are, what their alleles are called, how rare they are and how well they are imputed.

Belongs here: everything about a variant that does not depend on samples. Genotypes are made in haplotypes.py and
probabilities.py.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from g_core.simulate.spec import SimulationSpec
from g_core.simulate.streams import Stream, open_stream

NUCLEOTIDES = ("A", "C", "G", "T")


@dataclass(frozen=True, slots=True)
class SiteTable:
    """Variants in file order; every array and list has n_variants entries."""

    positions: npt.NDArray[np.uint32]
    """Base pairs, strictly increasing."""
    identifiers: list[str]
    first_alleles: list[str]
    """Effect alleles of an analysis without ``--ref-first``."""
    second_alleles: list[str]
    minor_allele_counts: npt.NDArray[np.int64]
    """Copies of the rarer allele among the 2 * n_samples true haplotypes."""
    first_is_minor: npt.NDArray[np.bool_]
    imputation_quality: npt.NDArray[np.float64]
    """Expected INFO; 1 where the variant is known without error."""


def simulate_sites(spec: SimulationSpec) -> SiteTable:
    """Draw the variants of a dataset.

    Allele counts have the 1/x density that neutral sites of a population of constant size have, so most variants are
    rare.
    """
    generator = open_stream(seed=spec.seed, stream=Stream.SITES, index=0)
    size = spec.n_variants
    free_bases = spec.last_position - spec.first_position + 1 - size
    offsets = np.sort(generator.integers(0, free_bases, size=size, endpoint=True))
    positions = (spec.first_position + offsets + np.arange(size)).astype(np.uint32)

    lowest, highest = float(spec.minimum_minor_allele_count), float(spec.n_samples)
    counts = lowest * (highest / lowest) ** generator.random(size)
    quality = spec.minimum_info + (1.0 - spec.minimum_info) * generator.beta(6.0, 1.0, size=size)
    is_genotyped = generator.random(size) < spec.genotyped_fraction
    first_alleles, second_alleles = draw_alleles(generator=generator, size=size, indel_fraction=spec.indel_fraction)
    return SiteTable(
        positions=positions,
        identifiers=[f"{spec.chromosome_code}:{position}" for position in positions.tolist()],
        first_alleles=first_alleles,
        second_alleles=second_alleles,
        minor_allele_counts=np.floor(counts).astype(np.int64),
        first_is_minor=generator.random(size) < spec.first_allele_minor_fraction,
        imputation_quality=np.where(is_genotyped | spec.hard_calls, 1.0, quality),
    )


def draw_alleles(*, generator: np.random.Generator, size: int, indel_fraction: float) -> tuple[list[str], list[str]]:
    """Return the two alleles of each variant: two nucleotides, or for an indel one nucleotide and a longer allele."""
    first_codes = generator.integers(0, 4, size=size)
    second_codes = (first_codes + generator.integers(1, 4, size=size)) % 4
    is_indel = generator.random(size) < indel_fraction
    inserted_codes = generator.integers(0, 4, size=(size, 3))
    first_alleles = [NUCLEOTIDES[int(code)] for code in first_codes]
    second_alleles = [NUCLEOTIDES[int(code)] for code in second_codes]
    for variant in np.flatnonzero(is_indel):
        inserted = "".join(NUCLEOTIDES[int(code)] for code in inserted_codes[variant])
        second_alleles[variant] = first_alleles[variant] + inserted
    return first_alleles, second_alleles
