"""Random streams: one independent generator for each part of a dataset.

Belongs here: how a seed becomes generators. Streams are keyed by purpose and index, never by the order of calls, so
a part can be made alone, in any order or in any thread, with the same numbers.
"""

from enum import IntEnum

import numpy as np


class Stream(IntEnum):
    """Purposes. The numbers are part of the dataset format: never reuse or renumber one."""

    SITES = 1
    HAPLOTYPES = 2
    IMPUTATION = 3
    COVARIATES = 4
    QUANTITATIVE_TRAIT = 5
    BINARY_TRAIT = 6
    QUANTITATIVE_PREDICTIONS = 7
    BINARY_PREDICTIONS = 8
    MISSING_GENOTYPES = 9


def open_stream(*, seed: int, stream: Stream, index: int) -> np.random.Generator:
    """Return the generator of one purpose.

    Args:
        seed: Seed of the dataset.
        stream: Purpose.
        index: Part within the purpose, such as the number of a linkage block.
    """
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(int(stream), index))))
