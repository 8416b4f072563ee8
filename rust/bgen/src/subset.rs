//! A copy of the first variants of a file.

use std::path::Path;

use crate::atomic_file::AtomicFile;
use crate::convert::memory_length;
use crate::error::BgenError;
use crate::header::N_VARIANTS_BYTE;
use crate::reader::BgenReader;
use crate::source::Source;

/// Bytes copied at a time.
const COPY_BYTES: u64 = 4 << 20;

/// Copy the header and the first `count` variants of `source` to `target`, byte for byte; returns how many there were.
///
/// # Errors
///
/// [`BgenError`] where the source is damaged or the target cannot be written.
pub fn write_first_variants(source: &Path, target: &Path, count: u64) -> Result<u64, BgenError> {
    let reader = BgenReader::open(source)?;
    let available = reader.header().n_variants;
    let kept = u32::try_from(count).unwrap_or(u32::MAX).min(available);
    let end = match kept.checked_sub(1) {
        Some(last) => reader.index().blocks()[memory_length(u64::from(last))].end(),
        None => reader.header().first_variant_byte,
    };
    let input = Source::open(source)?;
    let mut output = AtomicFile::create(target)?;
    let mut buffer = Vec::new();
    let mut byte = 0;
    while byte < end {
        buffer.resize(memory_length(COPY_BYTES.min(end - byte)), 0);
        input.read_exact_at(&mut buffer, byte)?;
        output.write(&buffer)?;
        byte += COPY_BYTES;
    }
    output.patch(N_VARIANTS_BYTE, &kept.to_le_bytes())?;
    output.commit()?;
    Ok(u64::from(kept))
}
