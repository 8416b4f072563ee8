"""The logistic probability, its weights and the deviance, with REGENIE's clamps.

Belongs here: what every binary fit evaluates per sample. Does not belong here: any iteration.
"""

from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass(frozen=True, slots=True)
class ProbabilityConfig:
    """Where a fitted probability stops following its linear predictor (spec 5.1, REGENIE get_pvec).

    Attributes:
        linear_predictor_limit: beyond plus or minus this the probability is held constant (REGENIE: 30).
        epsilon: the constant: ``1 / (1 + epsilon)`` above, ``epsilon / (1 + epsilon)`` below (REGENIE: 10 * 2**-52).
    """

    linear_predictor_limit: float
    epsilon: float
