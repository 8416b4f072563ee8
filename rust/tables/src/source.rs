//! Bytes of a file to checked text, and text to numbered lines.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use crate::error::TablesError;

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
const UTF8_MARK: [u8; 3] = [0xef, 0xbb, 0xbf];
const READ_BUFFER_BYTES: usize = 1 << 18;

/// A whole file as text, without byte order mark.
pub(crate) struct Text {
    content: String,
}

impl Text {
    /// Reads the file once.
    pub(crate) fn read(path: &Path) -> Result<Self, TablesError> {
        let unreadable = |source| TablesError::Unreadable {
            path: path.to_owned(),
            source,
        };
        let file = File::open(path).map_err(unreadable)?;
        let size_bytes = file
            .metadata()
            .ok()
            .and_then(|facts| usize::try_from(facts.len()).ok())
            .unwrap_or(0);
        let (mut reader, is_gzip) = open_reader(file).map_err(unreadable)?;
        let mut bytes = Vec::with_capacity(if is_gzip {
            size_bytes.saturating_mul(4)
        } else {
            size_bytes
        });
        reader
            .read_to_end(&mut bytes)
            .map_err(|source| read_error(path, is_gzip, source))?;
        Ok(Self {
            content: checked_text(path, bytes)?,
        })
    }

    /// Reads the first line only, however long the file is.
    pub(crate) fn read_first_line(path: &Path) -> Result<Self, TablesError> {
        let unreadable = |source| TablesError::Unreadable {
            path: path.to_owned(),
            source,
        };
        let (mut reader, is_gzip) = open_reader(File::open(path).map_err(unreadable)?).map_err(unreadable)?;
        let mut bytes = Vec::new();
        reader
            .read_until(b'\n', &mut bytes)
            .map_err(|source| read_error(path, is_gzip, source))?;
        Ok(Self {
            content: checked_text(path, bytes)?,
        })
    }

    /// Lines with their numbers from 1, without line ends.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(
            self.content
                .split('\n')
                .map(|line| line.strip_suffix('\r').unwrap_or(line)),
        )
    }
}

fn open_reader(file: File) -> std::io::Result<(Box<dyn BufRead>, bool)> {
    let mut raw = BufReader::with_capacity(READ_BUFFER_BYTES, file);
    let is_gzip = raw.fill_buf()?.starts_with(&GZIP_MAGIC);
    if is_gzip {
        let decoder = MultiGzDecoder::new(raw);
        Ok((Box::new(BufReader::with_capacity(READ_BUFFER_BYTES, decoder)), true))
    } else {
        Ok((Box::new(raw), false))
    }
}

fn read_error(path: &Path, is_gzip: bool, source: std::io::Error) -> TablesError {
    let path = path.to_owned();
    if is_gzip {
        TablesError::DamagedGzip { path, source }
    } else {
        TablesError::Unreadable { path, source }
    }
}

fn checked_text(path: &Path, mut bytes: Vec<u8>) -> Result<String, TablesError> {
    let not_text = |line, what| TablesError::NotText {
        path: path.to_owned(),
        line,
        what,
    };
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(not_text(1, "this is UTF-16 text"));
    }
    if bytes.starts_with(&UTF8_MARK) {
        bytes.drain(..UTF8_MARK.len());
    }
    String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + good.split(|byte| *byte == b'\n').count() - 1;
        not_text(line, "the bytes are not UTF-8 text")
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn file_with(bytes: &[u8]) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        file.flush().unwrap();
        file
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn lines_are_numbered_and_without_carriage_returns() {
        let file = file_with(b"\xef\xbb\xbfone\r\ntwo\nthree");
        let text = Text::read(file.path()).unwrap();
        assert_eq!(text.lines().collect::<Vec<_>>(), [(1, "one"), (2, "two"), (3, "three")]);
    }

    #[test]
    fn gzip_is_found_by_its_bytes_also_in_several_members() {
        let file = file_with(&[gzip(b"one\ntw"), gzip(b"o\n")].concat());
        let text = Text::read(file.path()).unwrap();
        assert_eq!(
            text.lines().map(|(_, line)| line).collect::<Vec<_>>(),
            ["one", "two", ""]
        );
        let first = Text::read_first_line(file.path()).unwrap();
        assert_eq!(first.lines().next(), Some((1, "one")));
    }

    #[test]
    fn a_cut_gzip_file_is_told() {
        let whole = gzip(&b"one two three\n".repeat(100));
        let file = file_with(&whole[..whole.len() - 10]);
        let message = Text::read(file.path()).err().unwrap().to_string();
        assert!(message.contains("begins like a gzip file"), "{message}");
    }

    #[test]
    fn bytes_that_are_no_text_are_told_with_their_line() {
        let file = file_with(b"one\ntwo\nJ\xf6rg\n");
        let message = Text::read(file.path()).err().unwrap().to_string();
        assert!(message.contains(", line 3: the bytes are not UTF-8"), "{message}");
        let file = file_with(b"\xff\xfeF\0I\0");
        assert!(Text::read(file.path()).err().unwrap().to_string().contains("UTF-16"));
    }

    #[test]
    fn what_cannot_be_opened_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("数据 a.txt");
        assert_eq!(
            Text::read(&missing).err().unwrap().to_string(),
            format!("{}: cannot be read: there is no such file", missing.display())
        );
        assert!(
            Text::read(folder.path())
                .err()
                .unwrap()
                .to_string()
                .ends_with("it is a folder, not a file")
        );
        assert!(
            Text::read(Path::new(""))
                .err()
                .unwrap()
                .to_string()
                .starts_with("'' (an empty path)")
        );
    }
}
