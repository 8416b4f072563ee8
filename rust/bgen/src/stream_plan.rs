//! What a stream decodes: variants by chunk, sample sets, and how the work is cut.

use std::ops::Range;

use crate::coding::Coding;
use crate::convert::{index, memory_length};
use crate::error::BgenError;
use crate::genotype_format::GenotypeFormat;
use crate::sample_set::SampleSet;

/// The request behind a [`crate::DosageStream`].
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent options, named where they are set"
)]
pub struct StreamPlan {
    /// Positions of variants in the file, in the order they are wanted.
    pub variant_indices: Vec<u32>,
    /// Chunk `c` holds `variant_indices[chunk_offsets[c]..chunk_offsets[c + 1]]`.
    pub chunk_offsets: Vec<u64>,
    /// Chunks in which sums over males are wanted, one flag a chunk.
    pub chunk_counts_males: Vec<bool>,
    /// Sets of samples; each gets its own values and moments.
    pub sample_sets: Vec<SampleSet>,
    /// Further sets that get sums only, no values.
    pub moment_sets: Vec<SampleSet>,
    /// Count the first allele; otherwise the second.
    pub effect_is_first_allele: bool,
    /// What values hold.
    pub coding: Coding,
    /// In which form rows are handed out.
    pub genotype_format: GenotypeFormat,
    /// Let additive values count the other allele where the mean dosage is above 1.
    pub flip_to_minor_allele: bool,
    /// In chunks that count males, halve a male's dosage before anything but the INFO terms, and in additive values.
    pub halve_males: bool,
    /// Count homozygotes.
    pub count_genotypes: bool,
    /// Rows of a chunk are padded to a multiple of this.
    pub tile_rows: usize,
    /// Columns of a sample set are padded to a multiple of this.
    pub column_multiple: usize,
    /// Decoding threads.
    pub threads: usize,
    /// Finished chunks that may wait.
    pub staging_depth: usize,
    /// Variants of one decoding task.
    pub decode_tile_variants: usize,
    /// Take 8-bit variants as diploid and complete without looking at each sample.
    pub trusted_no_missing_diploid: bool,
}

impl StreamPlan {
    /// Number of chunks.
    #[must_use]
    pub const fn n_chunks(&self) -> usize {
        self.chunk_offsets.len().saturating_sub(1)
    }

    /// Where a chunk's variants lie in `variant_indices`.
    #[must_use]
    pub fn chunk_range(&self, chunk: usize) -> Range<usize> {
        memory_length(self.chunk_offsets[chunk])..memory_length(self.chunk_offsets[chunk + 1])
    }

    /// Rows of a chunk with padding.
    #[must_use]
    pub fn chunk_rows(&self, chunk: usize) -> usize {
        self.chunk_range(chunk).len().next_multiple_of(self.tile_rows)
    }

    /// Columns of a sample set with padding.
    #[must_use]
    pub fn columns(&self, set: &SampleSet) -> usize {
        set.len().next_multiple_of(self.column_multiple)
    }

    /// Bytes of one row of a sample set, with padding.
    pub(crate) fn row_bytes(&self, set: &SampleSet) -> usize {
        self.columns(set) * self.genotype_format.sample_bytes()
    }

    /// Refuse a plan that cannot be carried out on a file of `n_variants`.
    pub(crate) fn validate(&self, n_variants: usize, n_samples: u32) -> Result<(), BgenError> {
        let at_least_one = [
            ("tile_rows", self.tile_rows),
            ("column_multiple", self.column_multiple),
            ("threads", self.threads),
            ("decode_tile_variants", self.decode_tile_variants),
        ];
        for (name, value) in at_least_one {
            if value == 0 {
                return Err(BgenError::Request(format!("{name} must be at least 1")));
            }
        }
        if let Some(variant) = self
            .variant_indices
            .iter()
            .find(|variant| index(**variant) >= n_variants)
        {
            let problem = format!("variant index {variant} is outside the file's {n_variants} variants");
            return Err(BgenError::Request(problem));
        }
        let length = u64::try_from(self.variant_indices.len()).unwrap_or(u64::MAX);
        let ends_inside = self.chunk_offsets.last().is_some_and(|last| *last <= length);
        if !ends_inside || !self.chunk_offsets.is_sorted() {
            let problem = format!("chunk_offsets must begin the chunks and ascend up to at most {length}");
            return Err(BgenError::Request(problem));
        }
        if self.chunk_counts_males.len() != self.n_chunks() {
            let flags = self.chunk_counts_males.len();
            let problem = format!("chunk_counts_males has {flags} entries for {} chunks", self.n_chunks());
            return Err(BgenError::Request(problem));
        }
        let fits = |set: &SampleSet| set.indices().last().is_none_or(|last| *last < n_samples);
        if self.sample_sets.iter().chain(&self.moment_sets).all(fits) {
            Ok(())
        } else {
            Err(BgenError::Request(format!(
                "a sample set goes beyond the {n_samples} samples of the file"
            )))
        }
    }
}
