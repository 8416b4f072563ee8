//! Placeholder.

use pyo3::prelude::*;

/// Adds this room's classes and functions to the module.
pub(crate) fn register(_module: &Bound<'_, PyModule>) -> PyResult<()> {
    Ok(())
}
