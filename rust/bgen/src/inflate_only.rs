//! The floor of every decoding figure: read and decompress all blocks, and nothing else.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::convert::file_length;
use crate::decoder::BlockLoader;
use crate::error::BgenError;
use crate::reader::BgenReader;

/// Variants that a thread takes at a time.
const GROUP_VARIANTS: usize = 64;

/// Read and decompress every block of a file in `threads` threads; returns the uncompressed bytes.
///
/// # Errors
///
/// [`BgenError`] for a damaged block, or one of a variant without two alleles.
pub fn inflate_only(reader: &BgenReader, threads: usize) -> Result<u64, BgenError> {
    let file = reader.file();
    let next = AtomicUsize::new(0);
    let inflate = || {
        let mut loader = BlockLoader::new();
        let mut bytes = 0;
        loop {
            let start = next.fetch_add(GROUP_VARIANTS, Ordering::Relaxed);
            let end = (start + GROUP_VARIANTS).min(file.index.len());
            if start >= end {
                return Ok(bytes);
            }
            let read_ahead_end = file.index.blocks()[end - 1].end();
            for variant in start..end {
                bytes += file_length(loader.load(file, variant, read_ahead_end)?.len());
            }
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(inflate)).collect();
        let gone = |_| BgenError::Worker("a thread ended by a panic".to_owned());
        workers
            .into_iter()
            .map(|worker| worker.join().map_err(gone).and_then(|bytes| bytes))
            .sum()
    })
}
