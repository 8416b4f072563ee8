//! What can go wrong, with the place in the file.

use std::io;

/// The error of this crate. Each message says what is wrong, where, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum BgenError {
    /// The file is not there or may not be opened.
    #[error("{path}: cannot open this BGEN file: {source}. Check the path and its permissions")]
    Open {
        /// Path as given.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// The path names something that is no regular file.
    #[error("{path}: this is {found}, not a BGEN file. Give the path of the .bgen file itself")]
    NotAFile {
        /// Path as given.
        path: String,
        /// What it is.
        found: &'static str,
    },
    /// The file is something else.
    #[error("{path}: not a BGEN file: {problem}")]
    NotBgen {
        /// Path as given.
        path: String,
        /// What was found instead, and what to do.
        problem: String,
    },
    /// The header or the sample-identifier block contradicts itself or the file.
    #[error("{path}: damaged or unsupported header at byte {byte}: {problem}")]
    Header {
        /// Path as given.
        path: String,
        /// Absolute byte of the bad field.
        byte: u64,
        /// What is wrong.
        problem: String,
    },
    /// The file is shorter than its header says.
    #[error(
        "{path}: file ends inside variant {variant} of {count} at byte {byte}, while reading {field} from byte \
         {field_byte}. The file is cut or damaged: copy it again"
    )]
    Truncated {
        /// Path as given.
        path: String,
        /// 1-based number of the variant.
        variant: u64,
        /// Variants that the header promises.
        count: u64,
        /// Length of the file in bytes.
        byte: u64,
        /// Which field does not fit.
        field: &'static str,
        /// Absolute byte where that field begins.
        field_byte: u64,
    },
    /// One variant is damaged, or the engine has no dosage for it.
    #[error("{path}: variant {variant} ({id}), block at byte {byte}: {problem}. {advice}")]
    Variant {
        /// Path as given.
        path: String,
        /// 1-based number of the variant in the file.
        variant: u64,
        /// Its rsid.
        id: String,
        /// Absolute byte where the genotype data begin.
        byte: u64,
        /// What is wrong.
        problem: String,
        /// What to do.
        advice: &'static str,
    },
    /// The system failed to read what the file's length promises.
    #[error("{path}: cannot read {bytes} bytes at byte {byte}: {source}. Was the file changed while it was read?")]
    Read {
        /// Path as given.
        path: String,
        /// First byte wanted.
        byte: u64,
        /// How many bytes were wanted.
        bytes: u64,
        /// What the system said.
        source: io::Error,
    },
    /// Bytes after the last variant.
    #[error(
        "{path}: {bytes} bytes follow the last of {count} variants, from byte {byte} on. The header or the file is \
         damaged, or something was appended: copy or export it again"
    )]
    Trailing {
        /// Path as given.
        path: String,
        /// How many there are.
        bytes: u64,
        /// Where they begin.
        byte: u64,
        /// Variants that the header promises.
        count: u64,
    },
    /// The file is not the one that was opened.
    #[error("{path}: the file was changed or replaced while it was read ({change}). Run again when it is complete")]
    Changed {
        /// Path as given.
        path: String,
        /// What differs.
        change: String,
    },
    /// The caller asked for something that cannot be: a programming error, not a fault of the file.
    #[error("{0}")]
    Request(String),
    /// A file could not be written.
    #[error("{path}: cannot write: {source}. Nothing was left under this name")]
    Write {
        /// Final path of the file.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// A decoding thread could not start or stopped by a panic.
    #[error("a decoding thread stopped: {0}. This is a fault in this program: please report it")]
    Worker(String),
}

/// What is wrong inside one variant's block, before the place is known.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The bytes contradict the format.
    Damaged(String),
    /// Legal, but without the packed form that was asked for.
    NotPacked8(String),
    /// Legal, but without a biallelic diploid dosage.
    Unsupported(String),
}

impl Fault {
    pub(crate) fn damaged(problem: impl Into<String>) -> Self {
        Self::Damaged(problem.into())
    }

    pub(crate) fn unsupported(problem: impl Into<String>) -> Self {
        Self::Unsupported(problem.into())
    }

    /// The problem and the advice that goes with it.
    pub(crate) fn into_parts(self) -> (String, &'static str) {
        match self {
            Self::Damaged(problem) => (problem, "The file is damaged: copy or export it again"),
            Self::NotPacked8(problem) => (problem, "Read its dosage instead"),
            Self::Unsupported(problem) => (problem, "Leave this variant out or export it as biallelic and diploid"),
        }
    }
}
