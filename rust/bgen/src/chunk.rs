//! One decoded chunk.

use std::time::Duration;

use crate::convert::index;
use crate::error::BgenError;
use crate::genotype_format::GenotypeFormat;
use crate::genotype_sums::GenotypeSums;
use crate::moments::VariantMoments;
use crate::packed_rows::ChunkRows;

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

/// Rows and moments of one chunk in one sample set.
#[derive(Debug)]
pub struct SampleSetChunk {
    pub(crate) rows: ChunkRows,
    pub(crate) moments: VariantMoments,
}

impl SampleSetChunk {
    /// Rows with padding.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows.rows
    }

    /// Columns with padding.
    #[must_use]
    pub const fn columns(&self) -> usize {
        self.rows.columns
    }

    /// In which form the rows are.
    #[must_use]
    pub const fn genotype_format(&self) -> GenotypeFormat {
        self.rows.format
    }

    /// Centred values in units, row by row, aligned to 64 bytes; empty in the packed format.
    #[must_use]
    pub fn values(&self) -> &[f32] {
        self.rows.values()
    }

    /// The two stored bytes of every sample, row by row, the first in the low byte; aligned to 64 bytes; empty in the
    /// dosage format. Padding, and a row that is one of [`Self::side_rows`], is all zeros.
    #[must_use]
    pub fn packed(&self) -> &[u16] {
        self.rows.packed()
    }

    /// Rows of the packed format that have no stored bytes, ascending: 8 bits, unphased, diploid and complete in this
    /// sample set is what it takes, and no male whose dosage is halved.
    #[must_use]
    pub fn side_rows(&self) -> &[u32] {
        self.rows.side_rows()
    }

    /// Write the values of some variants into the first rows of `out`, in any format.
    ///
    /// # Errors
    ///
    /// [`BgenError::Request`] for a row beyond the variants, or where `out` has no room for all.
    pub fn copy_values(&self, rows: &[u32], out: &mut [f32]) -> Result<(), BgenError> {
        let n_variants = self.moments.len();
        if let Some(row) = rows.iter().find(|row| index(**row) >= n_variants) {
            return Err(BgenError::Request(format!("row {row} of {n_variants} variants")));
        }
        if rows.len() * self.columns() > out.len() {
            let (asked, room) = (rows.len(), out.len());
            return Err(BgenError::Request(format!(
                "{asked} rows of {} values do not fit into {room}",
                self.columns()
            )));
        }
        for (row, target) in rows.iter().zip(out.chunks_exact_mut(self.columns().max(1))) {
            self.rows.copy_row(index(*row), &self.moments, target);
        }
        Ok(())
    }

    /// Sums of every variant.
    #[must_use]
    pub const fn moments(&self) -> &VariantMoments {
        &self.moments
    }
}
