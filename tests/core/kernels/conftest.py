"""JAX in the engine's precision, and the thresholds that REGENIE has."""

import jax
import pytest

jax.config.update("jax_enable_x64", True)


@pytest.fixture(autouse=True)
def double_precision():
    """Whatever a test beside these did, kernels run with 64-bit values."""
    jax.config.update("jax_enable_x64", True)
