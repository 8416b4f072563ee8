//! The Python module `g_core._native`: one thin binding a pure crate, and nothing else.
//!
//! Belongs here: conversion of arguments and results, release of the interpreter lock around work, errors to
//! Python exceptions. Does not belong here: any parsing, arithmetic or file format.

mod arrow_capsule;
mod bgen;
mod build_info;
mod errors;
mod output;
mod tables;

/// Readers and writers of the files that `g` touches.
#[pyo3::pymodule(gil_used = false)]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::build_info::build_info;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::bgen::register(module)?;
        super::tables::register(module)?;
        super::output::register(module)
    }
}
