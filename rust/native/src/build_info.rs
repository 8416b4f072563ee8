//! What this binary is: read by benchmark manifests, so that two runs can be told apart.

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Facts of the build: crate version, cargo profile, target triple, compiler, and CPU features compiled in.
///
/// The commit is not here: an editable build is older than the checkout it stands in, so the lab asks git itself.
#[pyfunction]
pub(crate) fn build_info(python: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let facts = PyDict::new(python);
    facts.set_item("version", env!("CARGO_PKG_VERSION"))?;
    facts.set_item("profile", env!("G_BUILD_PROFILE"))?;
    facts.set_item("target", env!("G_BUILD_TARGET"))?;
    facts.set_item("compiler", env!("G_BUILD_RUSTC"))?;
    facts.set_item("debug_assertions", cfg!(debug_assertions).to_string())?;
    Ok(facts)
}
