"""Arithmetic whose bits do not depend on what stands beside it.

Belongs here: the two devices that keep one trait's results the same to the bit whichever traits run with it. Does not
belong here: any statistic.

XLA compiles an expression over [variants, traits] differently for different numbers of traits (vector and scalar loops
contract multiplications and additions differently). So the arithmetic after the products runs trait by trait, on shapes
that the number of traits does not enter, and barriers keep the compiler from merging it with its surroundings.
"""

from collections.abc import Callable
from functools import partial, wraps
from typing import ParamSpec, TypeVar

import jax
import jax.numpy as jnp
from jax import lax

Arguments = ParamSpec("Arguments")
Inputs = TypeVar("Inputs")
Result = TypeVar("Result")


def isolated(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Return ``function`` compiled by itself: positional arguments are arrays, keywords are static."""

    @wraps(function)
    def wrapper(*arguments: Arguments.args, **static: Arguments.kwargs) -> Result:
        result = partial(function, **static)(*lax.optimization_barrier(arguments))
        return lax.optimization_barrier(result)

    return wrapper


def map_traits(function: Callable[[Inputs], Result], inputs: Inputs) -> Result:
    """Return ``function`` of each trait's slice of ``inputs``, stacked; the leading axis of every leaf is the trait."""
    if jax.tree.leaves(inputs)[0].shape[0] > 1:
        return lax.map(function, inputs)
    # A loop of one turn is no loop to XLA: it would be merged with its surroundings. So one trait runs twice.
    pair = lax.map(function, jax.tree.map(lambda leaf: jnp.concatenate([leaf, leaf]), inputs))
    return jax.tree.map(lambda leaf: leaf[:1], pair)
