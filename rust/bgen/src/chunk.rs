//! One decoded chunk.

use std::time::Duration;

use crate::aligned_buffer::PooledBuffer;
use crate::genotype_sums::GenotypeSums;
use crate::moments::VariantMoments;

/// Values and moments of one chunk for each sample set, and sums for each moment set.
#[derive(Debug)]
pub struct DosageChunk {
    pub(crate) index: usize,
    pub(crate) n_variants: usize,
    pub(crate) decode_time: Duration,
    pub(crate) sample_sets: Vec<SampleSetChunk>,
    pub(crate) sums: Vec<GenotypeSums>,
}

impl DosageChunk {
    /// Number of the chunk in its stream.
    #[must_use]
    pub const fn index(&self) -> usize {
        self.index
    }

    /// Variants, without padding rows.
    #[must_use]
    pub const fn n_variants(&self) -> usize {
        self.n_variants
    }

    /// Wall time that threads spent on this chunk, summed over threads.
    #[must_use]
    pub const fn decode_time(&self) -> Duration {
        self.decode_time
    }

    /// One entry a sample set.
    #[must_use]
    pub fn sample_sets(&self) -> &[SampleSetChunk] {
        &self.sample_sets
    }

    /// One entry a moment set.
    #[must_use]
    pub fn sums(&self) -> &[GenotypeSums] {
        &self.sums
    }
}

/// Values and moments of one chunk in one sample set.
#[derive(Debug)]
pub struct SampleSetChunk {
    pub(crate) buffer: PooledBuffer,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) moments: VariantMoments,
}

impl SampleSetChunk {
    /// Rows with padding.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// Columns with padding.
    #[must_use]
    pub const fn columns(&self) -> usize {
        self.columns
    }

    /// Centred values in units, row by row; aligned to 64 bytes.
    #[must_use]
    pub fn values(&self) -> &[f32] {
        &self.buffer.as_slice()[..self.rows * self.columns]
    }

    /// Sums of every variant.
    #[must_use]
    pub const fn moments(&self) -> &VariantMoments {
        &self.moments
    }
}
