#![expect(clippy::needless_pass_by_value, reason = "Python arguments arrive owned")]
//! `BgenReader`.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray, UInt16Array, UInt32Array};
use arrow_buffer::{Buffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::ArrowError;
use g_bgen::{Coding, GenotypeFormat, NamedPath, ReadOptions, SampleSet, StreamPlan, TextColumn};
use numpy::{AsSliceError, PyReadonlyArray1, PyReadwriteArray2, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use super::genotypes::VariantGenotypes;
use super::python_error;
use super::stream::DosageStream;
use crate::arrow_capsule::ExportedBatch;

/// An open and indexed BGEN file.
#[pyclass(frozen, module = "g_core._native")]
pub(super) struct BgenReader {
    inner: g_bgen::BgenReader,
}

#[pymethods]
impl BgenReader {
    #[new]
    fn new(python: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let inner = python
            .detach(|| g_bgen::BgenReader::open(&path))
            .map_err(python_error)?;
        Ok(Self { inner })
    }

    #[getter]
    fn path(&self) -> &str {
        self.inner.path()
    }

    #[getter]
    fn file_bytes(&self) -> u64 {
        self.inner.file_bytes()
    }

    #[getter]
    fn n_samples(&self) -> u32 {
        self.inner.header().n_samples
    }

    #[getter]
    fn n_variants(&self) -> u32 {
        self.inner.header().n_variants
    }

    #[getter]
    fn layout(&self) -> u32 {
        self.inner.header().layout.number()
    }

    #[getter]
    fn compression(&self) -> &'static str {
        self.inner.header().compression.name()
    }

    #[getter]
    fn trailing_bytes(&self) -> u64 {
        self.inner.index().trailing_bytes()
    }

    #[getter]
    fn sample_ids(&self) -> Option<Vec<&str>> {
        self.inner
            .header()
            .sample_ids
            .as_ref()
            .map(|identifiers| identifiers.iter().collect())
    }

    fn variants(&self, python: Python<'_>) -> PyResult<ExportedBatch> {
        let batch = python.detach(|| variant_batch(&self.inner));
        batch
            .map(ExportedBatch)
            .map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }

    #[expect(clippy::too_many_arguments, reason = "keyword-only arguments of the Python call")]
    #[pyo3(signature = (start, stop, *, samples, threads, tile_variants, trusted_no_missing_diploid, out))]
    fn read_dosage(
        &self,
        python: Python<'_>,
        start: usize,
        stop: usize,
        samples: Option<PyReadonlyArray1<'_, u32>>,
        threads: usize,
        tile_variants: usize,
        trusted_no_missing_diploid: bool,
        mut out: PyReadwriteArray2<'_, f32>,
    ) -> PyResult<()> {
        let options = self.read_options(samples, threads, tile_variants, trusted_no_missing_diploid)?;
        check_shape(out.shape(), start, stop, options.samples.len())?;
        let places = out.as_slice_mut().map_err(not_contiguous)?;
        python
            .detach(|| self.inner.read_dosage(start..stop, &options, places))
            .map_err(python_error)
    }

    #[expect(clippy::too_many_arguments, reason = "keyword-only arguments of the Python call")]
    #[pyo3(signature = (start, stop, *, samples, threads, tile_variants, trusted_no_missing_diploid, out))]
    fn read_packed8(
        &self,
        python: Python<'_>,
        start: usize,
        stop: usize,
        samples: Option<PyReadonlyArray1<'_, u32>>,
        threads: usize,
        tile_variants: usize,
        trusted_no_missing_diploid: bool,
        mut out: PyReadwriteArray2<'_, u8>,
    ) -> PyResult<()> {
        let options = self.read_options(samples, threads, tile_variants, trusted_no_missing_diploid)?;
        check_shape(out.shape(), start, stop, 2 * options.samples.len())?;
        let places = out.as_slice_mut().map_err(not_contiguous)?;
        python
            .detach(|| self.inner.read_packed8(start..stop, &options, places))
            .map_err(python_error)
    }

    fn read_genotypes(&self, python: Python<'_>, variant: usize) -> PyResult<VariantGenotypes> {
        python
            .detach(|| self.inner.read_genotypes(variant))
            .map(VariantGenotypes::new)
            .map_err(python_error)
    }

    fn identity(&self, variant: usize) -> PyResult<(&str, &str, &str, u32, Vec<&str>)> {
        let index = self.inner.index();
        if variant >= index.len() {
            return Err(PyIndexError::new_err(format!("variant {variant} of {}", index.len())));
        }
        let mut alleles = vec![index.first_alleles().get(variant)];
        if index.allele_counts()[variant] > 1 {
            alleles.push(index.second_alleles().get(variant));
        }
        alleles.extend(index.further_alleles(variant).iter().map(String::as_str));
        Ok((
            index.variant_ids().get(variant),
            index.rsids().get(variant),
            index.chromosomes().get(variant),
            index.positions()[variant],
            alleles,
        ))
    }

    #[pyo3(signature = (*, threads))]
    fn check(&self, python: Python<'_>, threads: usize) -> PyResult<u64> {
        python
            .detach(|| g_bgen::check(&self.inner, threads))
            .map_err(python_error)
    }

    #[pyo3(signature = (path, *, samples, threads, tile_variants, trusted_no_missing_diploid))]
    fn run_path(
        &self,
        python: Python<'_>,
        path: &str,
        samples: Option<PyReadonlyArray1<'_, u32>>,
        threads: usize,
        tile_variants: usize,
        trusted_no_missing_diploid: bool,
    ) -> PyResult<u64> {
        let path = NamedPath::from_name(path).ok_or_else(|| {
            let names = NamedPath::ALL.map(NamedPath::name).join(", ");
            PyValueError::new_err(format!("path {path:?}; possible: {names}"))
        })?;
        let options = self.read_options(samples, threads, tile_variants, trusted_no_missing_diploid)?;
        python
            .detach(|| g_bgen::run_path(&self.inner, path, &options))
            .map_err(python_error)
    }

    #[expect(
        clippy::too_many_arguments,
        clippy::fn_params_excessive_bools,
        reason = "keyword-only arguments of the Python call"
    )]
    #[pyo3(signature = (
        *, variant_indices, chunk_offsets, chunk_counts_males, sample_sets, males, moment_sets, moment_males,
        effect_is_first_allele, coding, genotype_format, flip_to_minor_allele, halve_males, count_genotypes,
        tile_rows, column_multiple, threads, staging_depth, decode_tile_variants, trusted_no_missing_diploid
    ))]
    fn stream(
        &self,
        python: Python<'_>,
        variant_indices: PyReadonlyArray1<'_, u32>,
        chunk_offsets: PyReadonlyArray1<'_, u64>,
        chunk_counts_males: PyReadonlyArray1<'_, bool>,
        sample_sets: Vec<PyReadonlyArray1<'_, u32>>,
        males: Vec<PyReadonlyArray1<'_, bool>>,
        moment_sets: Vec<PyReadonlyArray1<'_, u32>>,
        moment_males: Vec<PyReadonlyArray1<'_, bool>>,
        effect_is_first_allele: bool,
        coding: &str,
        genotype_format: &str,
        flip_to_minor_allele: bool,
        halve_males: bool,
        count_genotypes: bool,
        tile_rows: usize,
        column_multiple: usize,
        threads: usize,
        staging_depth: usize,
        decode_tile_variants: usize,
        trusted_no_missing_diploid: bool,
    ) -> PyResult<DosageStream> {
        let coding = Coding::from_name(coding).ok_or_else(|| {
            PyValueError::new_err(format!(
                "coding {coding:?}; additive, dominant and recessive are possible"
            ))
        })?;
        let genotype_format = GenotypeFormat::from_name(genotype_format).ok_or_else(|| {
            PyValueError::new_err(format!(
                "genotype_format {genotype_format:?}; dosage and packed8 are possible"
            ))
        })?;
        let n_samples = self.inner.header().n_samples;
        let plan = StreamPlan {
            variant_indices: values(&variant_indices),
            chunk_offsets: values(&chunk_offsets),
            chunk_counts_males: values(&chunk_counts_males),
            sample_sets: read_sets(&sample_sets, &males, n_samples)?,
            moment_sets: read_sets(&moment_sets, &moment_males, n_samples)?,
            effect_is_first_allele,
            coding,
            genotype_format,
            flip_to_minor_allele,
            halve_males,
            count_genotypes,
            tile_rows,
            column_multiple,
            threads,
            staging_depth,
            decode_tile_variants,
            trusted_no_missing_diploid,
        };
        let stream = python.detach(|| self.inner.stream(plan)).map_err(python_error)?;
        Ok(DosageStream::new(stream))
    }
}

