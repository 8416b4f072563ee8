//! `VariantGenotypes`.

use numpy::ndarray::Array2;
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::{PyMemoryError, PyRuntimeError};
use pyo3::prelude::*;

/// Largest matrix of allele counts: samples of ploidy 0 store nothing, so a small file may ask for any size.
const MOST_COUNTS: usize = 1 << 30;

/// Ploidies and probabilities of one variant.
#[pyclass(frozen, module = "g_core._native")]
pub(super) struct VariantGenotypes {
    inner: g_bgen::VariantGenotypes,
}

impl VariantGenotypes {
    pub(super) const fn new(inner: g_bgen::VariantGenotypes) -> Self {
        Self { inner }
    }
}

#[pymethods]
impl VariantGenotypes {
    #[getter]
    const fn bits(&self) -> u32 {
        self.inner.bits
    }

    #[getter]
    const fn phased(&self) -> bool {
        self.inner.phased
    }

    #[getter]
    const fn n_alleles(&self) -> u16 {
        self.inner.n_alleles
    }

    #[getter]
    fn ploidy<'py>(&self, python: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        PyArray1::from_slice(python, &self.inner.ploidy)
    }

    #[getter]
    fn missing<'py>(&self, python: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        PyArray1::from_slice(python, &self.inner.missing)
    }

    #[getter]
    fn offsets<'py>(&self, python: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        PyArray1::from_slice(python, &self.inner.offsets)
    }

    #[getter]
    fn probabilities<'py>(&self, python: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(python, &self.inner.probabilities)
    }

    fn allele_counts<'py>(&self, python: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let n_counts = self.inner.ploidy.len().checked_mul(usize::from(self.inner.n_alleles));
        if n_counts.is_none_or(|count| count > MOST_COUNTS) {
            return Err(PyMemoryError::new_err(
                "too many samples and alleles for a matrix of allele counts; use the probabilities",
            ));
        }
        let counts = python.detach(|| self.inner.allele_counts());
        let shape = (self.inner.ploidy.len(), usize::from(self.inner.n_alleles));
        let array = Array2::from_shape_vec(shape, counts);
        array
            .map(|array| PyArray2::from_owned_array(python, array))
            .map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }
}
