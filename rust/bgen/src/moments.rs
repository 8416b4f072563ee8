//! What a chunk tells of every variant beside its values.

use crate::convert::{count_to_signed, file_length};
use crate::genotype_sums::{GenotypeSums, SumRow};

/// Moments of one chunk in one sample set, one entry a variant.
///
/// "Tested" is the coded dosage of the effect allele, halved for males where that is asked, before any flipping.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VariantMoments {
    /// Sums of additive dosages and INFO terms.
    pub sums: GenotypeSums,
    /// Sum of tested dosages of those present.
    pub tested_sum: Vec<f64>,
    /// True where the mean dosage is above 1 and values count the other allele.
    pub flipped: Vec<bool>,
    /// Samples present whose tested (flipped) dosage is not exactly 0.
    pub n_nonzero_present: Vec<i64>,
    /// Dosage of one unit of the values.
    pub unit: Vec<f64>,
    /// Tested (flipped) dosage where the value is 0.
    pub centre: Vec<f64>,
    /// Sum over the whole set of (unit * value) squared, missing ones at the mean.
    pub centred_square_sum: Vec<f64>,
    /// Samples present that are homozygous for the other allele; 0 where genotypes are not counted.
    pub n_hom_reference: Vec<i64>,
    /// Samples present that are homozygous for the effect allele; 0 where genotypes are not counted.
    pub n_hom_effect: Vec<i64>,
    /// Where each variant's entries of [`Self::missing_columns`] end.
    pub missing_ends: Vec<i64>,
    /// Columns without a genotype, variant by variant, ascending.
    pub missing_columns: Vec<u32>,
    /// True where the row holds the stored bytes: never in the dosage format.
    pub packed: Vec<bool>,
}

/// What the values of one variant are made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TestedRow {
    pub(crate) tested_sum: f64,
    pub(crate) flipped: bool,
    pub(crate) n_nonzero_present: u64,
    pub(crate) unit: f64,
    pub(crate) centre: f64,
    pub(crate) centred_square_sum: f64,
}

/// Homozygotes among the samples present (spec section 9, `--no-split`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Homozygotes {
    /// Dosage below 0.5; of males counted as such, below 1.
    pub(crate) reference: u64,
    /// Dosage of at least 1.5; of males counted as such, at least 1.
    pub(crate) effect: u64,
}

impl VariantMoments {
    /// Number of variants.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.unit.len()
    }

    /// True without variants.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.unit.is_empty()
    }

    /// No variants yet, and room for `count`.
    pub(crate) fn with_capacity(count: usize) -> Self {
        Self {
            sums: GenotypeSums::with_capacity(count),
            tested_sum: Vec::with_capacity(count),
            flipped: Vec::with_capacity(count),
            n_nonzero_present: Vec::with_capacity(count),
            unit: Vec::with_capacity(count),
            centre: Vec::with_capacity(count),
            centred_square_sum: Vec::with_capacity(count),
            n_hom_reference: Vec::with_capacity(count),
            n_hom_effect: Vec::with_capacity(count),
            missing_ends: Vec::with_capacity(count),
            missing_columns: Vec::new(),
            packed: Vec::with_capacity(count),
        }
    }

    pub(crate) fn push(
        &mut self,
        sums: &SumRow,
        tested: &TestedRow,
        homozygotes: Homozygotes,
        missing_columns: &[u32],
        packed: bool,
    ) {
        self.sums.push(sums);
        self.tested_sum.push(tested.tested_sum);
        self.flipped.push(tested.flipped);
        self.n_nonzero_present.push(count_to_signed(tested.n_nonzero_present));
        self.unit.push(tested.unit);
        self.centre.push(tested.centre);
        self.centred_square_sum.push(tested.centred_square_sum);
        self.n_hom_reference.push(count_to_signed(homozygotes.reference));
        self.n_hom_effect.push(count_to_signed(homozygotes.effect));
        self.missing_columns.extend_from_slice(missing_columns);
        self.missing_ends
            .push(count_to_signed(file_length(self.missing_columns.len())));
        self.packed.push(packed);
    }

    /// Append the variants of the next tile or chunk.
    pub fn append(&mut self, tile: &Self) {
        let start = count_to_signed(file_length(self.missing_columns.len()));
        self.sums.append(&tile.sums);
        self.tested_sum.extend_from_slice(&tile.tested_sum);
        self.flipped.extend_from_slice(&tile.flipped);
        self.n_nonzero_present.extend_from_slice(&tile.n_nonzero_present);
        self.unit.extend_from_slice(&tile.unit);
        self.centre.extend_from_slice(&tile.centre);
        self.centred_square_sum.extend_from_slice(&tile.centred_square_sum);
        self.n_hom_reference.extend_from_slice(&tile.n_hom_reference);
        self.n_hom_effect.extend_from_slice(&tile.n_hom_effect);
        self.missing_columns.extend_from_slice(&tile.missing_columns);
        self.missing_ends
            .extend(tile.missing_ends.iter().map(|end| start + end));
        self.packed.extend_from_slice(&tile.packed);
    }
}
