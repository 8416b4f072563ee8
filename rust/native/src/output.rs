//! Python's view of g-output: batches come by the Arrow `PyCapsule` interface, work runs without the
//! interpreter lock.

#![expect(clippy::needless_pass_by_value, reason = "Python arguments arrive owned")]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use arrow_array::RecordBatch;
use g_output::OutputError as WriteError;
use g_output::merge;
use g_output::parquet_part::{PartCompression, PartFacts};
use g_output::part_writer;
use g_output::regenie_table;
use g_output::regenie_text;
use pyo3::prelude::*;

use crate::arrow_capsule::ImportedBatch;
use crate::errors::{InputError, OutputError};

/// Adds this room's classes and functions to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<CommittedPart>()?;
    module.add_class::<PartWriter>()?;
    module.add_class::<RegenieTextWriter>()?;
    module.add_class::<RegenieTableWriter>()?;
    module.add_function(wrap_pyfunction!(merge_parts, module)?)?;
    module.add_function(wrap_pyfunction!(format_g6, module)?)
}

/// A part under its final name.
#[pyclass(frozen, get_all, module = "g_core._native")]
struct CommittedPart {
    path: OsString,
    rows: u64,
    bytes: u64,
    sha256: String,
}

impl CommittedPart {
    fn new(path: PathBuf, facts: PartFacts) -> Self {
        Self {
            path: path.into_os_string(),
            rows: facts.rows,
            bytes: facts.bytes,
            sha256: facts.sha256,
        }
    }
}

impl From<part_writer::CommittedPart> for CommittedPart {
    fn from(part: part_writer::CommittedPart) -> Self {
        Self::new(part.path, part.facts)
    }
}

/// Writes Parquet parts in native threads: temporary name, fsync, rename.
#[pyclass(frozen, module = "g_core._native")]
struct PartWriter {
    writer: Mutex<part_writer::PartWriter>,
}

impl Drop for PartWriter {
    /// Waits without the interpreter lock: a writer thread that lets go of a batch needs it, because numpy owns the memory.
    fn drop(&mut self) {
        let waited = Python::try_attach(|python| python.detach(|| locked(&self.writer).abandon()));
        if waited.is_none() {
            locked(&self.writer).abandon_without_waiting();
        }
    }
}

#[pymethods]
impl PartWriter {
    #[new]
    #[pyo3(signature = (*, threads, queue_depth, compression))]
    fn new(threads: usize, queue_depth: usize, compression: &str) -> PyResult<Self> {
        let compression = PartCompression::parse(compression).map_err(|error| output_error(&error))?;
        let writer = part_writer::PartWriter::new(threads, queue_depth, compression);
        Ok(Self {
            writer: Mutex::new(writer.map_err(|error| output_error(&error))?),
        })
    }

    #[pyo3(signature = (*, temporary_path, final_path, batches, metadata))]
    fn submit(
        &self,
        python: Python<'_>,
        temporary_path: PathBuf,
        final_path: PathBuf,
        batches: Vec<ImportedBatch>,
        metadata: BTreeMap<String, String>,
    ) -> PyResult<()> {
        let batches = batches.into_iter().map(|batch| batch.0).collect();
        let job = part_writer::PartJob {
            temporary_path,
            final_path,
            batches,
            metadata,
        };
        python
            .detach(|| locked(&self.writer).submit(job))
            .map_err(|error| output_error(&error))
    }

    fn committed(&self, python: Python<'_>) -> PyResult<Vec<CommittedPart>> {
        let parts = python
            .detach(|| locked(&self.writer).committed())
            .map_err(|error| output_error(&error))?;
        Ok(parts.into_iter().map(CommittedPart::from).collect())
    }

    fn close(&self, python: Python<'_>) -> PyResult<Vec<CommittedPart>> {
        let parts = python
            .detach(|| locked(&self.writer).close())
            .map_err(|error| output_error(&error))?;
        Ok(parts.into_iter().map(CommittedPart::from).collect())
    }
}