fn read_sets(
    sets: &[PyReadonlyArray1<'_, u32>],
    males: &[PyReadonlyArray1<'_, bool>],
    n_samples: u32,
) -> PyResult<Vec<SampleSet>> {
    if sets.len() != males.len() {
        let (sets, flags) = (sets.len(), males.len());
        return Err(PyValueError::new_err(format!(
            "{sets} sample sets, but males for {flags}"
        )));
    }
    sets.iter()
        .zip(males)
        .map(|(samples, males)| SampleSet::new(values(samples), values(males), n_samples).map_err(python_error))
        .collect()
}

impl BgenReader {
    /// All samples where `samples` is `None`.
    fn read_options(
        &self,
        samples: Option<PyReadonlyArray1<'_, u32>>,
        threads: usize,
        tile_variants: usize,
        trusted_no_missing_diploid: bool,
    ) -> PyResult<ReadOptions> {
        let n_samples = self.inner.header().n_samples;
        let indices = samples.map_or_else(|| (0..n_samples).collect(), |samples| values(&samples));
        Ok(ReadOptions {
            samples: SampleSet::in_any_order(indices, n_samples).map_err(python_error)?,
            threads,
            tile_variants,
            trusted_no_missing_diploid,
        })
    }
}

/// The entries of an array of any stride.
pub(super) fn values<T: numpy::Element + Copy>(array: &PyReadonlyArray1<'_, T>) -> Vec<T> {
    array.as_array().iter().copied().collect()
}

fn check_shape(found: &[usize], start: usize, stop: usize, columns: usize) -> PyResult<()> {
    let expected = [stop.saturating_sub(start), columns];
    if found == expected {
        return Ok(());
    }
    Err(PyValueError::new_err(format!(
        "out has shape {found:?} instead of {expected:?}"
    )))
}

pub(super) fn not_contiguous(_: AsSliceError) -> PyErr {
    PyValueError::new_err("out must be C-contiguous")
}

fn variant_batch(reader: &g_bgen::BgenReader) -> Result<RecordBatch, ArrowError> {
    let index = reader.index();
    let columns: [(&str, ArrayRef); 7] = [
        ("variant_id", utf8(index.variant_ids())?),
        ("rsid", utf8(index.rsids())?),
        ("chromosome", utf8(index.chromosomes())?),
        ("position", Arc::new(UInt32Array::from(index.positions().to_vec()))),
        ("allele1", utf8(index.first_alleles())?),
        ("allele2", utf8(index.second_alleles())?),
        ("n_alleles", Arc::new(UInt16Array::from(index.allele_counts().to_vec()))),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, array)| (name, array, false)))
}

fn utf8(column: &TextColumn) -> Result<ArrayRef, ArrowError> {
    let offsets = OffsetBuffer::new(ScalarBuffer::from(column.offsets().to_vec()));
    Ok(Arc::new(StringArray::try_new(
        offsets,
        Buffer::from(column.text().as_bytes()),
        None,
    )?))
}
