//! Writes BGEN files: batches of 8 bits and diploid in threads, single variants of any legal kind.

use std::path::Path;
use std::sync::atomic::AtomicUsize;
use std::thread;

use crossbeam_channel::unbounded;

use crate::atomic_file::AtomicFile;
use crate::block_compressor::{BlockCompressor, GROUP_VARIANTS, compress_groups};
use crate::compression::Compression;
use crate::convert::index;
use crate::error::BgenError;
use crate::genotypes::VariantGenotypes;
use crate::header::{Layout, N_VARIANTS_BYTE, SAMPLE_IDS_FLAG};

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
    /// Layout of genotype blocks; batches need layout 2.
    pub layout: Layout,
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
    /// Probabilities are of haplotypes.
    pub phased: bool,
    /// 255 P(11) and 255 P(12), sample by sample, variant by variant; phased: 255 P(first allele) of both haplotypes.
    pub probabilities: &'a [u8],
    /// Missing genotypes, sample by sample, variant by variant.
    pub missing: Option<&'a [bool]>,
}

/// Identifying data of one variant.
#[derive(Clone, Copy, Debug)]
pub struct VariantIdentity<'a> {
    /// First identifier field.
    pub variant_id: &'a str,
    /// The rsid.
    pub rsid: &'a str,
    /// Chromosome label.
    pub chromosome: &'a str,
    /// Position in base pairs.
    pub position: u32,
    /// All alleles in order.
    pub alleles: &'a [&'a str],
}

impl VariantIdentity<'_> {
    pub(crate) fn push(&self, options: &WriterOptions, bytes: &mut Vec<u8>) -> Result<(), BgenError> {
        if options.layout == Layout::One {
            bytes.extend(options.n_samples.to_le_bytes());
        }
        push_short_text(bytes, self.variant_id, "a variant identifier")?;
        push_short_text(bytes, self.rsid, "a variant identifier")?;
        push_short_text(bytes, self.chromosome, "a chromosome")?;
        bytes.extend(self.position.to_le_bytes());
        if options.layout == Layout::Two {
            let count = u16::try_from(self.alleles.len())
                .map_err(|_| BgenError::Request("a variant has at most 65535 alleles".to_owned()))?;
            bytes.extend(count.to_le_bytes());
        }
        for allele in self.alleles {
            bytes.extend(length_field(allele.len())?.to_le_bytes());
            bytes.extend(allele.as_bytes());
        }
        Ok(())
    }
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
        if self.options.layout == Layout::One {
            return Err(BgenError::Request("batches are written in layout 2".to_owned()));
        }
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

    /// Append one variant of any legal kind.
    ///
    /// # Errors
    ///
    /// [`BgenError::Request`] where the genotypes contradict themselves or the file, or a text is too long;
    /// [`BgenError::Write`] where the disk refuses.
    pub fn write_variant(
        &mut self,
        identity: &VariantIdentity<'_>,
        genotypes: &VariantGenotypes,
    ) -> Result<(), BgenError> {
        let options = &self.options;
        let (samples, alleles) = (genotypes.ploidy.len(), identity.alleles.len());
        if samples != index(options.n_samples) || alleles != usize::from(genotypes.n_alleles) {
            return Err(BgenError::Request(format!(
                "{}: genotypes of {samples} samples and {} alleles for {} samples and {alleles} alleles",
                identity.rsid, genotypes.n_alleles, options.n_samples
            )));
        }
        let n_variants = self
            .n_variants
            .checked_add(1)
            .ok_or_else(|| BgenError::Request("a BGEN file holds at most 4294967295 variants".to_owned()))?;
        let mut bytes = Vec::new();
        identity.push(options, &mut bytes)?;
        let mut compressor = BlockCompressor::new(options);
        compressor.block = match options.layout {
            Layout::One => genotypes.triples(),
            Layout::Two => genotypes.block(),
        }?;
        compressor.push_block(options, &mut bytes)?;
        self.file.write(&bytes)?;
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
        if self.layout == Layout::One && self.compression == Compression::Zstd {
            return Err(BgenError::Request("layout 1 cannot be compressed with zstd".to_owned()));
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
        let flags = self.compression.code()
            | (self.layout.number() << 2)
            | if self.sample_ids.is_some() { SAMPLE_IDS_FLAG } else { 0 };
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

/// A length as the format stores it.
pub(crate) fn length_field(length: usize) -> Result<u32, BgenError> {
    u32::try_from(length).map_err(|_| BgenError::Request(format!("a block of {length} bytes does not fit BGEN")))
}

fn push_short_text(bytes: &mut Vec<u8>, text: &str, what: &str) -> Result<(), BgenError> {
    let length = u16::try_from(text.len())
        .map_err(|_| BgenError::Request(format!("{what} has {} bytes; at most 65535 are possible", text.len())))?;
    bytes.extend(length.to_le_bytes());
    bytes.extend(text.as_bytes());
    Ok(())
}
