//! The general path of up to 16 bits: any phase, haploid or diploid, exact in integers.

use crate::block::{PackedBlock, is_missing};
use crate::coding::Coding;
use crate::convert::{exact_single, index};
use crate::error::Fault;
use crate::integer_sums::{IntegerCentre, IntegerSums, IntegerTested};
use crate::moments::Homozygotes;
use crate::oriented::{Oriented, excess, visit_samples};
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
        if block.bits == 16 && block.all_diploid && !block.phased {
            return self.fill_words(block, effect_is_first_allele, coding);
        }
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

    /// As [`Self::fill`] for 16 bits, unphased and diploid, where no value lies across words: several times faster.
    ///
    /// A missing sample gets whatever its stored zeros say; nothing looks at it.
    fn fill_words(
        &mut self,
        block: &PackedBlock<'_>,
        effect_is_first_allele: bool,
        coding: Coding,
    ) -> Result<(), Fault> {
        let (words, _) = block.data.as_chunks::<4>();
        let max = i32::from(u16::MAX);
        let stored = |[a, b, c, d]: [u8; 4]| {
            (
                i32::from(u16::from_le_bytes([a, b])),
                i32::from(u16::from_le_bytes([c, d])),
            )
        };
        let oriented = |word: [u8; 4]| {
            let (first, heterozygous) = stored(word);
            let last = (max - first - heterozygous).max(0);
            (if effect_is_first_allele { first } else { last }, heterozygous)
        };
        let is_absent = |sample: usize| !block.all_present && is_missing(block.ploidy[sample]);
        let sum = |word: &[u8; 4]| {
            let (first, heterozygous) = stored(*word);
            first + heterozygous
        };
        if words.iter().map(sum).max().unwrap_or(0) > max + 1 {
            let above = |(sample, word): &(usize, &[u8; 4])| sum(word) > max + 1 && !is_absent(*sample);
            if let Some((sample, word)) = words.iter().enumerate().find(above) {
                return Err(excess(sample, u64::from(sum(word).unsigned_abs()), block.max_value()));
            }
        }
        self.dosage.extend(words.iter().map(|word| {
            let (homozygous, heterozygous) = oriented(*word);
            2 * homozygous + heterozygous
        }));
        self.info.extend(words.iter().map(|word| {
            let (homozygous, heterozygous) = oriented(*word);
            let dosage = i64::from(2 * homozygous + heterozygous);
            i64::from(4 * homozygous + heterozygous) * i64::from(max) - dosage * dosage
        }));
        if coding != Coding::Additive {
            let dominant = i32::from(coding == Coding::Dominant);
            self.coded.extend(words.iter().map(|word| {
                let (homozygous, heterozygous) = oriented(*word);
                homozygous + dominant * heterozygous
            }));
        }
        Ok(())
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
        let tested_dosage = self.tested();
        // 2^28 samples at most (header.rs) of terms below 2^34: 64 bits hold every sum.
        let (mut dosage_sum, mut info_sum, mut square_sum, mut male_sum) = (0_i64, 0_i64, 0_i64, 0_i64);
        let (mut tested_sum, mut squares) = (0_i64, 0_i64);
        let (mut sums, mut tested) = (IntegerSums::default(), IntegerTested::default());
        missing.clear();
        for ((column, &sample), &male) in (0_u32..).zip(set.indices()).zip(set.is_male()) {
            let sample = index(sample);
            if !block.all_present && is_missing(block.ploidy[sample]) {
                missing.push(column);
                continue;
            }
            let dosage = i64::from(self.dosage[sample]);
            sums.n_present += 1;
            dosage_sum += dosage;
            info_sum += self.info[sample];
            square_sum += dosage * dosage;
            if counts_males && male {
                sums.male_present += 1;
                male_sum += dosage;
            }
            let coded = tested_dosage[sample];
            tested_sum += i64::from(coded);
            squares += i64::from(coded) * i64::from(coded);
            tested.n_zero += u64::from(coded == 0);
            tested.n_two += u64::from(coded == two);
        }
        (sums.dosage, sums.info) = (dosage_sum.into(), info_sum.into());
        (sums.squares, sums.male_dosage) = (square_sum.into(), male_sum.into());
        (tested.sum, tested.squares) = (tested_sum.into(), squares.into());
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
