"""JAX kernels, one algorithm a file; every threshold comes from a config dataclass and every failure is data."""
