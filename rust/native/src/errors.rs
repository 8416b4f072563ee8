//! One place where a Rust error becomes a Python exception.
//!
//! The classes live in `g_core.errors`, so that Python code catches one family whichever floor it came from.

pyo3::import_exception!(g_core.errors, InputError);
pyo3::import_exception!(g_core.errors, OutputError);
