//! Size and SHA-256 of bytes on their way to a file.

use std::io::{self, Write};

use sha2::{Digest, Sha256};

/// Passes bytes on, and counts and hashes what went through.
pub(crate) struct DigestWriter<Target> {
    target: Target,
    hasher: Sha256,
    bytes: u64,
}

impl<Target: Write> DigestWriter<Target> {
    pub(crate) fn new(target: Target) -> Self {
        Self {
            target,
            hasher: Sha256::new(),
            bytes: 0,
        }
    }

    /// The target, the number of bytes, and their SHA-256 in hexadecimal.
    pub(crate) fn finish(self) -> (Target, u64, String) {
        (self.target, self.bytes, format!("{:x}", self.hasher.finalize()))
    }
}

impl<Target: Write> Write for DigestWriter<Target> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.target.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        // A usize is at most 64 bits on every platform that Rust knows.
        self.bytes += u64::try_from(written).unwrap_or(u64::MAX);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.target.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_known_digest_of_abc() {
        let mut writer = DigestWriter::new(Vec::new());
        writer.write_all(b"a").unwrap();
        writer.write_all(b"bc").unwrap();
        let (target, bytes, sha256) = writer.finish();
        assert_eq!((target.as_slice(), bytes), (b"abc".as_slice(), 3));
        assert_eq!(
            sha256,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
