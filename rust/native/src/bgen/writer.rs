#![expect(clippy::needless_pass_by_value, reason = "Python arguments arrive owned")]
//! `BgenWriter` and `write_first_variants`.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use g_bgen::{Compression, Layout, VariantBatch, VariantGenotypes, VariantIdentity, WriterOptions};
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::python_error;
use super::reader::values;

/// Writes BGEN files.
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
        Self::create(
            python,
            path,
            sample_ids,
            n_samples,
            compression,
            level,
            Layout::Two,
            threads,
        )
    }

    /// As the constructor, but in layout 1, for `write_variant` only.
    #[staticmethod]
    #[pyo3(signature = (path, *, sample_ids, n_samples, compression, level))]
    fn layout_one(
        python: Python<'_>,
        path: PathBuf,
        sample_ids: Option<Vec<String>>,
        n_samples: u32,
        compression: &str,
        level: i32,
    ) -> PyResult<Self> {
        Self::create(python, path, sample_ids, n_samples, compression, level, Layout::One, 1)
    }

    /// Append unphased variants.
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
        let texts = [&rsids, &first_alleles, &second_alleles].map(Vec::as_slice);
        self.write_batch(
            python,
            false,
            chromosome,
            texts,
            &positions,
            &probabilities,
            missing.as_ref(),
        )
    }

    /// Append phased variants: probabilities are of the first allele on either haplotype.
    #[expect(clippy::too_many_arguments, reason = "keyword-only arguments of the Python call")]
    #[pyo3(signature = (*, chromosome, rsids, positions, first_alleles, second_alleles, probabilities, missing))]
    fn write_phased(
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
        let texts = [&rsids, &first_alleles, &second_alleles].map(Vec::as_slice);
        self.write_batch(
            python,
            true,
            chromosome,
            texts,
            &positions,
            &probabilities,
            missing.as_ref(),
        )
    }

    /// Append one variant of any legal kind.
    #[expect(clippy::too_many_arguments, reason = "keyword-only arguments of the Python call")]
    #[pyo3(signature = (
        *, variant_id, rsid, chromosome, position, alleles, bits, phased, ploidy, missing, offsets, probabilities
    ))]
    fn write_variant(
        &self,
        python: Python<'_>,
        variant_id: &str,
        rsid: &str,
        chromosome: &str,
        position: u32,
        alleles: Vec<String>,
        bits: u32,
        phased: bool,
        ploidy: PyReadonlyArray1<'_, u8>,
        missing: PyReadonlyArray1<'_, bool>,
        offsets: PyReadonlyArray1<'_, u64>,
        probabilities: PyReadonlyArray1<'_, f64>,
    ) -> PyResult<()> {
        let alleles: Vec<&str> = alleles.iter().map(String::as_str).collect();
        let identity = VariantIdentity {
            variant_id,
            rsid,
            chromosome,
            position,
            alleles: &alleles,
        };
        let genotypes = VariantGenotypes {
            bits,
            phased,
            n_alleles: u16::try_from(alleles.len())?,
            ploidy: values(&ploidy),
            missing: values(&missing),
            offsets: values(&offsets),
            probabilities: values(&probabilities),
        };
        python.detach(|| {
            let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            let writer = inner.as_mut().ok_or_else(finished)?;
            writer.write_variant(&identity, &genotypes).map_err(python_error)
        })
    }

    fn finish(&self, python: Python<'_>) -> PyResult<u64> {
        let writer = self.inner.lock().unwrap_or_else(PoisonError::into_inner).take();
        let writer = writer.ok_or_else(finished)?;
        python.detach(|| writer.finish()).map_err(python_error)
    }
}

impl BgenWriter {
    #[expect(clippy::too_many_arguments, reason = "the arguments of two Python constructors")]
    fn create(
        python: Python<'_>,
        path: PathBuf,
        sample_ids: Option<Vec<String>>,
        n_samples: u32,
        compression: &str,
        level: i32,
        layout: Layout,
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
            layout,
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

    #[expect(clippy::too_many_arguments, reason = "the arguments of two Python methods")]
    fn write_batch(
        &self,
        python: Python<'_>,
        phased: bool,
        chromosome: &str,
        [rsids, first_alleles, second_alleles]: [&[String]; 3],
        positions: &PyReadonlyArray1<'_, u32>,
        probabilities: &PyReadonlyArray3<'_, u8>,
        missing: Option<&PyReadonlyArray2<'_, bool>>,
    ) -> PyResult<()> {
        let shape = [rsids.len(), self.n_samples, 2];
        if probabilities.shape() != shape {
            let found = probabilities.shape();
            return Err(PyValueError::new_err(format!(
                "probabilities have shape {found:?} instead of {shape:?}"
            )));
        }
        if let Some(missing) = missing.filter(|missing| missing.shape() != &shape[..2]) {
            let (found, wanted) = (missing.shape(), &shape[..2]);
            return Err(PyValueError::new_err(format!(
                "missing has shape {found:?} instead of {wanted:?}"
            )));
        }
        let contiguous = |_| PyValueError::new_err("probabilities and missing must be C-contiguous");
        let batch = VariantBatch {
            chromosome,
            rsids,
            positions: &values(positions),
            first_alleles,
            second_alleles,
            phased,
            probabilities: probabilities.as_slice().map_err(contiguous)?,
            missing: missing
                .map(PyReadonlyArray2::as_slice)
                .transpose()
                .map_err(contiguous)?,
        };
        python.detach(
            || match self.inner.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
                Some(writer) => writer.write(&batch).map_err(python_error),
                None => Err(finished()),
            },
        )
    }
}

fn finished() -> PyErr {
    PyValueError::new_err("this BGEN file is already finished")
}

/// Copy the header and the first variants of a BGEN.
#[pyfunction]
pub(super) fn write_first_variants(python: Python<'_>, source: PathBuf, target: PathBuf, count: u64) -> PyResult<u64> {
    python
        .detach(|| g_bgen::write_first_variants(&source, &target, count))
        .map_err(python_error)
}
