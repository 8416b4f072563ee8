//! Files for the tests of this crate.

use std::io::Write;
use std::path::Path;

use tempfile::NamedTempFile;

use crate::error::TablesError;

/// A file with this text.
pub(crate) fn file_with(text: &str) -> NamedTempFile {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    file
}

/// The message that reading this text gives, with `FILE` in place of the path.
pub(crate) fn message<Table>(text: &str, read: impl FnOnce(&Path) -> Result<Table, TablesError>) -> String {
    let file = file_with(text);
    let error = read(file.path()).err().unwrap();
    error.to_string().replace(&file.path().display().to_string(), "FILE")
}
