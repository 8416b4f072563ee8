#![allow(unsafe_code)] // Two arrays borrow memory of their chunk; the proofs are at the blocks.
//! `DosageStream`, `DosageChunk`, `VariantMoments` and `GenotypeSums`.

use std::sync::{Arc, Mutex, PoisonError};

use g_bgen::{GenotypeFormat, SampleSetChunk};
use numpy::ndarray::ArrayView2;
use numpy::{Element, PyArray1, PyArray2, PyReadonlyArray1, PyReadwriteArray2, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use super::python_error;
use super::reader::{not_contiguous, values};

/// Iterator over decoded chunks in order.
#[pyclass(frozen, module = "g_core._native")]
pub(super) struct DosageStream {
    inner: Mutex<g_bgen::DosageStream>,
}

impl DosageStream {
    pub(super) const fn new(inner: g_bgen::DosageStream) -> Self {
        Self {
            inner: Mutex::new(inner),
        }
    }
}

#[pymethods]
impl DosageStream {
    const fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, python: Python<'_>) -> PyResult<Option<DosageChunk>> {
        let next = python.detach(|| self.inner.lock().unwrap_or_else(PoisonError::into_inner).next_chunk());
        next.transpose()
            .map(|chunk| chunk.map(|chunk| DosageChunk { inner: Arc::new(chunk) }))
            .map_err(python_error)
    }

    /// Buffers allocated so far, over all sample sets.
    #[getter]
    fn buffers_allocated(&self) -> usize {
        self.inner
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .buffers_allocated()
    }
}

/// One decoded chunk.
#[pyclass(frozen, module = "g_core._native")]
pub(super) struct DosageChunk {
    inner: Arc<g_bgen::DosageChunk>,
}

impl DosageChunk {
    fn sample_set(&self, sample_set: usize) -> PyResult<&SampleSetChunk> {
        let sets = self.inner.sample_sets();
        sets.get(sample_set)
            .ok_or_else(|| PyIndexError::new_err(format!("sample set {sample_set} of {}", sets.len())))
    }

    /// The sample set, refused where its rows have another form.
    fn sample_set_of(&self, sample_set: usize, format: GenotypeFormat) -> PyResult<&SampleSetChunk> {
        let set = self.sample_set(sample_set)?;
        if set.genotype_format() == format {
            return Ok(set);
        }
        Err(PyValueError::new_err(format!(
            "the stream was asked for genotypes of format {}, not {}",
            set.genotype_format().name(),
            format.name()
        )))
    }
}

#[pymethods]
impl DosageChunk {
    #[getter]
    fn index(&self) -> usize {
        self.inner.index()
    }

    #[getter]
    fn n_variants(&self) -> usize {
        self.inner.n_variants()
    }

    #[getter]
    fn decode_seconds(&self) -> f64 {
        self.inner.decode_time().as_secs_f64()
    }

    fn values<'py>(this: &Bound<'py, Self>, sample_set: usize) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let set = this.get().sample_set_of(sample_set, GenotypeFormat::Dosage)?;
        // SAFETY: the values lie in the buffer that the chunk owns.
        unsafe { borrow(this, set, set.values()) }
    }

    fn packed<'py>(this: &Bound<'py, Self>, sample_set: usize) -> PyResult<Bound<'py, PyArray2<u16>>> {
        let set = this.get().sample_set_of(sample_set, GenotypeFormat::Packed8)?;
        // SAFETY: the stored bytes lie in the buffer that the chunk owns.
        unsafe { borrow(this, set, set.packed()) }
    }

    fn side_rows<'py>(&self, python: Python<'py>, sample_set: usize) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let set = self.sample_set_of(sample_set, GenotypeFormat::Packed8)?;
        Ok(PyArray1::from_slice(python, set.side_rows()))
    }

    #[expect(clippy::needless_pass_by_value, reason = "Python arguments arrive owned")]
    fn copy_values(
        &self,
        python: Python<'_>,
        sample_set: usize,
        rows: PyReadonlyArray1<'_, u32>,
        mut out: PyReadwriteArray2<'_, f32>,
    ) -> PyResult<()> {
        let set = self.sample_set(sample_set)?;
        let columns = out.shape().get(1).copied().unwrap_or(0);
        if columns != set.columns() {
            return Err(PyValueError::new_err(format!(
                "out has {columns} columns instead of {}",
                set.columns()
            )));
        }
        let rows = values(&rows);
        let places = out.as_slice_mut().map_err(not_contiguous)?;
        python.detach(|| set.copy_values(&rows, places)).map_err(python_error)
    }

    fn moments(&self, sample_set: usize) -> PyResult<VariantMoments> {
        self.sample_set(sample_set)?;
        Ok(VariantMoments {
            chunk: Arc::clone(&self.inner),
            sample_set,
        })
    }

    fn sums(&self, moment_set: usize) -> PyResult<GenotypeSums> {
        let sets = self.inner.sums();
        if moment_set >= sets.len() {
            return Err(PyIndexError::new_err(format!(
                "moment set {moment_set} of {}",
                sets.len()
            )));
        }
        Ok(GenotypeSums {
            chunk: Arc::clone(&self.inner),
            moment_set,
        })
    }
}

