//! Positioned reads of one file.
//!
//! The file is never mapped: on a network file system a mapped file that shrinks kills the process.

use std::fs::{self, File, Metadata};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

use crate::convert::{file_length, memory_length};
use crate::error::BgenError;

/// An open file of known length. Reads carry their position, so threads share it freely.
#[derive(Debug)]
pub(crate) struct Source {
    file: File,
    path: String,
    location: PathBuf,
    length: u64,
    identity: Identity,
}

/// What tells a file from another one, or from its own later state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Identity {
    device: u64,
    inode: u64,
    bytes: u64,
    modified_seconds: i64,
    modified_nanoseconds: i64,
}

impl Identity {
    fn of(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            bytes: metadata.len(),
            modified_seconds: metadata.mtime(),
            modified_nanoseconds: metadata.mtime_nsec(),
        }
    }

    /// The first difference in words, or `None`.
    fn change(self, now: Self) -> Option<String> {
        if (self.device, self.inode) != (now.device, now.inode) {
            return Some("another file has its name".to_owned());
        }
        if self.bytes != now.bytes {
            return Some(format!("it had {} bytes and has {}", self.bytes, now.bytes));
        }
        let modified = (self.modified_seconds, self.modified_nanoseconds);
        let same = modified == (now.modified_seconds, now.modified_nanoseconds);
        (!same).then(|| "it was written to".to_owned())
    }
}

impl Source {
    pub(crate) fn open(path: &Path) -> Result<Self, BgenError> {
        let name = path.display().to_string();
        let failed = |source| BgenError::Open {
            path: name.clone(),
            source,
        };
        let file = File::open(path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        if !metadata.is_file() {
            let found = if metadata.is_dir() {
                "a directory"
            } else {
                "a device or pipe"
            };
            return Err(BgenError::NotAFile { path: name, found });
        }
        Ok(Self {
            file,
            path: name,
            location: path.to_owned(),
            length: metadata.len(),
            identity: Identity::of(&metadata),
        })
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Length in bytes when the file was opened.
    pub(crate) const fn length(&self) -> u64 {
        self.length
    }

    /// Refuse a file that is no longer the one that was opened: what was read may be of two states.
    pub(crate) fn check_unchanged(&self) -> Result<(), BgenError> {
        let change = match fs::metadata(&self.location) {
            Ok(metadata) => self.identity.change(Identity::of(&metadata)),
            Err(error) => Some(format!("it can no longer be found: {error}")),
        };
        change.map_or(Ok(()), |change| {
            Err(BgenError::Changed {
                path: self.path.clone(),
                change,
            })
        })
    }

    pub(crate) fn read_exact_at(&self, buffer: &mut [u8], byte: u64) -> Result<(), BgenError> {
        self.file.read_exact_at(buffer, byte).map_err(|source| BgenError::Read {
            path: self.path.clone(),
            byte,
            bytes: file_length(buffer.len()),
            source,
        })
    }
}

/// A part of the file in memory, moved forward as the reader needs it.
#[derive(Debug, Default)]
pub(crate) struct Window {
    bytes: Vec<u8>,
    start: u64,
}

impl Window {
    /// What is at hand from `byte` on: at least `wanted` bytes, or all up to the end of the file.
    ///
    /// When that is not at hand, `read_ahead` bytes are read in one call.
    pub(crate) fn peek(
        &mut self,
        source: &Source,
        byte: u64,
        wanted: u64,
        read_ahead: u64,
    ) -> Result<&[u8], BgenError> {
        let left = source.length().saturating_sub(byte);
        let held_end = self.start + file_length(self.bytes.len());
        if byte < self.start || byte + wanted.min(left) > held_end {
            self.slice(source, byte, wanted.max(read_ahead).min(left), 0)?;
        }
        Ok(&self.bytes[memory_length(byte - self.start)..])
    }

    /// The `length` bytes from `byte` on.
    ///
    /// The caller has checked that they lie within the file. When they are not at hand, everything up to
    /// `read_ahead_end` (at least the bytes wanted, at most the file) is read in one call.
    pub(crate) fn slice(
        &mut self,
        source: &Source,
        byte: u64,
        length: u64,
        read_ahead_end: u64,
    ) -> Result<&[u8], BgenError> {
        let held_end = self.start + file_length(self.bytes.len());
        if byte < self.start || byte + length > held_end {
            let end = read_ahead_end.clamp(byte + length, source.length().max(byte + length));
            self.bytes.resize(memory_length(end - byte), 0);
            if let Err(error) = source.read_exact_at(&mut self.bytes, byte) {
                self.bytes.clear();
                return Err(error);
            }
            self.start = byte;
        }
        let first = memory_length(byte - self.start);
        Ok(&self.bytes[first..first + memory_length(length)])
    }
}
