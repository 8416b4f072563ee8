//! Encoding and compression of blocks, one state a thread.

use std::sync::atomic::{AtomicUsize, Ordering};

use libdeflater::{CompressionLvl, Compressor};
use zstd::zstd_safe;

use crate::block::MISSING;
use crate::compression::Compression;
use crate::convert::index;
use crate::error::BgenError;
use crate::header::Layout;
use crate::writer::{VariantBatch, VariantIdentity, WriterOptions, length_field};

/// Variants that a thread compresses at a time.
pub(crate) const GROUP_VARIANTS: usize = 32;

/// Number of a group, and its bytes.
pub(crate) type GroupResult = (usize, Result<Vec<u8>, BgenError>);

/// Compress groups of variants until none is left.
pub(crate) fn compress_groups(
    options: &WriterOptions,
    batch: &VariantBatch<'_>,
    n_groups: usize,
    next: &AtomicUsize,
    results: &crossbeam_channel::Sender<GroupResult>,
) {
    let mut compressor = BlockCompressor::new(options);
    loop {
        let group = next.fetch_add(1, Ordering::Relaxed);
        if group >= n_groups {
            return;
        }
        let end = ((group + 1) * GROUP_VARIANTS).min(batch.rsids.len());
        let mut bytes = Vec::new();
        let encoded = (group * GROUP_VARIANTS..end)
            .try_for_each(|variant| compressor.push_variant(options, batch, variant, &mut bytes));
        if results.send((group, encoded.map(|()| bytes))).is_err() {
            return;
        }
    }
}

/// Compression state of one thread.
pub(crate) struct BlockCompressor {
    deflate: Compressor,
    zstd: zstd_safe::CCtx<'static>,
    /// The uncompressed block.
    pub(crate) block: Vec<u8>,
    compressed: Vec<u8>,
}

impl BlockCompressor {
    pub(crate) fn new(options: &WriterOptions) -> Self {
        let level = CompressionLvl::new(options.level).unwrap_or_default();
        Self {
            deflate: Compressor::new(level),
            zstd: zstd_safe::CCtx::create(),
            block: Vec::new(),
            compressed: Vec::new(),
        }
    }

    fn push_variant(
        &mut self,
        options: &WriterOptions,
        batch: &VariantBatch<'_>,
        variant: usize,
        bytes: &mut Vec<u8>,
    ) -> Result<(), BgenError> {
        let rsid = &batch.rsids[variant];
        let identity = VariantIdentity {
            variant_id: rsid,
            rsid,
            chromosome: batch.chromosome,
            position: batch.positions[variant],
            alleles: &[&batch.first_alleles[variant], &batch.second_alleles[variant]],
        };
        identity.push(options, bytes)?;
        self.fill_block(options.n_samples, batch, variant)?;
        self.push_block(options, bytes)
    }

    /// Append length fields and payload of the block.
    pub(crate) fn push_block(&mut self, options: &WriterOptions, bytes: &mut Vec<u8>) -> Result<(), BgenError> {
        let inflated = length_field(self.block.len())?;
        if options.compression == Compression::None {
            if options.layout == Layout::Two {
                bytes.extend(inflated.to_le_bytes());
            }
            bytes.extend(&self.block);
            return Ok(());
        }
        self.compress(options)?;
        if options.layout == Layout::Two {
            bytes.extend(length_field(self.compressed.len() + 4)?.to_le_bytes());
            bytes.extend(inflated.to_le_bytes());
        } else {
            bytes.extend(length_field(self.compressed.len())?.to_le_bytes());
        }
        bytes.extend(&self.compressed);
        Ok(())
    }

    /// The uncompressed genotype block.
    fn fill_block(&mut self, n_samples: u32, batch: &VariantBatch<'_>, variant: usize) -> Result<(), BgenError> {
        let width = index(n_samples);
        let values = &batch.probabilities[2 * width * variant..2 * width * (variant + 1)];
        let (pairs, _) = values.as_chunks::<2>();
        let missing = batch
            .missing
            .map(|missing| &missing[width * variant..width * (variant + 1)]);
        let is_missing = |sample: usize| missing.is_some_and(|missing| missing[sample]);
        let excess = pairs
            .iter()
            .enumerate()
            .find(|(sample, [both, one])| u16::from(*both) + u16::from(*one) > 255 && !is_missing(*sample))
            .filter(|_| !batch.phased);
        if let Some((sample, [both, one])) = excess {
            let (rsid, number) = (&batch.rsids[variant], sample + 1);
            return Err(BgenError::Request(format!(
                "{rsid}, sample {number}: probabilities {both} and {one} sum to more than 255"
            )));
        }
        self.block.clear();
        self.block.extend(n_samples.to_le_bytes());
        self.block.extend(2_u16.to_le_bytes());
        self.block.extend([2, 2]);
        match missing {
            None => self.block.resize(self.block.len() + width, 2),
            Some(missing) => self
                .block
                .extend(missing.iter().map(|absent| if *absent { MISSING | 2 } else { 2 })),
        }
        self.block.extend([u8::from(batch.phased), 8]);
        let start = self.block.len();
        self.block.extend(values);
        for sample in (0..width).filter(|sample| is_missing(*sample)) {
            self.block[start + 2 * sample..start + 2 * sample + 2].fill(0);
        }
        Ok(())
    }

    fn compress(&mut self, options: &WriterOptions) -> Result<(), BgenError> {
        let failed = |problem: String| BgenError::Worker(format!("compression failed: {problem}"));
        let length = if options.compression == Compression::Zlib {
            self.compressed
                .resize(self.deflate.zlib_compress_bound(self.block.len()), 0);
            self.deflate
                .zlib_compress(&self.block, &mut self.compressed)
                .map_err(|error| failed(error.to_string()))?
        } else {
            self.compressed.resize(zstd_safe::compress_bound(self.block.len()), 0);
            self.zstd
                .compress(self.compressed.as_mut_slice(), &self.block, options.level)
                .map_err(|code| failed(zstd_safe::get_error_name(code).to_owned()))?
        };
        self.compressed.truncate(length);
        Ok(())
    }
}
