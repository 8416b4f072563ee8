//! A file that gets its final name only when it is whole and on the disk.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::error::OutputError;

/// An open file under a temporary name. Dropping it before `commit` removes the file.
#[derive(Debug)]
pub struct StagedFile {
    file: File,
    temporary_path: PathBuf,
    final_path: PathBuf,
    committed: bool,
}

impl StagedFile {
    /// Creates the file under its temporary name; one left there by a killed run is replaced.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn create(temporary_path: &Path, final_path: &Path) -> Result<Self, OutputError> {
        let file = File::create(temporary_path).map_err(OutputError::file(temporary_path, "created"))?;
        Ok(Self {
            file,
            temporary_path: temporary_path.to_owned(),
            final_path: final_path.to_owned(),
            committed: false,
        })
    }

    /// The name that the file will have.
    #[must_use]
    pub fn final_path(&self) -> &Path {
        &self.final_path
    }

    /// Waits until the bytes are on the disk.
    ///
    /// # Errors
    /// The disk refused: full, or failing.
    pub fn sync(&self) -> Result<(), OutputError> {
        self.file
            .sync_all()
            .map_err(OutputError::file(&self.temporary_path, "written to the disk"))
    }

    /// Gives a synced file its final name, and waits until the folder holds that name.
    ///
    /// # Errors
    /// The file cannot be renamed, or its folder not synced. The temporary file is removed.
    pub fn commit(mut self) -> Result<(), OutputError> {
        fs::rename(&self.temporary_path, &self.final_path)
            .map_err(OutputError::file(&self.final_path, "renamed into place"))?;
        self.committed = true;
        sync_folder_of(&self.final_path)
    }
}

impl Write for StagedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for StagedFile {
    fn drop(&mut self) {
        if !self.committed {
            // The error that led here is the one to tell; a temporary file that stays is never read.
            let _ = fs::remove_file(&self.temporary_path);
        }
    }
}

fn sync_folder_of(path: &Path) -> Result<(), OutputError> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(OutputError::file(folder, "written to the disk"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_final_name_appears_at_the_commit_only() {
        let folder = tempfile::tempdir().unwrap();
        let (temporary, last) = (folder.path().join(".part"), folder.path().join("part"));
        let mut staged = StagedFile::create(&temporary, &last).unwrap();
        staged.write_all(b"whole").unwrap();
        staged.sync().unwrap();
        assert!(temporary.exists() && !last.exists());
        staged.commit().unwrap();
        assert!(!temporary.exists());
        assert_eq!(fs::read(&last).unwrap(), b"whole");
    }

    #[test]
    fn a_dropped_file_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        drop(StagedFile::create(&folder.path().join(".part"), &folder.path().join("part")).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_failed_rename_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let staged = StagedFile::create(&folder.path().join(".part"), &folder.path().join("absent/part")).unwrap();
        let message = staged.commit().err().unwrap().to_string();
        assert!(
            message.contains("absent/part: cannot be renamed into place: its folder does not exist"),
            "{message}"
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
