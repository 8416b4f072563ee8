"""The logistic probability, its weights and the deviance, with REGENIE's clamps.

Belongs here: what every binary fit evaluates per sample. Does not belong here: any iteration.

Rows with ``present`` False are padding or samples masked for the trait. They never enter a deviance or a score; their
weight is 1, as in REGENIE, and harmless where their row of the design is 0.
"""

import jax
import jax.numpy as jnp

from g_core.kernels.exponential import bounded_exponential
from g_core.kernels.settings import ProbabilityConfig


def probability(linear_predictor: jax.Array, config: ProbabilityConfig) -> jax.Array:
    """Return P(case), float64, the shape of ``linear_predictor``."""
    limit = config.linear_predictor_limit
    inside = 1.0 - 1.0 / (bounded_exponential(jnp.clip(linear_predictor, -limit, limit)) + 1.0)
    bounded_above = jnp.where(linear_predictor > limit, 1.0 / (1.0 + config.epsilon), inside)
    lowest = config.epsilon / (1.0 + config.epsilon)
    return jnp.where(linear_predictor < -limit, lowest, bounded_above)


def information_weights(probabilities: jax.Array, present: jax.Array) -> jax.Array:
    """Return p (1 - p) where present and 1 elsewhere, shape [C]."""
    return jnp.where(present, probabilities * (1.0 - probabilities), 1.0)


def deviance(cases: jax.Array, probabilities: jax.Array, present: jax.Array) -> jax.Array:
    """Return minus twice the log-likelihood of 0/1 ``cases`` over the present samples, summed over the last axis."""
    observed = jnp.where(cases == 1.0, probabilities, 1.0 - probabilities)
    return -2.0 * jnp.sum(jnp.where(present, jnp.log(observed), 0.0), axis=-1)
