"""The exponential function in double precision, from operations that every XLA backend makes vector code of.

Belongs here: the argument reduction and the series. Does not belong here: what it is used for (probability.py).

XLA's own ``exp`` takes about twice as long on a CPU, and one call a sample and evaluation is most of a Firth fit.
"""

import math

import jax
import jax.numpy as jnp
from jax import lax

# ln 2 in two parts: the first has so few bits that its product with any exponent is exact.
LN2_HIGH = float.fromhex("0x1.62e42feep-1")
LN2_LOW = float.fromhex("0x1.a39ef35793c76p-33")

# Of r within half of ln 2 the terms after r**13 are below 1e-17 of the sum.
SERIES = tuple(1.0 / math.factorial(power) for power in range(14))

# Adding a whole number to this leaves the number in the lowest bits of the sum.
INTEGER_BITS = 1.5 * 2.0**52

EXPONENT_SHIFT = 52


def bounded_exponential(argument: jax.Array) -> jax.Array:
    """Return e to the power of ``argument``, float64, within one unit of the last place; NaN of NaN.

    Args:
        argument: float64, between -700 and 700, so that neither it nor its exponential leaves the normal numbers.
    """
    exponent = lax.round(argument * (1.0 / math.log(2.0)), lax.RoundingMethod.TO_NEAREST_EVEN)
    reduced = (argument - exponent * LN2_HIGH) - exponent * LN2_LOW
    series = jnp.full_like(reduced, SERIES[-1])
    for coefficient in reversed(SERIES[:-1]):
        series = series * reduced + coefficient
    scale_bits = lax.shift_left(
        lax.bitcast_convert_type(exponent + INTEGER_BITS, jnp.int64), jnp.asarray(EXPONENT_SHIFT, dtype=jnp.int64)
    )
    return lax.bitcast_convert_type(lax.bitcast_convert_type(series, jnp.int64) + scale_bits, jnp.float64)
