#![expect(clippy::needless_pass_by_value, reason = "Python arguments arrive owned")]
//! `BgenWriter` and `write_first_variants`.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use g_bgen::{Compression, VariantBatch, WriterOptions};
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::python_error;
use super::reader::values;

/// Writes layout 2, 8 bits, unphased, diploid.
#[pyclass(frozen, module = "g_core._native")]
pub(super) struct BgenWriter {
    /// `None` after `finish`.
    inner: Mutex<Option<g_bgen::BgenWriter>>,
    n_samples: usize,
}

#[pymethods]
impl BgenWriter {
    #[new]
    #[pyo3(signature = (path, *, sample_ids, n_samples, compression, level, threads))]
    fn new(
        python: Python<'_>,
        path: PathBuf,
        sample_ids: Option<Vec<String>>,
        n_samples: u32,
        compression: &str,
        level: i32,
        threads: usize,
    ) -> PyResult<Self> {
        let compression = Compression::from_name(compression).ok_or_else(|| {
            PyValueError::new_err(format!("compression {compression:?}; none, zlib and zstd are possible"))
        })?;
        let options = WriterOptions {
            n_samples,
            sample_ids,
            compression,
            level,
            threads,
        };
        let inner = python
            .detach(|| g_bgen::BgenWriter::create(&path, options))
            .map_err(python_error)?;
        let n_samples = usize::try_from(n_samples)?;
        Ok(Self {
            inner: Mutex::new(Some(inner)),
            n_samples,
        })
    }

    #[expect(clippy::too_many_arguments, reason = "keyword-only arguments of the Python call")]
    #[pyo3(signature = (*, chromosome, rsids, positions, first_alleles, second_alleles, probabilities, missing))]
    fn write(
        &self,
        python: Python<'_>,
        chromosome: &str,
        rsids: Vec<String>,
        positions: PyReadonlyArray1<'_, u32>,
        first_alleles: Vec<String>,
        second_alleles: Vec<String>,
        probabilities: PyReadonlyArray3<'_, u8>,
        missing: Option<PyReadonlyArray2<'_, bool>>,
    ) -> PyResult<()> {
        let shape = [rsids.len(), self.n_samples, 2];
        if probabilities.shape() != shape {
            let found = probabilities.shape();
            return Err(PyValueError::new_err(format!(
                "probabilities have shape {found:?} instead of {shape:?}"
            )));
        }
        if let Some(missing) = missing.as_ref().filter(|missing| missing.shape() != &shape[..2]) {
            let (found, wanted) = (missing.shape(), &shape[..2]);
            return Err(PyValueError::new_err(format!(
                "missing has shape {found:?} instead of {wanted:?}"
            )));
        }
        let contiguous = |_| PyValueError::new_err("probabilities and missing must be C-contiguous");
        let batch = VariantBatch {
            chromosome,
            rsids: &rsids,
            positions: &values(&positions),
            first_alleles: &first_alleles,
            second_alleles: &second_alleles,
            probabilities: probabilities.as_slice().map_err(contiguous)?,
            missing: missing
                .as_ref()
                .map(PyReadonlyArray2::as_slice)
                .transpose()
                .map_err(contiguous)?,
        };
        python.detach(
            || match self.inner.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
                Some(writer) => writer.write(&batch).map_err(python_error),
                None => Err(PyValueError::new_err("this BGEN file is already finished")),
            },
        )
    }

    fn finish(&self, python: Python<'_>) -> PyResult<u64> {
        let writer = self.inner.lock().unwrap_or_else(PoisonError::into_inner).take();
        let writer = writer.ok_or_else(|| PyValueError::new_err("this BGEN file is already finished"))?;
        python.detach(|| writer.finish()).map_err(python_error)
    }
}

/// Copy the header and the first variants of a BGEN.
#[pyfunction]
pub(super) fn write_first_variants(python: Python<'_>, source: PathBuf, target: PathBuf, count: u64) -> PyResult<u64> {
    python
        .detach(|| g_bgen::write_first_variants(&source, &target, count))
        .map_err(python_error)
}
