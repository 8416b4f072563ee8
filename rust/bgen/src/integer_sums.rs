//! Sums in stored steps, exact up to the last division.

use crate::convert::{file_length, real, rounded, single};
use crate::genotype_sums::SumRow;
use crate::moments::TestedRow;

/// Sums of additive dosages over the samples present, in steps of 1 / `max_value`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct IntegerSums {
    pub(crate) n_present: u64,
    pub(crate) dosage: i128,
    /// Sum of `max_value` (4 hom + het) - dosage squared.
    pub(crate) info: i128,
    /// Sum of dosages squared.
    pub(crate) squares: i128,
    pub(crate) male_present: u64,
    pub(crate) male_dosage: i128,
}

/// Sums of tested dosages over the samples present, in the same steps.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct IntegerTested {
    pub(crate) n_present: u64,
    pub(crate) sum: i128,
    pub(crate) squares: i128,
    /// Samples of dosage 0.
    pub(crate) n_zero: u64,
    /// Samples of dosage 2.
    pub(crate) n_two: u64,
}

/// How to write the values of one variant with integer dosage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IntegerCentre {
    pub(crate) flipped: bool,
    /// Dosage in steps where the value is 0.
    pub(crate) steps: i32,
    /// Value of a missing genotype: the mean.
    pub(crate) missing_value: f32,
}

impl IntegerSums {
    /// The sums as doubles, with one rounding each.
    pub(crate) fn row(&self, max_value: u64) -> SumRow {
        let max = real(max_value);
        SumRow {
            n_present: self.n_present,
            dosage_sum: rounded(self.dosage) / max,
            info_sum: rounded(self.info) / (max * max),
            square_sum: rounded(self.squares) / (max * max),
            male_present: self.male_present,
            male_dosage_sum: rounded(self.male_dosage) / max,
        }
    }
}

impl IntegerTested {
    /// Decide flipping, where that is allowed, and the centre.
    pub(crate) fn settle(&self, max_value: u64, n_missing: usize, may_flip: bool) -> (TestedRow, IntegerCentre) {
        let count = i128::from(self.n_present);
        let max = i128::from(max_value);
        let flipped = may_flip && self.sum > count * max;
        let (sum, squares, n_zero) = if flipped {
            let squares = count * 4 * max * max - 4 * max * self.sum + self.squares;
            (2 * max * count - self.sum, squares, self.n_two)
        } else {
            (self.sum, self.squares, self.n_zero)
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
        let imputed = mean_above_centre / real(max_value);
        let unit = 1.0 / real(max_value);
        let row = TestedRow {
            tested_sum: rounded(self.sum) / real(max_value),
            flipped,
            n_nonzero_present: self.n_present - n_zero,
            unit,
            centre: rounded(steps) * unit,
            centred_square_sum: rounded(centred_squares) / rounded(max * max)
                + real(file_length(n_missing)) * imputed * imputed,
        };
        let centre = IntegerCentre {
            flipped,
            steps: i32::try_from(steps).unwrap_or(0),
            missing_value: single(mean_above_centre),
        };
        (row, centre)
    }
}
