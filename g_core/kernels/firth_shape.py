"""How large a batch of Firth fits is: from the number of samples and the kind of device, and nothing else.

Belongs here: lanes and slabs that suit the caches of a CPU or the width of a GPU. Does not belong here: anything that
depends on data or on the number of threads, because another shape may change the last bits of a result.
"""

from dataclasses import dataclass

import jax

from g_core.kernels.sample_sums import BLOCK_SAMPLES

# Values of all lanes together: few enough for the second-level cache to help, many enough to outweigh the calls.
CPU_BATCH_VALUES = 160_000

CPU_SLAB_VALUES = 8_192

# Lanes fill vectors, so that every lane is computed by the same instructions.
LANE_MULTIPLE = 8

UNLIMITED_VALUES = 2**62

# Slabs hold whole blocks of the products over samples.
SLAB_MULTIPLE = BLOCK_SAMPLES


@dataclass(frozen=True, slots=True)
class Slabs:
    """How the samples of a batch are cut.

    Attributes:
        count: slabs.
        height: samples a slab; the last one is filled up.
    """

    count: int
    height: int


def batch_lanes(n_samples: int, most: int) -> int:
    """Return how many fits run side by side: a multiple of 8, at most about ``most`` of them."""
    fitting = (CPU_BATCH_VALUES if is_cpu() else UNLIMITED_VALUES) // max(n_samples, 1)
    lanes = min(most, fitting)
    return max(1, lanes // LANE_MULTIPLE) * LANE_MULTIPLE


def cut_slabs(n_samples: int, n_lanes: int) -> Slabs:
    """Return slabs for ``n_samples`` samples of ``n_lanes`` lanes; a GPU takes one."""
    height = (CPU_SLAB_VALUES if is_cpu() else UNLIMITED_VALUES) // n_lanes
    height = max(1, min(height, n_samples + SLAB_MULTIPLE - 1) // SLAB_MULTIPLE) * SLAB_MULTIPLE
    return Slabs(count=-(-n_samples // height), height=height)


def is_cpu() -> bool:
    """Whether kernels run on a CPU."""
    return jax.default_backend() == "cpu"
