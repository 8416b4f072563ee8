//! Writes layout 2 files of 8 bits, unphased and diploid.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crossbeam_channel::unbounded;
use libdeflater::{CompressionLvl, Compressor};
use zstd::zstd_safe;

use crate::atomic_file::AtomicFile;
use crate::block::MISSING;
use crate::compression::Compression;
use crate::convert::index;
use crate::error::BgenError;
use crate::header::{N_VARIANTS_BYTE, SAMPLE_IDS_FLAG};

/// Variants that a thread compresses at a time.
const GROUP_VARIANTS: usize = 32;

/// What a file is written with.
#[derive(Clone, Debug)]
pub struct WriterOptions {
    /// Number of samples.
    pub n_samples: u32,
    /// Identifiers to store, one a sample, or none.
    pub sample_ids: Option<Vec<String>>,
    /// Compression of blocks.
    pub compression: Compression,
    /// Level: 1 to 12 for zlib, 1 to 22 for zstd; ignored without compression.
    pub level: i32,
    /// Compressing threads; the bytes do not depend on it.
    pub threads: usize,
}

/// Variants of one chromosome.
#[derive(Clone, Copy, Debug)]
pub struct VariantBatch<'a> {
    /// Chromosome label.
    pub chromosome: &'a str,
    /// Identifier of each variant.
    pub rsids: &'a [String],
    /// Position of each variant.
    pub positions: &'a [u32],
    /// First allele of each variant.
    pub first_alleles: &'a [String],
    /// Second allele of each variant.
    pub second_alleles: &'a [String],
    /// 255 P(11) and 255 P(12), sample by sample, variant by variant.
    pub probabilities: &'a [u8],
    /// Missing genotypes, sample by sample, variant by variant.
    pub missing: Option<&'a [bool]>,
}

/// A BGEN file in the making. It gets its name in [`BgenWriter::finish`] only.
pub struct BgenWriter {
    file: AtomicFile,
    options: WriterOptions,
    n_variants: u32,
}

impl BgenWriter {
    /// Start a file.
    ///
    /// # Errors
    ///
    /// [`BgenError::Request`] for options that do not fit together, [`BgenError::Write`] where the folder refuses.
    pub fn create(path: &Path, options: WriterOptions) -> Result<Self, BgenError> {
        options.validate()?;
        let header = options.header()?;
        let mut file = AtomicFile::create(path)?;
        file.write(&header)?;
        Ok(Self {
            file,
            options,
            n_variants: 0,
        })
    }

    /// Append variants in order.
    ///
    /// # Errors
    ///
    /// [`BgenError::Request`] where lengths differ, a text is too long or probabilities sum to more than one;
    /// [`BgenError::Write`] where the disk refuses.
    pub fn write(&mut self, batch: &VariantBatch<'_>) -> Result<(), BgenError> {
        batch.check_lengths(index(self.options.n_samples))?;
        let count = u32::try_from(batch.rsids.len())
            .ok()
            .and_then(|count| self.n_variants.checked_add(count));
        let n_variants =
            count.ok_or_else(|| BgenError::Request("a BGEN file holds at most 4294967295 variants".to_owned()))?;
        let (options, file) = (&self.options, &mut self.file);
        let n_groups = batch.rsids.len().div_ceil(GROUP_VARIANTS);
        if n_groups == 0 {
            return Ok(());
        }
        let next = AtomicUsize::new(0);
        let (sender, receiver) = unbounded();
        thread::scope(|scope| {
            for _ in 0..options.threads.min(n_groups) {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || compress_groups(options, batch, n_groups, next, &sender));
            }
            drop(sender);
            let mut waiting: Vec<Option<Vec<u8>>> = vec![None; n_groups];
            let mut written = 0;
            for (group, bytes) in receiver {
                waiting[group] = Some(bytes?);
                while let Some(bytes) = waiting.get_mut(written).and_then(Option::take) {
                    file.write(&bytes)?;
                    written += 1;
                }
            }
            if written == n_groups {
                Ok(())
            } else {
                Err(BgenError::Worker("compression ended early".to_owned()))
            }
        })?;
        self.n_variants = n_variants;
        Ok(())
    }

    /// Patch the number of variants, make the file durable and give it its name. Returns that number.
    ///
    /// # Errors
    ///
    /// [`BgenError::Write`] where the disk refuses.
    pub fn finish(mut self) -> Result<u64, BgenError> {
        self.file.patch(N_VARIANTS_BYTE, &self.n_variants.to_le_bytes())?;
        self.file.commit()?;
        Ok(u64::from(self.n_variants))
    }
}

