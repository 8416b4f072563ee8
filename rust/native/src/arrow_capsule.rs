//! Record batches to and from Python through the Arrow `PyCapsule` interface, without a copy.
//!
//! Belongs here: the two capsules and who frees what. Does not belong here: what a batch holds. The crate that offers
//! this ready-made brings the whole of Arrow's casting and printing, which doubled the build; this is the part we need.
#![allow(
    unsafe_code,
    reason = "the interface passes C structures; each block proves its own use"
)]

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::{Array, RecordBatch, StructArray};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi::c_str;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods, PyTuple};
use std::ffi::CStr;

/// Names that the interface prescribes.
const SCHEMA_CAPSULE: &CStr = c_str!("arrow_schema");
const ARRAY_CAPSULE: &CStr = c_str!("arrow_array");

/// A batch on its way from Python: any object with `__arrow_c_array__` whose array is a struct.
pub(crate) struct ImportedBatch(pub(crate) RecordBatch);

impl<'py> FromPyObject<'_, 'py> for ImportedBatch {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let exported = object.call_method0("__arrow_c_array__").map_err(|_| {
            PyTypeError::new_err("expected a record batch: an object with the Arrow method __arrow_c_array__")
        })?;
        let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = exported.extract()?;
        let schema = schema.pointer_checked(Some(SCHEMA_CAPSULE))?.cast::<FFI_ArrowSchema>();
        let array = array.pointer_checked(Some(ARRAY_CAPSULE))?.cast::<FFI_ArrowArray>();
        // SAFETY: a capsule of this name holds a valid ArrowArray by the interface's contract, and the interpreter lock is
        // held, so nobody else takes it meanwhile. `from_raw` moves the structure out and leaves a released one, which the
        // capsule's destructor then skips: it is freed once.
        let array = unsafe { FFI_ArrowArray::from_raw(array.as_ptr()) };
        // SAFETY: the schema capsule is alive in `exported` until the end of this function, and is only read. The two
        // structures describe one another, by the same contract.
        let data = unsafe { from_ffi(array, schema.as_ref()) };
        let data = data.map_err(|error| PyValueError::new_err(error.to_string()))?;
        if !matches!(data.data_type(), arrow_schema::DataType::Struct(_)) {
            let message = format!("expected a record batch, got an Arrow array of {}", data.data_type());
            return Err(PyTypeError::new_err(message));
        }
        let columns = StructArray::from(data);
        if columns.null_count() > 0 {
            return Err(PyValueError::new_err("a record batch has no null rows of its own"));
        }
        Ok(Self(RecordBatch::from(columns)))
    }
}

/// A batch on its way to Python: pyarrow and polars take it by its `__arrow_c_array__`.
#[pyclass(frozen, module = "g_core._native")]
pub(crate) struct ExportedBatch(pub(crate) RecordBatch);

#[pymethods]
impl ExportedBatch {
    /// The schema and array capsules; the buffers are shared, not copied.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        python: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        // The interface lets a producer ignore the request; the consumer casts.
        drop(requested_schema);
        let columns = StructArray::from(self.0.clone());
        let (array, schema) = to_ffi(&columns.into_data()).map_err(|error| PyValueError::new_err(error.to_string()))?;
        // Dropping these structures calls their release callback unless a consumer has moved them out.
        let schema = PyCapsule::new_with_value(python, schema, SCHEMA_CAPSULE)?;
        let array = PyCapsule::new_with_value(python, array, ARRAY_CAPSULE)?;
        PyTuple::new(python, [schema, array])
    }
}
