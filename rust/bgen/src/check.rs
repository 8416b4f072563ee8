//! Reading everything there is in a file, to find its first fault.

use crate::block::Block;
use crate::byte_pairs;
use crate::convert::file_length;
use crate::decoder::BlockLoader;
use crate::error::{BgenError, Fault};
use crate::genotypes::visit_values;
use crate::parallel::{run_tasks, tiles};
use crate::reader::BgenReader;

/// Variants that a thread takes at a time.
const GROUP_VARIANTS: usize = 64;

/// Inflate and check every block in `threads` threads; returns the uncompressed bytes.
///
/// # Errors
///
/// The fault of the first bad variant; else bytes after the last variant; else a file that changed meanwhile.
pub fn check(reader: &BgenReader, threads: usize) -> Result<u64, BgenError> {
    let file = reader.file();
    let n_variants = file.index.len();
    let groups = tiles(0..n_variants, GROUP_VARIANTS);
    let bytes = run_tasks(groups, threads, BlockLoader::new, |loader, group| {
        let read_ahead_end = file.index.blocks()[group.end - 1].end();
        let mut bytes = 0;
        for variant in group {
            let inflated = loader.load(file, variant, read_ahead_end)?;
            Block::parse(inflated, file.shape(variant), false)
                .and_then(|block| check_values(&block))
                .map_err(|fault| file.variant_error(variant, fault))?;
            bytes += file_length(inflated.len());
        }
        Ok(bytes)
    })?;
    let trailing = file.index.trailing_bytes();
    if trailing > 0 {
        return Err(BgenError::Trailing {
            path: file.source.path().to_owned(),
            bytes: trailing,
            byte: file.source.length() - trailing,
            count: file_length(n_variants),
        });
    }
    file.source.check_unchanged()?;
    Ok(bytes)
}

/// Every stored probability; layout 1 has none that could be wrong.
fn check_values(block: &Block<'_>) -> Result<(), Fault> {
    match block {
        Block::Triples(_) => Ok(()),
        Block::Packed(packed) if packed.is_byte_pairs() => byte_pairs::check_sums(packed),
        Block::Packed(packed) => visit_values(packed, |_| ()),
    }
}
