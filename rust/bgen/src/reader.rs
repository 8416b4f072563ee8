//! An open and indexed BGEN file.

use std::num::NonZero;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use crate::block::{Block, Shape};
use crate::convert::file_length;
use crate::decoder::BlockLoader;
use crate::error::{BgenError, Fault};
use crate::genotypes::VariantGenotypes;
use crate::header::Header;
use crate::index::VariantIndex;
use crate::source::Source;
use crate::stream::DosageStream;
use crate::stream_plan::StreamPlan;
use crate::variant_major::{ReadOptions, VariantMajorDecoder, read_rows};

/// An open BGEN file: immutable, cheap to clone, safe to share between threads.
#[derive(Clone, Debug)]
pub struct BgenReader {
    file: Arc<IndexedFile>,
}

/// What every clone and thread of a reader shares.
#[derive(Debug)]
pub(crate) struct IndexedFile {
    pub(crate) source: Source,
    pub(crate) header: Header,
    pub(crate) index: VariantIndex,
}

impl IndexedFile {
    /// What a variant's block must agree with.
    pub(crate) fn shape(&self, variant: usize) -> Shape {
        Shape {
            layout: self.header.layout,
            n_samples: self.header.n_samples,
            n_alleles: self.index.allele_counts()[variant],
        }
    }

    /// Add the place in the file to what is wrong with a variant.
    pub(crate) fn variant_error(&self, variant: usize, fault: Fault) -> BgenError {
        let (problem, advice) = fault.into_parts();
        BgenError::Variant {
            path: self.source.path().to_owned(),
            variant: file_length(variant) + 1,
            id: self.index.rsids().get(variant).to_owned(),
            byte: self.index.blocks().get(variant).map_or(0, |block| block.byte),
            problem,
            advice,
        }
    }
}

impl BgenReader {
    /// Open a file and walk its variant blocks once. A `.bgi` file beside it is not read.
    ///
    /// # Errors
    ///
    /// [`BgenError`] naming the file, and the variant and byte where it is damaged.
    pub fn open(path: &Path) -> Result<Self, BgenError> {
        let source = Source::open(path)?;
        let header = Header::read(&source)?;
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let index = VariantIndex::read(&source, &header, threads)?;
        Ok(Self {
            file: Arc::new(IndexedFile { source, header, index }),
        })
    }

    pub(crate) fn file(&self) -> &IndexedFile {
        &self.file
    }

    /// The path as it was given.
    #[must_use]
    pub fn path(&self) -> &str {
        self.file.source.path()
    }

    /// Length of the file in bytes.
    #[must_use]
    pub fn file_bytes(&self) -> u64 {
        self.file.source.length()
    }

    /// What the file says about itself.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.file.header
    }

    /// Identifying data of all variants.
    #[must_use]
    pub fn index(&self) -> &VariantIndex {
        &self.file.index
    }

    /// Dosage of the first allele, variant by variant, NaN where missing; phased genotypes count both haplotypes,
    /// haploid ones twice.
    ///
    /// # Errors
    ///
    /// [`BgenError`] for a damaged variant, or one without a biallelic diploid dosage; [`BgenError::Request`] where
    /// `out` does not have one place a variant and sample.
    pub fn read_dosage(&self, variants: Range<usize>, options: &ReadOptions, out: &mut [f32]) -> Result<(), BgenError> {
        self.check_range(&variants)?;
        read_rows(&self.file, variants, options, 1, out, VariantMajorDecoder::dosage_row)
    }

    /// The two stored bytes of every sample, 255 P(11) and 255 P(12), variant by variant.
    ///
    /// # Errors
    ///
    /// [`BgenError`] for a damaged variant, or one that is not of 8 bits, unphased, diploid and without missing
    /// genotypes; [`BgenError::Request`] where `out` does not have two places a variant and sample.
    pub fn read_packed8(&self, variants: Range<usize>, options: &ReadOptions, out: &mut [u8]) -> Result<(), BgenError> {
        self.check_range(&variants)?;
        read_rows(&self.file, variants, options, 2, out, VariantMajorDecoder::packed8_row)
    }

    /// Ploidies and probabilities of one variant of any kind.
    ///
    /// # Errors
    ///
    /// [`BgenError`] for a damaged variant.
    pub fn read_genotypes(&self, variant: usize) -> Result<VariantGenotypes, BgenError> {
        self.check_range(&(variant..variant.saturating_add(1)))?;
        let mut loader = BlockLoader::new();
        let bytes = loader.load(&self.file, variant, 0)?;
        Block::parse(bytes, self.file.shape(variant), false)
            .and_then(|block| VariantGenotypes::read(&block))
            .map_err(|fault| self.file.variant_error(variant, fault))
    }

    /// Decode chunks ahead in threads of their own.
    ///
    /// # Errors
    ///
    /// [`BgenError::Request`] for a plan that does not fit the file, [`BgenError::Worker`] where no thread starts.
    pub fn stream(&self, plan: StreamPlan) -> Result<DosageStream, BgenError> {
        plan.validate(self.file.index.len(), self.file.header.n_samples)?;
        DosageStream::start(Arc::clone(&self.file), plan)
    }

    fn check_range(&self, variants: &Range<usize>) -> Result<(), BgenError> {
        let count = self.file.index.len();
        if variants.start <= variants.end && variants.end <= count {
            return Ok(());
        }
        let Range { start, end } = variants;
        Err(BgenError::Request(format!(
            "variants {start} to {end} are outside the file's {count}"
        )))
    }
}
