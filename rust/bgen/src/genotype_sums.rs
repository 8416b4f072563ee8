//! Sums that do not depend on how values are coded: of additive dosages and INFO terms.

use crate::convert::count_to_signed;

/// Sums of one chunk in one sample set, one entry a variant. Dosage is of the effect allele, never flipped.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GenotypeSums {
    /// Samples with a genotype.
    pub n_present: Vec<i64>,
    /// Sum of dosages of those present.
    pub dosage_sum: Vec<f64>,
    /// Sum of 4 P(two effect alleles) + P(one) - dosage squared; of whole dosages even where males count half.
    pub info_sum: Vec<f64>,
    /// Sum of squared dosages of those present.
    pub square_sum: Vec<f64>,
    /// Males with a genotype; 0 where males are not counted.
    pub male_present: Vec<i64>,
    /// Sum of dosages of males present.
    pub male_dosage_sum: Vec<f64>,
}

/// The entries of one variant.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SumRow {
    pub(crate) n_present: u64,
    pub(crate) dosage_sum: f64,
    pub(crate) info_sum: f64,
    pub(crate) square_sum: f64,
    pub(crate) male_present: u64,
    pub(crate) male_dosage_sum: f64,
}

impl GenotypeSums {
    /// No variants yet, and room for `count`.
    pub(crate) fn with_capacity(count: usize) -> Self {
        Self {
            n_present: Vec::with_capacity(count),
            dosage_sum: Vec::with_capacity(count),
            info_sum: Vec::with_capacity(count),
            square_sum: Vec::with_capacity(count),
            male_present: Vec::with_capacity(count),
            male_dosage_sum: Vec::with_capacity(count),
        }
    }

    pub(crate) fn push(&mut self, row: &SumRow) {
        self.n_present.push(count_to_signed(row.n_present));
        self.dosage_sum.push(row.dosage_sum);
        self.info_sum.push(row.info_sum);
        self.square_sum.push(row.square_sum);
        self.male_present.push(count_to_signed(row.male_present));
        self.male_dosage_sum.push(row.male_dosage_sum);
    }

    /// Append the variants of the next tile.
    pub(crate) fn append(&mut self, tile: &Self) {
        self.n_present.extend_from_slice(&tile.n_present);
        self.dosage_sum.extend_from_slice(&tile.dosage_sum);
        self.info_sum.extend_from_slice(&tile.info_sum);
        self.square_sum.extend_from_slice(&tile.square_sum);
        self.male_present.extend_from_slice(&tile.male_present);
        self.male_dosage_sum.extend_from_slice(&tile.male_dosage_sum);
    }
}
