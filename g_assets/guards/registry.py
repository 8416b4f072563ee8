"""The guards, by name. A new rule is a new module and one line here."""

from g_assets.guards import (
    crate_arrows,
    documentation_links,
    hidden_defaults,
    machine_paths,
    native_stub,
    package_initialisers,
    rust_casts,
)
from g_assets.guards.repository import Rule

GUARDS: dict[str, Rule] = {
    "crate-arrows": crate_arrows.check,
    "documentation-links": documentation_links.check,
    "hidden-defaults": hidden_defaults.check,
    "machine-paths": machine_paths.check,
    "native-stub": native_stub.check,
    "package-initialisers": package_initialisers.check,
    "rust-casts": rust_casts.check,
}
