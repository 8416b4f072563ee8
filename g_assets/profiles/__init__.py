"""Saved profiles: which data, which machine, which workload; TOML files and the typed models that read them."""
