"""P-values on the -log10 scale.

Belongs here: distributions of test statistics. Does not belong here: the statistics themselves.
"""

import math

import jax
import jax.numpy as jnp
from jax.scipy.special import erf, log_ndtr

# Both formulas are exact; below this statistic the first keeps its relative precision, above it the second does.
FORMULA_CROSSOVER = 1.0

# Terms of the tail series that log_ndtr takes below -20; its default of 3 leaves an error of 1e-11 there.
TAIL_SERIES_TERMS = 8


def log10_p_from_chi_square(chi_square: jax.Array) -> jax.Array:
    """Return -log10 P(X > chi_square) for X chi-square with one degree of freedom.

    Right to 1e-12 relative from tiny statistics to far beyond the range of a double P. REGENIE (get_logp, spec 9)
    takes the leading tail term once P leaves the normal doubles, which is 3e-4 lower there; this is the exact value.

    Args:
        chi_square: float64, any shape. 0 gives 0; NaN and negative values give NaN.
    """
    root = jnp.sqrt(chi_square)
    near = -jnp.log1p(-erf(root / math.sqrt(2.0)))
    far = -(math.log(2.0) + log_ndtr(-root, series_order=TAIL_SERIES_TERMS))
    return jnp.where(chi_square < FORMULA_CROSSOVER, near, far) / math.log(10.0)
