//! An open and indexed BGEN file.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use crate::block::Block;
use crate::coding::Coding;
use crate::convert::file_length;
use crate::decoder::BlockLoader;
use crate::error::{BgenError, Fault};
use crate::header::Header;
use crate::index::VariantIndex;
use crate::real_dosage::{RealDosage, probabilities};
use crate::source::Source;
use crate::stream::DosageStream;
use crate::stream_plan::StreamPlan;

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
        let index = VariantIndex::read(&source, &header)?;
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

    /// Expected count of the first allele, variant by variant, NaN where missing.
    ///
    /// # Errors
    ///
    /// [`BgenError`] for a damaged variant, or one without a biallelic diploid dosage.
    pub fn read_dosage(&self, variants: Range<usize>) -> Result<Vec<f64>, BgenError> {
        self.check_range(&variants)?;
        let mut loader = BlockLoader::new();
        let mut dosage = RealDosage::default();
        let mut all = Vec::new();
        for variant in variants {
            self.with_block(&mut loader, variant, |block| {
                dosage.fill(block, true, Coding::Additive)?;
                all.extend_from_slice(dosage.dosage());
                Ok(())
            })?;
        }
        Ok(all)
    }

    /// P(11), P(12), P(22) of every sample of one variant, NaN where missing.
    ///
    /// # Errors
    ///
    /// [`BgenError`] for a damaged variant, or one that is not biallelic and at most diploid.
    pub fn read_probabilities(&self, variant: usize) -> Result<Vec<f64>, BgenError> {
        self.check_range(&(variant..variant.saturating_add(1)))?;
        let mut all = Vec::new();
        self.with_block(&mut BlockLoader::new(), variant, |block| probabilities(block, &mut all))?;
        Ok(all)
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

    fn with_block(
        &self,
        loader: &mut BlockLoader,
        variant: usize,
        work: impl FnOnce(&Block<'_>) -> Result<(), Fault>,
    ) -> Result<(), BgenError> {
        let bytes = loader.load(&self.file, variant, 0)?;
        let header = &self.file.header;
        Block::parse(bytes, header.layout, header.n_samples, false)
            .and_then(|block| {
                if let Block::Packed(packed) = &block {
                    packed.require_haploid_or_diploid()?;
                }
                work(&block)
            })
            .map_err(|fault| self.file.variant_error(variant, fault))
    }
}
