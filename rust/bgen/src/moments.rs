//! Sums over the samples of a set, exact in integers up to the last division.

use crate::convert::{file_length, real, rounded, single};

/// Sums of one chunk in one sample set, one entry a variant. Dosage is of the effect allele before flipping.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VariantMoments {
    /// Samples with a genotype.
    pub n_present: Vec<i64>,
    /// Sum of dosages of those present.
    pub dosage_sum: Vec<f64>,
    /// Sum of 4 P(two effect alleles) + P(one) - dosage squared.
    pub info_sum: Vec<f64>,
    /// True where the mean dosage is above 1 and values count the other allele.
    pub flipped: Vec<bool>,
    /// Samples present whose flipped dosage is not exactly 0.
    pub n_nonzero_present: Vec<i64>,
    /// Dosage of one unit of the values.
    pub unit: Vec<f64>,
    /// Flipped dosage where the value is 0.
    pub centre: Vec<f64>,
    /// Sum over the whole set of (unit * value) squared, missing ones at the mean.
    pub centred_square_sum: Vec<f64>,
    /// Males with a genotype; 0 where males are not counted.
    pub male_present: Vec<i64>,
    /// Sum of dosages of males present.
    pub male_dosage_sum: Vec<f64>,
    /// Where each variant's entries of [`Self::missing_columns`] end.
    pub missing_ends: Vec<i64>,
    /// Columns without a genotype, variant by variant, ascending.
    pub missing_columns: Vec<u32>,
}

/// The entries of one variant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MomentRow {
    pub(crate) n_present: u64,
    pub(crate) dosage_sum: f64,
    pub(crate) info_sum: f64,
    pub(crate) flipped: bool,
    pub(crate) n_nonzero_present: u64,
    pub(crate) unit: f64,
    pub(crate) centre: f64,
    pub(crate) centred_square_sum: f64,
    pub(crate) male_present: u64,
    pub(crate) male_dosage_sum: f64,
}

fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

impl VariantMoments {
    /// Number of variants.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.n_present.len()
    }

    /// True without variants.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.n_present.is_empty()
    }

    /// No variants yet, and room for `count`.
    pub(crate) fn with_capacity(count: usize) -> Self {
        Self {
            n_present: Vec::with_capacity(count),
            dosage_sum: Vec::with_capacity(count),
            info_sum: Vec::with_capacity(count),
            flipped: Vec::with_capacity(count),
            n_nonzero_present: Vec::with_capacity(count),
            unit: Vec::with_capacity(count),
            centre: Vec::with_capacity(count),
            centred_square_sum: Vec::with_capacity(count),
            male_present: Vec::with_capacity(count),
            male_dosage_sum: Vec::with_capacity(count),
            missing_ends: Vec::with_capacity(count),
            missing_columns: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self, row: &MomentRow, missing_columns: &[u32]) {
        self.n_present.push(signed(row.n_present));
        self.dosage_sum.push(row.dosage_sum);
        self.info_sum.push(row.info_sum);
        self.flipped.push(row.flipped);
        self.n_nonzero_present.push(signed(row.n_nonzero_present));
        self.unit.push(row.unit);
        self.centre.push(row.centre);
        self.centred_square_sum.push(row.centred_square_sum);
        self.male_present.push(signed(row.male_present));
        self.male_dosage_sum.push(row.male_dosage_sum);
        self.missing_columns.extend_from_slice(missing_columns);
        self.missing_ends.push(signed(file_length(self.missing_columns.len())));
    }

    /// Append the variants of the next tile.
    pub(crate) fn append(&mut self, tile: &Self) {
        let start = signed(file_length(self.missing_columns.len()));
        self.n_present.extend_from_slice(&tile.n_present);
        self.dosage_sum.extend_from_slice(&tile.dosage_sum);
        self.info_sum.extend_from_slice(&tile.info_sum);
        self.flipped.extend_from_slice(&tile.flipped);
        self.n_nonzero_present.extend_from_slice(&tile.n_nonzero_present);
        self.unit.extend_from_slice(&tile.unit);
        self.centre.extend_from_slice(&tile.centre);
        self.centred_square_sum.extend_from_slice(&tile.centred_square_sum);
        self.male_present.extend_from_slice(&tile.male_present);
        self.male_dosage_sum.extend_from_slice(&tile.male_dosage_sum);
        self.missing_columns.extend_from_slice(&tile.missing_columns);
        self.missing_ends
            .extend(tile.missing_ends.iter().map(|end| start + end));
    }
}

/// Integer sums over the samples present, in stored steps of 1 / `max_value`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct IntegerSums {
    pub(crate) n_present: u64,
    pub(crate) dosage: i128,
    pub(crate) dosage_squares: i128,
    /// Sum of `max_value` (4 hom + het) - dosage squared.
    pub(crate) info: i128,
    /// Samples of dosage 0.
    pub(crate) n_zero: u64,
    /// Samples of dosage 2.
    pub(crate) n_two: u64,
    pub(crate) male_present: u64,
    pub(crate) male_dosage: i128,
}

/// How to write the values of one variant with integer dosage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IntegerCentre {
    pub(crate) flipped: bool,
    /// Flipped dosage, in steps, of the value 0.
    pub(crate) steps: i32,
    /// Value of a missing genotype: the mean.
    pub(crate) missing_value: f32,
}

impl IntegerSums {
    /// Decide flipping and centre, and turn the sums into moments with one rounding each.
    pub(crate) fn settle(&self, max_value: u64, n_missing: usize) -> (MomentRow, IntegerCentre) {
        let count = i128::from(self.n_present);
        let max = i128::from(max_value);
        let flipped = self.dosage > count * max;
        let (sum, squares, n_zero) = if flipped {
            let squares = count * 4 * max * max - 4 * max * self.dosage + self.dosage_squares;
            (2 * max * count - self.dosage, squares, self.n_two)
        } else {
            (self.dosage, self.dosage_squares, self.n_zero)
        };
        let steps = if count == 0 {
            0
        } else {
            (2 * sum + count).div_euclid(2 * count)
        };
        let mean_above_centre = if count == 0 {
            0.0
        } else {
            rounded(sum - steps * count) / rounded(count)
        };
        let centred_squares = squares - 2 * steps * sum + count * steps * steps;
        let max_squared = rounded(max * max);
        let imputed = mean_above_centre / real(max_value);
        let unit = 1.0 / real(max_value);
        let row = MomentRow {
            n_present: self.n_present,
            dosage_sum: rounded(self.dosage) / real(max_value),
            info_sum: rounded(self.info) / max_squared,
            flipped,
            n_nonzero_present: self.n_present - n_zero,
            unit,
            centre: rounded(steps) * unit,
            centred_square_sum: rounded(centred_squares) / max_squared
                + real(file_length(n_missing)) * imputed * imputed,
            male_present: self.male_present,
            male_dosage_sum: rounded(self.male_dosage) / real(max_value),
        };
        let centre = IntegerCentre {
            flipped,
            steps: i32::try_from(steps).unwrap_or(0),
            missing_value: single(mean_above_centre),
        };
        (row, centre)
    }
}
