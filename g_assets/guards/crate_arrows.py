"""Rule: the crates that know a file format know neither Python nor each other's business.

Only rust/native may depend on PyO3; the crates below it are plain Rust, so that their tests and benches need no Python.
"""

import tomllib

from g_assets.guards.repository import Finding, Repository

BINDING_CRATE = "rust/native/Cargo.toml"
PYTHON_CRATES = frozenset({"pyo3", "numpy", "pyo3-arrow"})
WORKSPACE_PREFIX = "g-"
DEPENDENCY_TABLES = ("dependencies", "dev-dependencies", "build-dependencies")


def check(repository: Repository) -> list[Finding]:
    """Every dependency of a format crate on Python or on a sibling."""
    findings: list[Finding] = []
    for name in repository.matching("/Cargo.toml", under="rust/"):
        if name == BINDING_CRATE:
            continue
        manifest = tomllib.loads(repository.text(name))
        for table in DEPENDENCY_TABLES:
            for crate in manifest.get(table, {}):
                if crate in PYTHON_CRATES:
                    findings.append(Finding(name, 0, f"{table} name {crate}: only {BINDING_CRATE} may know Python"))
                if crate.startswith(WORKSPACE_PREFIX):
                    findings.append(Finding(name, 0, f"{table} name {crate}: format crates stand side by side"))
    return findings