/// REGENIE's text.
#[pyclass(frozen, module = "g_core._native")]
struct RegenieTextWriter {
    writer: Mutex<regenie_text::RegenieTextWriter>,
}

#[pymethods]
impl RegenieTextWriter {
    #[new]
    #[pyo3(signature = (*, temporary_path, final_path, gzip, case_control_columns))]
    fn new(
        python: Python<'_>,
        temporary_path: PathBuf,
        final_path: PathBuf,
        gzip: bool,
        case_control_columns: bool,
    ) -> PyResult<Self> {
        let create =
            || regenie_text::RegenieTextWriter::create(&temporary_path, &final_path, gzip, case_control_columns);
        let writer = python.detach(create).map_err(|error| output_error(&error))?;
        Ok(Self {
            writer: Mutex::new(writer),
        })
    }

    fn append(&self, python: Python<'_>, batch: ImportedBatch) -> PyResult<()> {
        let batch: RecordBatch = batch.0;
        python
            .detach(|| locked(&self.writer).append(&batch))
            .map_err(|error| output_error(&error))
    }

    fn finish(&self, python: Python<'_>) -> PyResult<u64> {
        python
            .detach(|| locked(&self.writer).finish())
            .map_err(|error| output_error(&error))
    }
}

/// REGENIE's one table for all traits.
#[pyclass(frozen, module = "g_core._native")]
struct RegenieTableWriter {
    writer: Mutex<regenie_table::RegenieTableWriter>,
}

#[pymethods]
impl RegenieTableWriter {
    #[new]
    #[pyo3(signature = (*, temporary_path, final_path, gzip, n_traits))]
    fn new(
        python: Python<'_>,
        temporary_path: PathBuf,
        final_path: PathBuf,
        gzip: bool,
        n_traits: usize,
    ) -> PyResult<Self> {
        let create = || regenie_table::RegenieTableWriter::create(&temporary_path, &final_path, gzip, n_traits);
        let writer = python.detach(create).map_err(|error| output_error(&error))?;
        Ok(Self {
            writer: Mutex::new(writer),
        })
    }

    fn append(&self, python: Python<'_>, batch: ImportedBatch) -> PyResult<()> {
        let batch: RecordBatch = batch.0;
        python
            .detach(|| locked(&self.writer).append(&batch))
            .map_err(|error| output_error(&error))
    }

    fn finish(&self, python: Python<'_>) -> PyResult<u64> {
        python
            .detach(|| locked(&self.writer).finish())
            .map_err(|error| output_error(&error))
    }
}

/// One sorted Parquet file from parts.
#[pyfunction]
#[pyo3(signature = (*, parts, temporary_path, final_path, empty_batch, metadata, compression, row_group_rows, threads))]
#[expect(clippy::too_many_arguments, reason = "Python gives them by name")]
fn merge_parts(
    python: Python<'_>,
    parts: Vec<PathBuf>,
    temporary_path: PathBuf,
    final_path: PathBuf,
    empty_batch: ImportedBatch,
    metadata: BTreeMap<String, String>,
    compression: &str,
    row_group_rows: usize,
    threads: usize,
) -> PyResult<CommittedPart> {
    let job = merge::MergeJob {
        parts,
        temporary_path,
        final_path,
        schema: empty_batch.0.schema(),
        metadata,
        compression: PartCompression::parse(compression).map_err(|error| output_error(&error))?,
        row_group_rows,
        threads,
    };
    let facts = python
        .detach(|| merge::merge_parts(&job))
        .map_err(|error| match error {
            WriteError::Part { .. } => InputError::new_err(error.to_string()),
            _ => output_error(&error),
        })?;
    Ok(CommittedPart::new(job.final_path, facts))
}

/// A double as C's %g prints it; NaN as NA.
#[pyfunction]
fn format_g6(value: f64) -> String {
    g_output::format_g6::format_g6(value)
}

fn locked<Value>(mutex: &Mutex<Value>) -> MutexGuard<'_, Value> {
    // A panic in a writer leaves an unfinished temporary file at worst, never a wrong final one.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn output_error(error: &WriteError) -> PyErr {
    OutputError::new_err(error.to_string())
}
