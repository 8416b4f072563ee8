//! The one error of this crate.

use std::io;
use std::path::{Path, PathBuf};

/// Why a result could not be written. The message names the file.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The operating system refused: disk full, read-only, no such folder.
    #[error("{}: cannot be {action}: {}", path.display(), reason(source))]
    File {
        /// The file.
        path: PathBuf,
        /// What was being done, as a participle.
        action: &'static str,
        /// The operating system's words.
        source: io::Error,
    },
    /// The Parquet encoder refused the batches.
    #[error("{}: cannot be encoded as Parquet: {source}", path.display())]
    Parquet {
        /// The file.
        path: PathBuf,
        /// The encoder's words.
        source: parquet::errors::ParquetError,
    },
    /// The batches of one part do not fit together.
    #[error("{}: the batches of this part do not fit together: {problem}", path.display())]
    Batches {
        /// The file.
        path: PathBuf,
        /// What differs.
        problem: String,
    },
    /// A committed part cannot be read back.
    #[error("{}: this part cannot be read: {problem}", path.display())]
    Part {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A batch lacks a column, or it has a type that cannot be printed.
    #[error("{}: column {column}: {problem}", path.display())]
    Column {
        /// The file.
        path: PathBuf,
        /// The column's name.
        column: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A thread that wrote parts came to an end by a panic: a defect of this program.
    #[error("{}: the thread that wrote this part panicked: {message}; this is a defect of g", path.display())]
    Panicked {
        /// The file.
        path: PathBuf,
        /// The panic's words.
        message: String,
    },
    /// A setting cannot be used.
    #[error("{0}")]
    Setting(String),
    /// The writer was finished or closed before.
    #[error("{}: this writer is closed", path.display())]
    Closed {
        /// The file that should have been written.
        path: PathBuf,
    },
}

impl OutputError {
    /// Wraps an operating system's error, for `map_err`.
    pub(crate) fn file(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File {
            path: path.to_owned(),
            action,
            source,
        }
    }
}

fn reason(source: &io::Error) -> String {
    match source.kind() {
        io::ErrorKind::NotFound => "its folder does not exist".to_owned(),
        io::ErrorKind::StorageFull => "the disk is full".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => source.to_string(),
    }
}
