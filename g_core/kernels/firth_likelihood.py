"""The penalised likelihood of the approximate Firth test, many variants side by side.

Belongs here: the covariate-adjusted genotypes of a batch and the four sums over samples of an evaluation. Does not
belong here: what the fits do with them (firth_decisions.py).

Samples run along the slow axis and lanes along the fast one, so that one vector instruction serves several lanes and
sums need no order across a vector. On a CPU the samples are cut into slabs small enough for the nearest caches; a sum
is kept one slab wide until the end. A GPU takes all samples as one slab.
"""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from g_core.kernels.firth_approximate import FirthModel, LikelihoodSums
from g_core.kernels.firth_shape import Slabs
from g_core.kernels.probability import probability
from g_core.kernels.sample_sums import BLOCK_SAMPLES
from g_core.kernels.settings import ProbabilityConfig

# Probabilities are at least about 1e-15: the product of so many is a normal number, and one logarithm serves them all.
LOG_FACTORS = 16


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class FirthSamples:
    """What a batch of B lanes is evaluated on, in S slabs of H samples; X is B, or 1 where all lanes share it.

    Attributes:
        genotype: [S, H, B] float64, dosage without its weighted regression on the covariates; 0 for samples left out.
        offset: [S, H, X].
        cases: [S, H, X] 0/1.
        present: [S, H, X] bool.
    """

    genotype: jax.Array
    offset: jax.Array
    cases: jax.Array
    present: jax.Array


def pad_model(model: FirthModel, slabs: Slabs) -> FirthModel:
    """Return the model, as numpy arrays, with absent samples after its last one that fill the slabs."""

    def pad(array: jax.Array) -> jax.Array:
        host = np.asarray(array)
        padded = np.zeros((slabs.count * slabs.height, *host.shape[1:]), dtype=host.dtype)
        padded[: host.shape[0]] = host
        return jax.device_put(padded)

    return jax.tree.map(pad, model)


def all_samples(
    values: jax.Array,
    unit: jax.Array,
    centre: jax.Array,
    above_dosage: jax.Array,
    model: FirthModel,
    slabs: Slabs,
) -> FirthSamples:
    """Return a batch on all samples of the tile; C is padded to fill the slabs.

    Args:
        values: [C, B] float32.
        unit: [B].
        centre: [B].
        above_dosage: [B] samples at or below this have no genotype.
        model: of the trait, padded.
        slabs: to cut C samples into.
    """
    adjusted, dosage = adjusted_genotype(values, unit, centre, model)
    # A sample without a genotype keeps its probability at the offset whatever the coefficient: its deviance cancels in
    # the likelihood ratio, and it is in no other sum.
    has_genotype = model.present[:, None] & (dosage > above_dosage)
    shape = (slabs.count, slabs.height, -1)
    return FirthSamples(
        genotype=jnp.where(has_genotype, adjusted, 0.0).reshape(shape),
        offset=model.offset.reshape(shape),
        cases=model.cases.reshape(shape),
        present=model.present.reshape(shape),
    )


def listed_samples(
    values: jax.Array, unit: jax.Array, centre: jax.Array, listed: jax.Array, model: FirthModel
) -> FirthSamples:
    """Return a batch on a few samples a lane, in one slab, all others left out of every sum.

    Args:
        values: [C, B] float32.
        unit: [B].
        centre: [B].
        listed: [B, M] int32 columns of the samples, C and more where there are fewer.
        model: of the trait, padded.
    """
    adjusted, _ = adjusted_genotype(values, unit, centre, model)
    exists = (listed < values.shape[0]).T
    column = jnp.where(exists, listed.T, 0)
    genotype = jnp.where(exists, jnp.take_along_axis(adjusted, column, axis=0), 0.0)
    return FirthSamples(
        genotype=genotype[None],
        offset=model.offset[column][None],
        cases=model.cases[column][None],
        present=exists[None],
    )


def adjusted_genotype(
    values: jax.Array, unit: jax.Array, centre: jax.Array, model: FirthModel
) -> tuple[jax.Array, jax.Array]:
    """Return the dosage without its weighted regression on the covariates, and the dosage, [C, B] each."""
    dosage = centre + unit * values.astype(jnp.float64)
    # A product a block, all in one operation: what sample_sums.py does, for samples that fill their blocks.
    by_block = [array.reshape(-1, BLOCK_SAMPLES, array.shape[1]) for array in (model.weighted_root_basis, dosage)]
    on_basis = jnp.sum(jnp.einsum("nsk,nsb->nkb", *by_block), axis=0)
    return dosage - model.projection @ on_basis, dosage


def evaluate_lanes(
    samples: FirthSamples, coefficient: jax.Array, probability_config: ProbabilityConfig
) -> LikelihoodSums:
    """Evaluate every lane at its ``coefficient`` [B] (spec 6.1 with one coefficient)."""
    n_slabs, height, lanes = samples.genotype.shape
    if n_slabs == 1:
        return likelihood_sums(*slab_terms(samples, 0, coefficient, probability_config))

    def add_slab(slab: jax.Array, totals: tuple[jax.Array, ...]) -> tuple[jax.Array, ...]:
        terms = slab_terms(samples, slab, coefficient, probability_config)
        return tuple(total + term for total, term in zip(totals, terms, strict=True))

    zeros = jnp.zeros((height, lanes))
    beginning = (zeros, zeros, zeros, zeros[: height // LOG_FACTORS])
    return likelihood_sums(*lax.fori_loop(0, n_slabs, add_slab, beginning))


def slab_terms(
    samples: FirthSamples, slab: jax.Array | int, coefficient: jax.Array, probability_config: ProbabilityConfig
) -> tuple[jax.Array, jax.Array, jax.Array, jax.Array]:
    """Return each sample's share of the information, third moment and score [H, B], and log-likelihoods [H / 16, B]."""
    genotype, offset, cases, present = (
        lax.dynamic_index_in_dim(array, slab, keepdims=False)
        for array in (samples.genotype, samples.offset, samples.cases, samples.present)
    )
    # Materialised once: XLA would otherwise evaluate the exponential again for each of the sums.
    probabilities = lax.optimization_barrier(probability(offset + genotype * coefficient, probability_config))
    information = genotype * genotype * (probabilities * (1.0 - probabilities))
    third_moment = information * genotype * (0.5 - probabilities)
    observed = jnp.where(present, jnp.where(cases == 1.0, probabilities, 1.0 - probabilities), 1.0)
    return information, third_moment, genotype * (cases - probabilities), jnp.log(products(observed))


def products(factors: jax.Array) -> jax.Array:
    """Return the products of each ``LOG_FACTORS`` rows of ``factors`` [H, B], [H / 16, B]."""
    rows = factors.shape[0] // LOG_FACTORS
    product = factors[:rows]
    for first in range(rows, factors.shape[0], rows):
        product = product * factors[first : first + rows]
    return product


def likelihood_sums(
    information: jax.Array, third_moment: jax.Array, score: jax.Array, log_likelihood: jax.Array
) -> LikelihoodSums:
    """Return the sums of a lane from those of each place in a slab, [H, B] and [H / 16, B]."""
    total_information = jnp.sum(information, axis=0)
    return LikelihoodSums(
        penalised_deviance=-2.0 * jnp.sum(log_likelihood, axis=0) - jnp.log(total_information),
        information=total_information,
        score=jnp.sum(score, axis=0),
        correction=jnp.sum(third_moment, axis=0) / total_information,
    )
