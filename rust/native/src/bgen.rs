//! Bindings of `g-bgen`.

mod genotypes;
mod reader;
mod stream;
mod writer;

use g_bgen::BgenError;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::errors::{InputError, OutputError};

/// Adds this room's classes and functions to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<reader::BgenReader>()?;
    module.add_class::<stream::DosageStream>()?;
    module.add_class::<stream::DosageChunk>()?;
    module.add_class::<stream::VariantMoments>()?;
    module.add_class::<stream::GenotypeSums>()?;
    module.add_class::<genotypes::VariantGenotypes>()?;
    module.add_class::<writer::BgenWriter>()?;
    module.add_function(wrap_pyfunction!(writer::write_first_variants, module)?)
}

/// The Python exception of an error: faults of files are input or output errors, wrong calls are `ValueError`.
#[expect(clippy::needless_pass_by_value, reason = "the argument of map_err")]
fn python_error(error: BgenError) -> PyErr {
    let message = error.to_string();
    match error {
        BgenError::Write { .. } => OutputError::new_err(message),
        BgenError::Request(_) => PyValueError::new_err(message),
        BgenError::Worker(_) => PyRuntimeError::new_err(message),
        _ => InputError::new_err(message),
    }
}