impl WriterOptions {
    fn validate(&self) -> Result<(), BgenError> {
        let identifiers = self.sample_ids.as_ref().map_or(index(self.n_samples), Vec::len);
        if identifiers != index(self.n_samples) {
            let samples = self.n_samples;
            return Err(BgenError::Request(format!(
                "{identifiers} sample identifiers for {samples} samples"
            )));
        }
        if self.threads == 0 {
            return Err(BgenError::Request("threads must be at least 1".to_owned()));
        }
        let highest = match self.compression {
            Compression::None => return Ok(()),
            Compression::Zlib => 12,
            Compression::Zstd => 22,
        };
        if (1..=highest).contains(&self.level) {
            return Ok(());
        }
        let name = self.compression.name();
        Err(BgenError::Request(format!(
            "level {} for {name}; 1 to {highest} are possible",
            self.level
        )))
    }

    /// Offset, header block and sample-identifier block, with no variants yet.
    fn header(&self) -> Result<Vec<u8>, BgenError> {
        let mut identifiers = Vec::new();
        for text in self.sample_ids.iter().flatten() {
            push_short_text(&mut identifiers, text, "a sample identifier")?;
        }
        let flags = self.compression.code() | (2 << 2) | if self.sample_ids.is_some() { SAMPLE_IDS_FLAG } else { 0 };
        let block_length = if self.sample_ids.is_some() {
            8 + identifiers.len()
        } else {
            0
        };
        let mut bytes = Vec::with_capacity(24 + block_length);
        for field in [
            length_field(20 + block_length)?,
            20,
            0,
            self.n_samples,
            u32::from_le_bytes(*b"bgen"),
            flags,
        ] {
            bytes.extend(field.to_le_bytes());
        }
        if self.sample_ids.is_some() {
            bytes.extend(length_field(block_length)?.to_le_bytes());
            bytes.extend(self.n_samples.to_le_bytes());
            bytes.extend(identifiers);
        }
        Ok(bytes)
    }
}

impl VariantBatch<'_> {
    fn check_lengths(&self, n_samples: usize) -> Result<(), BgenError> {
        let count = self.rsids.len();
        let genotypes = count.saturating_mul(n_samples);
        let lengths = [
            ("positions", self.positions.len(), count),
            ("first_alleles", self.first_alleles.len(), count),
            ("second_alleles", self.second_alleles.len(), count),
            ("probabilities", self.probabilities.len(), genotypes.saturating_mul(2)),
            ("missing", self.missing.map_or(genotypes, <[bool]>::len), genotypes),
        ];
        for (name, found, expected) in lengths {
            if found != expected {
                return Err(BgenError::Request(format!(
                    "{name} has {found} values where {expected} are expected"
                )));
            }
        }
        Ok(())
    }
}

fn length_field(length: usize) -> Result<u32, BgenError> {
    u32::try_from(length).map_err(|_| BgenError::Request(format!("a block of {length} bytes does not fit BGEN")))
}

fn push_short_text(bytes: &mut Vec<u8>, text: &str, what: &str) -> Result<(), BgenError> {
    let length = u16::try_from(text.len())
        .map_err(|_| BgenError::Request(format!("{what} has {} bytes; at most 65535 are possible", text.len())))?;
    bytes.extend(length.to_le_bytes());
    bytes.extend(text.as_bytes());
    Ok(())
}

type GroupResult = (usize, Result<Vec<u8>, BgenError>);

/// Compress groups of variants until none is left.
fn compress_groups(
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
struct BlockCompressor {
    deflate: Compressor,
    zstd: zstd_safe::CCtx<'static>,
    block: Vec<u8>,
    compressed: Vec<u8>,
}

impl BlockCompressor {
    fn new(options: &WriterOptions) -> Self {
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
        push_short_text(bytes, rsid, "a variant identifier")?;
        push_short_text(bytes, rsid, "a variant identifier")?;
        push_short_text(bytes, batch.chromosome, "a chromosome")?;
        bytes.extend(batch.positions[variant].to_le_bytes());
        bytes.extend(2_u16.to_le_bytes());
        for allele in [&batch.first_alleles[variant], &batch.second_alleles[variant]] {
            bytes.extend(length_field(allele.len())?.to_le_bytes());
            bytes.extend(allele.as_bytes());
        }
        self.fill_block(options.n_samples, batch, variant)?;
        let inflated = length_field(self.block.len())?;
        if options.compression == Compression::None {
            bytes.extend(inflated.to_le_bytes());
            bytes.extend(&self.block);
            return Ok(());
        }
        self.compress(options)?;
        bytes.extend(length_field(self.compressed.len() + 4)?.to_le_bytes());
        bytes.extend(inflated.to_le_bytes());
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
            .find(|(sample, [both, one])| u16::from(*both) + u16::from(*one) > 255 && !is_missing(*sample));
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
        self.block.extend([0, 8]);
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
