//! Python's view of g-tables: every table is read with the interpreter lock released, then handed over once.

#![expect(
    clippy::needless_pass_by_value,
    reason = "Python arguments and the argument of map_err arrive owned"
)]

use std::path::PathBuf;

use g_tables::TextColumn;
use g_tables::trait_table::CategoricalColumn;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::errors::InputError;

/// Adds this room's classes and functions to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<SampleTable>()?;
    module.add_class::<TraitTable>()?;
    module.add_class::<LocoTable>()?;
    module.add_function(wrap_pyfunction!(read_sample_file, module)?)?;
    module.add_function(wrap_pyfunction!(read_table_header, module)?)?;
    module.add_function(wrap_pyfunction!(read_trait_table, module)?)?;
    module.add_function(wrap_pyfunction!(read_prediction_list, module)?)?;
    module.add_function(wrap_pyfunction!(read_loco_file, module)?)?;
    module.add_function(wrap_pyfunction!(read_id_list, module)?)?;
    module.add_function(wrap_pyfunction!(read_sample_list, module)?)
}

/// A .sample file.
#[pyclass(frozen, get_all, module = "g_core._native")]
struct SampleTable {
    family_ids: Py<PyList>,
    individual_ids: Py<PyList>,
    sex: Py<PyArray1<i8>>,
}

/// Rows of a phenotype or covariate file, in file order.
#[pyclass(frozen, get_all, module = "g_core._native")]
struct TraitTable {
    family_ids: Py<PyList>,
    individual_ids: Py<PyList>,
    line_numbers: Py<PyArray1<i64>>,
    numeric_names: Vec<String>,
    numeric: Py<PyArray2<f64>>,
    categorical_names: Vec<String>,
    categorical: Py<PyList>,
}

/// Leave-one-chromosome-out predictions of one trait.
#[pyclass(frozen, get_all, module = "g_core._native")]
struct LocoTable {
    sample_keys: Py<PyList>,
    chromosomes: Py<PyList>,
    line_numbers: Py<PyList>,
    values: Py<PyArray2<f64>>,
}

/// Reads a .sample file.
#[pyfunction]
fn read_sample_file(python: Python<'_>, path: PathBuf) -> PyResult<SampleTable> {
    let table = python
        .detach(|| g_tables::sample_file::read_sample_file(&path))
        .map_err(input_error)?;
    Ok(SampleTable {
        family_ids: text_list(python, &table.family_ids)?,
        individual_ids: text_list(python, &table.individual_ids)?,
        sex: PyArray1::from_vec(python, table.sex).unbind(),
    })
}

/// Column names after FID and IID.
#[pyfunction]
fn read_table_header(python: Python<'_>, path: PathBuf) -> PyResult<Vec<String>> {
    python
        .detach(|| g_tables::trait_table::read_table_header(&path))
        .map_err(input_error)
}

/// Reads the named columns of a phenotype or covariate file.
#[pyfunction]
#[pyo3(signature = (path, *, numeric, categorical))]
fn read_trait_table(
    python: Python<'_>,
    path: PathBuf,
    numeric: Vec<String>,
    categorical: Vec<String>,
) -> PyResult<TraitTable> {
    let read = || g_tables::trait_table::read_trait_table(&path, &numeric, &categorical);
    let table = python.detach(read).map_err(input_error)?;
    let shape = [table.line_numbers.len(), numeric.len()];
    let columns: Vec<_> = table
        .categorical
        .iter()
        .map(|column| level_list(python, column))
        .collect::<PyResult<_>>()?;
    Ok(TraitTable {
        family_ids: text_list(python, &table.family_ids)?,
        individual_ids: text_list(python, &table.individual_ids)?,
        line_numbers: PyArray1::from_vec(python, table.line_numbers).unbind(),
        numeric_names: numeric,
        numeric: PyArray1::from_vec(python, table.numeric).reshape(shape)?.unbind(),
        categorical_names: categorical,
        categorical: PyList::new(python, columns)?.unbind(),
    })
}

/// Trait, path as written and line number of each entry.
#[pyfunction]
fn read_prediction_list(python: Python<'_>, path: PathBuf) -> PyResult<Vec<(String, String, usize)>> {
    let entries = python
        .detach(|| g_tables::prediction_list::read_prediction_list(&path))
        .map_err(input_error)?;
    Ok(entries
        .into_iter()
        .map(|entry| (entry.name, entry.file, entry.line))
        .collect())
}

/// Reads a LOCO prediction file.
#[pyfunction]
fn read_loco_file(python: Python<'_>, path: PathBuf) -> PyResult<LocoTable> {
    let table = python
        .detach(|| g_tables::loco_file::read_loco_file(&path))
        .map_err(input_error)?;
    let shape = [table.chromosomes.len(), table.sample_keys.len()];
    Ok(LocoTable {
        sample_keys: text_list(python, &table.sample_keys)?,
        chromosomes: PyList::new(python, table.chromosomes)?.unbind(),
        line_numbers: PyList::new(python, table.line_numbers)?.unbind(),
        values: PyArray1::from_vec(python, table.values).reshape(shape)?.unbind(),
    })
}

/// First field of each line.
#[pyfunction]
fn read_id_list(python: Python<'_>, path: PathBuf) -> PyResult<Vec<String>> {
    python
        .detach(|| g_tables::id_lists::read_id_list(&path))
        .map_err(input_error)
}

/// FID and IID of each line.
#[pyfunction]
fn read_sample_list(python: Python<'_>, path: PathBuf) -> PyResult<Vec<(String, String)>> {
    python
        .detach(|| g_tables::id_lists::read_sample_list(&path))
        .map_err(input_error)
}

fn text_list(python: Python<'_>, texts: &TextColumn) -> PyResult<Py<PyList>> {
    Ok(PyList::new(python, texts.iter())?.unbind())
}

/// One Python string a level, however many rows have it.
fn level_list(python: Python<'_>, column: &CategoricalColumn) -> PyResult<Py<PyList>> {
    let levels: Vec<_> = column.levels.iter().map(|level| PyString::new(python, level)).collect();
    let cells = column.codes.iter().map(|code| code.map(|level| &levels[level]));
    Ok(PyList::new(python, cells)?.unbind())
}

fn input_error(error: g_tables::TablesError) -> PyErr {
    InputError::new_err(error.to_string())
}
