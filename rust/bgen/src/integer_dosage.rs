//! The general path of up to 16 bits: any phase, haploid or diploid, exact in integers.

use crate::block::{PackedBlock, is_missing};
use crate::convert::{exact_single, index};
use crate::error::Fault;
use crate::moments::{IntegerCentre, IntegerSums};
use crate::oriented::{Oriented, visit_samples};
use crate::sample_set::SampleSet;

/// Most bits of this path: dosage in steps is exact in single precision.
pub(crate) const MOST_BITS: u32 = 16;

/// Dosage and INFO term of every sample of one variant, in steps.
#[derive(Debug, Default)]
pub(crate) struct IntegerDosage {
    dosage: Vec<i32>,
    info: Vec<i64>,
}

impl IntegerDosage {
    /// Decode all samples of a block.
    pub(crate) fn fill(&mut self, block: &PackedBlock<'_>, effect_is_first_allele: bool) -> Result<(), Fault> {
        let max_value = signed(block.max_value());
        self.dosage.clear();
        self.info.clear();
        visit_samples(block, effect_is_first_allele, |_, oriented| {
            let (dosage, info) = oriented.map_or((0, 0), |oriented| terms(oriented, max_value));
            self.dosage.push(i32::try_from(dosage).unwrap_or(0));
            self.info.push(info);
        })
    }

    /// Sums over a set; `missing` gets its missing columns.
    pub(crate) fn sums(
        &self,
        block: &PackedBlock<'_>,
        set: &SampleSet,
        counts_males: bool,
        missing: &mut Vec<u32>,
    ) -> IntegerSums {
        let two = i32::try_from(2 * block.max_value()).unwrap_or(0);
        let mut sums = IntegerSums::default();
        missing.clear();
        for ((column, &sample), &male) in (0_u32..).zip(set.indices()).zip(set.is_male()) {
            if !block.all_present && is_missing(block.ploidy[index(sample)]) {
                missing.push(column);
                continue;
            }
            let dosage = self.dosage[index(sample)];
            sums.n_present += 1;
            sums.dosage += i128::from(dosage);
            sums.dosage_squares += i128::from(i64::from(dosage) * i64::from(dosage));
            sums.info += i128::from(self.info[index(sample)]);
            sums.n_zero += u64::from(dosage == 0);
            sums.n_two += u64::from(dosage == two);
            if counts_males && male {
                sums.male_present += 1;
                sums.male_dosage += i128::from(dosage);
            }
        }
        sums
    }

    /// Write the centred values of a set, then padding.
    pub(crate) fn write(
        &self,
        max_value: u64,
        set: &SampleSet,
        centre: &IntegerCentre,
        missing: &[u32],
        row: &mut [f32],
    ) {
        let (values, padding) = row.split_at_mut(set.len());
        let two = i32::try_from(2 * max_value).unwrap_or(0);
        for (value, &sample) in values.iter_mut().zip(set.indices()) {
            let dosage = self.dosage[index(sample)];
            let counted = if centre.flipped { two - dosage } else { dosage };
            *value = exact_single(counted - centre.steps);
        }
        for &column in missing {
            values[index(column)] = centre.missing_value;
        }
        padding.fill(0.0);
    }
}

fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// Dosage in steps, and `max_value` (4 hom + het) - dosage squared; haplotypes are independent (spec section 5).
fn terms(oriented: Oriented, max_value: i64) -> (i64, i64) {
    let dosage = signed(oriented.dosage());
    let info = match oriented {
        Oriented::Unphased {
            homozygous,
            heterozygous,
        } => (4 * signed(homozygous) + signed(heterozygous)) * max_value - dosage * dosage,
        Oriented::Phased { first, second } => {
            let (first, second) = (signed(first), signed(second));
            first * (max_value - first) + second * (max_value - second)
        }
        Oriented::Haploid { carried } => 4 * signed(carried) * (max_value - signed(carried)),
    };
    (dosage, info)
}