/// An array over rows of a chunk, without a copy.
///
/// # Safety
///
/// `rows` must lie in memory that `chunk` owns.
unsafe fn borrow<'py, T: Element>(
    chunk: &Bound<'py, DosageChunk>,
    set: &SampleSetChunk,
    rows: &[T],
) -> PyResult<Bound<'py, PyArray2<T>>> {
    let view = ArrayView2::from_shape((set.rows(), set.columns()), rows)
        .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    // SAFETY: the array's base object is the chunk, which is frozen and owns the buffer, so the memory neither moves
    // nor is freed or reused before the array is gone. Rust code only ever reads the buffer while a method of the
    // chunk runs; the array is writable because DLPack refuses read-only arrays.
    // tests/core/test_bgen_stream.py holds arrays longer than chunk and stream and checks their content.
    Ok(unsafe { PyArray2::borrow_from_array(&view, chunk.clone().into_any()) })
}

/// Sums of one chunk in one moment set.
#[pyclass(frozen, module = "g_core._native")]
pub(super) struct GenotypeSums {
    chunk: Arc<g_bgen::DosageChunk>,
    moment_set: usize,
}

impl GenotypeSums {
    fn inner(&self) -> &g_bgen::GenotypeSums {
        &self.chunk.sums()[self.moment_set]
    }
}

#[pymethods]
impl GenotypeSums {
    #[getter]
    fn n_present<'py>(&self, python: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_slice(python, &self.inner().n_present)
    }

    #[getter]
    fn dosage_sum<'py>(&self, python: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(python, &self.inner().dosage_sum)
    }

    #[getter]
    fn info_sum<'py>(&self, python: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(python, &self.inner().info_sum)
    }

    #[getter]
    fn square_sum<'py>(&self, python: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(python, &self.inner().square_sum)
    }

    #[getter]
    fn male_present<'py>(&self, python: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_slice(python, &self.inner().male_present)
    }

    #[getter]
    fn male_dosage_sum<'py>(&self, python: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(python, &self.inner().male_dosage_sum)
    }
}

/// Exact sums of one chunk in one sample set.
#[pyclass(frozen, module = "g_core._native")]
pub(super) struct VariantMoments {
    chunk: Arc<g_bgen::DosageChunk>,
    sample_set: usize,
}

impl VariantMoments {
    fn inner(&self) -> &g_bgen::VariantMoments {
        self.chunk.sample_sets()[self.sample_set].moments()
    }
}

#[pymethods]
impl VariantMoments {
    #[getter]
    fn n_present<'py>(&self, python: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_slice(python, &self.inner().sums.n_present)
    }

    #[getter]
    fn dosage_sum<'py>(&self, python: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(python, &self.inner().sums.dosage_sum)
    }

    #[getter]
    fn info_sum<'py>(&self, python: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(python, &self.inner().sums.info_sum)
    }

    #[getter]
    fn square_sum<'py>(&self, python: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(python, &self.inner().sums.square_sum)
    }

    #[getter]
    fn tested_sum<'py>(&self, python: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(python, &self.inner().tested_sum)
    }

    #[getter]
    fn n_hom_reference<'py>(&self, python: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_slice(python, &self.inner().n_hom_reference)
    }

    #[getter]
    fn n_hom_effect<'py>(&self, python: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_slice(python, &self.inner().n_hom_effect)
    }

    #[getter]
    fn flipped<'py>(&self, python: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        PyArray1::from_slice(python, &self.inner().flipped)
    }

    #[getter]
    fn n_nonzero_present<'py>(&self, python: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_slice(python, &self.inner().n_nonzero_present)
    }

    #[getter]
    fn unit<'py>(&self, python: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(python, &self.inner().unit)
    }

    #[getter]
    fn centre<'py>(&self, python: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(python, &self.inner().centre)
    }

    #[getter]
    fn centred_square_sum<'py>(&self, python: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(python, &self.inner().centred_square_sum)
    }

    #[getter]
    fn male_present<'py>(&self, python: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_slice(python, &self.inner().sums.male_present)
    }

    #[getter]
    fn male_dosage_sum<'py>(&self, python: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(python, &self.inner().sums.male_dosage_sum)
    }

    #[getter]
    fn missing_offsets<'py>(&self, python: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_iter(
            python,
            std::iter::once(0).chain(self.inner().missing_ends.iter().copied()),
        )
    }

    #[getter]
    fn missing_columns<'py>(&self, python: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        PyArray1::from_slice(python, &self.inner().missing_columns)
    }
}
