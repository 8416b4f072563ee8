//! A file that gets its name only when it is complete.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::BgenError;

/// Tells apart files that one process writes at the same time.
static NUMBER: AtomicU64 = AtomicU64::new(0);

/// Writes to a temporary name in the same folder; dropped without [`AtomicFile::commit`] it leaves nothing.
pub(crate) struct AtomicFile {
    writer: BufWriter<File>,
    temporary: PathBuf,
    target: PathBuf,
    committed: bool,
}

impl AtomicFile {
    pub(crate) fn create(target: &Path) -> Result<Self, BgenError> {
        let mut name = OsString::from(".");
        name.push(target.file_name().unwrap_or_default());
        name.push(format!(
            ".{}-{}.partial",
            process::id(),
            NUMBER.fetch_add(1, Ordering::Relaxed)
        ));
        let temporary = target.with_file_name(name);
        let opened = OpenOptions::new().write(true).create_new(true).open(&temporary);
        let file = opened.map_err(|source| write_error(target, source))?;
        Ok(Self {
            writer: BufWriter::with_capacity(1 << 20, file),
            temporary,
            target: target.to_owned(),
            committed: false,
        })
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), BgenError> {
        self.writer
            .write_all(bytes)
            .map_err(|source| write_error(&self.target, source))
    }

    /// Replace bytes that were written before.
    pub(crate) fn patch(&mut self, byte: u64, bytes: &[u8]) -> Result<(), BgenError> {
        let patched = self
            .writer
            .seek(SeekFrom::Start(byte))
            .and_then(|_| self.writer.write_all(bytes))
            .and_then(|()| self.writer.seek(SeekFrom::End(0)));
        patched.map(drop).map_err(|source| write_error(&self.target, source))
    }

    /// Make the content durable and give the file its name.
    pub(crate) fn commit(mut self) -> Result<(), BgenError> {
        let committed = self
            .writer
            .flush()
            .and_then(|()| self.writer.get_ref().sync_all())
            .and_then(|()| fs::rename(&self.temporary, &self.target));
        committed.map_err(|source| write_error(&self.target, source))?;
        self.committed = true;
        sync_folder(&self.target).map_err(|source| write_error(&self.target, source))
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if !self.committed {
            // The file may be gone already; there is nobody to tell.
            drop(fs::remove_file(&self.temporary));
        }
    }
}

fn write_error(target: &Path, source: io::Error) -> BgenError {
    BgenError::Write {
        path: target.display().to_string(),
        source,
    }
}

/// The rename is durable once the folder is.
fn sync_folder(target: &Path) -> io::Result<()> {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or_else(|| Path::new(".")))?.sync_all()
}
