//! The fast path: 8 bits, unphased, diploid. Two bytes a sample.
//!
//! Loops here have no branch and no early exit, so that the compiler turns them into vector instructions.

use crate::block::{PackedBlock, is_missing};
use crate::convert::{file_length, index};
use crate::error::Fault;
use crate::moments::{IntegerCentre, IntegerSums};
use crate::oriented::excess;
use crate::sample_set::SampleSet;

/// The stored bytes of one sample: 255 P(11), 255 P(12).
pub(crate) type BytePair = [u8; 2];

/// Largest stored value.
pub(crate) const MAX_VALUE: u16 = 255;
/// Samples a block of 32-bit sums: even unchecked pairs, at most 765 squared each, cannot overflow.
const BLOCK: usize = 2048;

/// A missing sample is stored as a pair of dosage 0, so that it adds nothing to any sum.
const fn absent(effect_is_first_allele: bool) -> BytePair {
    if effect_is_first_allele { [0, 0] } else { [255, 0] }
}

/// Refuse samples present whose probabilities sum to more than one by more than rounding.
pub(crate) fn check_sums(block: &PackedBlock<'_>) -> Result<(), Fault> {
    let (pairs, _) = block.data.as_chunks::<2>();
    let largest = pairs
        .iter()
        .fold(0, |largest: u16, [x, y]| largest.max(u16::from(*x) + u16::from(*y)));
    if largest <= MAX_VALUE + 1 {
        return Ok(());
    }
    for (sample, ([x, y], &ploidy)) in pairs.iter().zip(block.ploidy).enumerate() {
        let sum = u16::from(*x) + u16::from(*y);
        if sum > MAX_VALUE + 1 && (block.all_present || !is_missing(ploidy)) {
            return Err(excess(sample, u64::from(sum), u64::from(MAX_VALUE)));
        }
    }
    Ok(())
}

/// The pairs of a sample set, column by column, and the columns that are missing.
///
/// No copy where the set is one range of the file and nobody is missing.
pub(crate) fn select<'a>(
    block: &PackedBlock<'a>,
    set: &SampleSet,
    effect_is_first_allele: bool,
    scratch: &'a mut Vec<BytePair>,
    missing: &mut Vec<u32>,
) -> &'a [BytePair] {
    let (pairs, _) = block.data.as_chunks::<2>();
    missing.clear();
    if let (Some(range), true) = (set.range(), block.all_present) {
        return &pairs[range.clone()];
    }
    scratch.clear();
    match set.range() {
        Some(range) => scratch.extend_from_slice(&pairs[range.clone()]),
        None => scratch.extend(set.indices().iter().map(|&sample| pairs[index(sample)])),
    }
    if !block.all_present {
        let columns = (0_u32..).zip(set.indices());
        missing.extend(
            columns
                .filter(|(_, sample)| is_missing(block.ploidy[index(**sample)]))
                .map(|(column, _)| column),
        );
        for &column in missing.iter() {
            scratch[index(column)] = absent(effect_is_first_allele);
        }
    }
    scratch
}

/// P(two effect alleles) in steps.
#[inline(always)]
#[expect(
    clippy::inline_always,
    reason = "a call in the innermost loop would stop vectorisation"
)]
fn homozygous<const EFFECT_IS_FIRST: bool>([first, heterozygous]: BytePair) -> u16 {
    let (first, heterozygous) = (u16::from(first), u16::from(heterozygous));
    if EFFECT_IS_FIRST {
        first
    } else {
        MAX_VALUE.saturating_sub(first + heterozygous)
    }
}

/// Sums over the set; `missing` were neutralised by [`select`].
pub(crate) fn sums(pairs: &[BytePair], effect_is_first_allele: bool, n_missing: usize) -> IntegerSums {
    let mut sums = if effect_is_first_allele {
        sum_blocks::<true>(pairs)
    } else {
        sum_blocks::<false>(pairs)
    };
    let n_missing = file_length(n_missing);
    sums.n_present -= n_missing;
    sums.n_zero -= n_missing;
    sums
}

fn sum_blocks<const EFFECT_IS_FIRST: bool>(pairs: &[BytePair]) -> IntegerSums {
    let mut total = IntegerSums {
        n_present: file_length(pairs.len()),
        ..IntegerSums::default()
    };
    for block in pairs.chunks(BLOCK) {
        let (mut homozygotes, mut heterozygotes, mut squares) = (0_u32, 0_u32, 0_i32);
        let (mut zeros, mut twos) = (0_u16, 0_u16);
        for &pair in block {
            let both = homozygous::<EFFECT_IS_FIRST>(pair);
            let one = u16::from(pair[1]);
            let dosage = (2 * both + one).cast_signed();
            homozygotes += u32::from(both);
            heterozygotes += u32::from(one);
            // Products of 16-bit numbers summed in 32 bits are one instruction.
            squares += i32::from(dosage) * i32::from(dosage);
            zeros += u16::from(dosage == 0);
            twos += u16::from(dosage == 2 * MAX_VALUE.cast_signed());
        }
        let (homozygotes, heterozygotes) = (i128::from(homozygotes), i128::from(heterozygotes));
        total.dosage += 2 * homozygotes + heterozygotes;
        total.dosage_squares += i128::from(squares);
        total.info += (4 * homozygotes + heterozygotes) * i128::from(MAX_VALUE) - i128::from(squares);
        total.n_zero += u64::from(zeros);
        total.n_two += u64::from(twos);
    }
    total
}

/// Add the sums over males.
pub(crate) fn count_males(
    sums: &mut IntegerSums,
    pairs: &[BytePair],
    set: &SampleSet,
    effect_is_first_allele: bool,
    missing: &[u32],
) {
    let dosage = |&column: &u32| {
        let pair = pairs[index(column)];
        let both = if effect_is_first_allele {
            homozygous::<true>(pair)
        } else {
            homozygous::<false>(pair)
        };
        u64::from(2 * both + u16::from(pair[1]))
    };
    let absent = missing.iter().filter(|column| set.is_male()[index(**column)]).count();
    sums.male_present = file_length(set.male_columns().len() - absent);
    sums.male_dosage = i128::from(set.male_columns().iter().map(dosage).sum::<u64>());
}

/// Write the centred values of the set; `row` has at least one place a sample, the rest is padding.
pub(crate) fn write(
    pairs: &[BytePair],
    effect_is_first_allele: bool,
    centre: &IntegerCentre,
    missing: &[u32],
    row: &mut [f32],
) {
    let (values, padding) = row.split_at_mut(pairs.len());
    let steps = i16::try_from(centre.steps).unwrap_or(0);
    match (effect_is_first_allele, centre.flipped) {
        (true, false) => write_values::<true, false>(pairs, steps, values),
        (true, true) => write_values::<true, true>(pairs, steps, values),
        (false, false) => write_values::<false, false>(pairs, steps, values),
        (false, true) => write_values::<false, true>(pairs, steps, values),
    }
    for &column in missing {
        values[index(column)] = centre.missing_value;
    }
    padding.fill(0.0);
}

fn write_values<const EFFECT_IS_FIRST: bool, const FLIPPED: bool>(pairs: &[BytePair], steps: i16, values: &mut [f32]) {
    for (value, &pair) in values.iter_mut().zip(pairs) {
        let dosage = (2 * homozygous::<EFFECT_IS_FIRST>(pair) + u16::from(pair[1])).cast_signed();
        let counted = if FLIPPED {
            2 * MAX_VALUE.cast_signed() - dosage
        } else {
            dosage
        };
        *value = f32::from(counted - steps);
    }
}
