//! The general path of up to 16 bits: any phase, haploid or diploid, exact in integers.

use crate::block::{PackedBlock, is_missing};
use crate::coding::Coding;
use crate::convert::{exact_single, index};
use crate::error::Fault;
use crate::integer_sums::{IntegerCentre, IntegerSums, IntegerTested};
use crate::moments::Homozygotes;
use crate::oriented::{Oriented, visit_samples};
use crate::sample_set::SampleSet;

/// Most bits of this path: dosage in steps is exact in single precision.
const MOST_BITS: u32 = 16;

/// Dosage, INFO term and coded dosage of every sample of one variant, in steps.
#[derive(Debug, Default)]
pub(crate) struct IntegerDosage {
    dosage: Vec<i32>,
    info: Vec<i64>,
    /// Empty where values are additive.
    coded: Vec<i32>,
}

/// True where everything asked of a block is a whole number of steps: products of haplotypes are not.
pub(crate) fn fits(block: &PackedBlock<'_>, coding: Coding) -> bool {
    block.bits <= MOST_BITS && (coding == Coding::Additive || !block.phased)
}

impl IntegerDosage {
    /// Decode all samples of a block that [`fits`].
    pub(crate) fn fill(
        &mut self,
        block: &PackedBlock<'_>,
        effect_is_first_allele: bool,
        coding: Coding,
    ) -> Result<(), Fault> {
        let max_value = signed(block.max_value());
        self.dosage.clear();
        self.info.clear();
        self.coded.clear();
        visit_samples(block, effect_is_first_allele, |_, oriented| {
            let (dosage, info) = oriented.map_or((0, 0), |oriented| terms(oriented, max_value));
            self.dosage.push(i32::try_from(dosage).unwrap_or(0));
            self.info.push(info);
            if coding != Coding::Additive {
                let coded = oriented.map_or(0, |oriented| coded_steps(oriented, coding));
                self.coded.push(i32::try_from(coded).unwrap_or(0));
            }
        })
    }

    /// Coded dosages, one a sample of the file.
    fn tested(&self) -> &[i32] {
        if self.coded.is_empty() {
            &self.dosage
        } else {
            &self.coded
        }
    }

    /// Sums over a set; `missing` gets its missing columns.
    pub(crate) fn sums(
        &self,
        block: &PackedBlock<'_>,
        set: &SampleSet,
        counts_males: bool,
        missing: &mut Vec<u32>,
    ) -> (IntegerSums, IntegerTested) {
        let two = i32::try_from(2 * block.max_value()).unwrap_or(0);
        let (mut sums, mut tested) = (IntegerSums::default(), IntegerTested::default());
        missing.clear();
        for ((column, &sample), &male) in (0_u32..).zip(set.indices()).zip(set.is_male()) {
            if !block.all_present && is_missing(block.ploidy[index(sample)]) {
                missing.push(column);
                continue;
            }
            let dosage = i128::from(self.dosage[index(sample)]);
            sums.n_present += 1;
            sums.dosage += dosage;
            sums.info += i128::from(self.info[index(sample)]);
            if counts_males && male {
                sums.male_present += 1;
                sums.male_dosage += dosage;
            }
            let coded = self.tested()[index(sample)];
            tested.sum += i128::from(coded);
            tested.squares += i128::from(i64::from(coded) * i64::from(coded));
            tested.n_zero += u64::from(coded == 0);
            tested.n_two += u64::from(coded == two);
        }
        tested.n_present = sums.n_present;
        (sums, tested)
    }

    /// Count homozygotes of a set; `counts_males` takes males as haploid.
    pub(crate) fn count_homozygotes(
        &self,
        block: &PackedBlock<'_>,
        set: &SampleSet,
        counts_males: bool,
    ) -> Homozygotes {
        let max = signed(block.max_value());
        let mut counts = Homozygotes::default();
        for (&sample, &male) in set.indices().iter().zip(set.is_male()) {
            if !block.all_present && is_missing(block.ploidy[index(sample)]) {
                continue;
            }
            let doubled = 2 * i64::from(self.dosage[index(sample)]);
            let (least, most) = if counts_males && male {
                (2 * max, 2 * max)
            } else {
                (max, 3 * max)
            };
            counts.reference += u64::from(doubled < least);
            counts.effect += u64::from(doubled >= most);
        }
        counts
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
        let tested = self.tested();
        for (value, &sample) in values.iter_mut().zip(set.indices()) {
            let dosage = tested[index(sample)];
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

/// Coded dosage in steps of a sample that is not phased.
const fn coded_steps(oriented: Oriented, coding: Coding) -> u64 {
    match (oriented, coding) {
        (_, Coding::Additive) | (Oriented::Phased { .. }, _) => oriented.dosage(),
        (Oriented::Unphased { homozygous, .. }, Coding::Recessive) => homozygous,
        (
            Oriented::Unphased {
                homozygous,
                heterozygous,
            },
            Coding::Dominant,
        ) => homozygous + heterozygous,
        (Oriented::Haploid { carried }, _) => carried,
    }
}
