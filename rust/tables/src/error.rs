//! The one error of this crate.

use std::io;
use std::path::PathBuf;

use crate::problems::Problems;

/// Why a text table could not be used. The message names the file as it was given.
#[derive(Debug, thiserror::Error)]
pub enum TablesError {
    /// The operating system would not let the file be read.
    #[error("{}: cannot be read: {}", shown(path), reason(source))]
    Unreadable {
        /// The file as given.
        path: PathBuf,
        /// The operating system's words.
        source: io::Error,
    },
    /// The file begins like gzip, but is cut or damaged.
    #[error(
        "{}: begins like a gzip file but cannot be decompressed: {source}; make the file again",
        shown(path)
    )]
    DamagedGzip {
        /// The file as given.
        path: PathBuf,
        /// The decoder's words.
        source: io::Error,
    },
    /// The file is not UTF-8 text.
    #[error("{}, line {line}: {what}; save the file as UTF-8 text", shown(path))]
    NotText {
        /// The file as given.
        path: PathBuf,
        /// First line with bytes that are no UTF-8.
        line: usize,
        /// What the bytes look like.
        what: &'static str,
    },
    /// One or more places of the file are wrong.
    #[error("{}{problems}", shown(path))]
    Wrong {
        /// The file as given.
        path: PathBuf,
        /// The places, in file order.
        problems: Problems,
    },
}

fn shown(path: &std::path::Path) -> String {
    if path.as_os_str().is_empty() {
        "'' (an empty path)".to_owned()
    } else {
        path.display().to_string()
    }
}

fn reason(source: &io::Error) -> String {
    match source.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder, not a file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => source.to_string(),
    }
}
