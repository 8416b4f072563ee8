//! The fast path: 8 bits, unphased, diploid. Two bytes a sample.
//!
//! Belongs here: selecting the pairs of a sample set, missing genotypes, males. The loops over samples are in
//! `byte_pair_kernels`.

use crate::block::{PackedBlock, is_missing};
use crate::byte_pair_kernels::{self as kernels, MAX_VALUE};
use crate::coding::Coding;
use crate::convert::{file_length, index};
use crate::error::Fault;
use crate::integer_sums::{IntegerCentre, IntegerSums, IntegerTested};
use crate::moments::Homozygotes;
use crate::oriented::excess;
use crate::sample_set::SampleSet;

/// The stored bytes of one sample: 255 P(11), 255 P(12).
pub(crate) type BytePair = [u8; 2];

/// A missing sample is stored as a pair of dosage 0, so that it adds nothing to any sum.
const fn absent(effect_is_first_allele: bool) -> BytePair {
    if effect_is_first_allele { [0, 0] } else { [255, 0] }
}

/// Refuse samples present whose probabilities sum to more than one by more than rounding.
pub(crate) fn check_sums(block: &PackedBlock<'_>) -> Result<(), Fault> {
    let (pairs, _) = block.data.as_chunks::<2>();
    if kernels::largest_sum(pairs) <= MAX_VALUE.cast_signed() + 1 {
        return Ok(());
    }
    for (sample, ([first, heterozygous], &ploidy)) in pairs.iter().zip(block.ploidy).enumerate() {
        let sum = u16::from(*first) + u16::from(*heterozygous);
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
    if block.all_present {
        return set.select(pairs, scratch);
    }
    set.copy(pairs, scratch);
    let columns = (0_u32..).zip(set.indices());
    missing.extend(
        columns
            .filter(|(_, sample)| is_missing(block.ploidy[index(**sample)]))
            .map(|(column, _)| column),
    );
    for &column in missing.iter() {
        scratch[index(column)] = absent(effect_is_first_allele);
    }
    scratch
}

/// Sums over the set; `missing` were neutralised by [`select`].
pub(crate) fn sums(pairs: &[BytePair], effect_is_first_allele: bool, n_missing: usize) -> (IntegerSums, IntegerTested) {
    let plain = if effect_is_first_allele {
        kernels::sums::<true>(pairs)
    } else {
        kernels::sums::<false>(pairs)
    };
    let n_missing = file_length(n_missing);
    let (homozygous, heterozygous) = (i128::from(plain.homozygous), i128::from(plain.heterozygous));
    let squares = i128::from(plain.squares);
    let (n_present, dosage) = (file_length(pairs.len()) - n_missing, 2 * homozygous + heterozygous);
    let sums = IntegerSums {
        n_present,
        dosage,
        info: (4 * homozygous + heterozygous) * i128::from(MAX_VALUE) - squares,
        squares,
        male_present: 0,
        male_dosage: 0,
    };
    let tested = IntegerTested {
        n_present,
        sum: dosage,
        squares,
        n_zero: plain.n_zero - n_missing,
        n_two: plain.n_two,
    };
    (sums, tested)
}

/// Sums of what a dominant or recessive test takes; `missing` were neutralised by [`select`].
pub(crate) fn coded_sums(
    pairs: &[BytePair],
    effect_is_first_allele: bool,
    coding: Coding,
    n_missing: usize,
) -> IntegerTested {
    let coded = match (effect_is_first_allele, coding == Coding::Dominant) {
        (true, true) => kernels::coded_sums::<true, true>(pairs),
        (true, false) => kernels::coded_sums::<true, false>(pairs),
        (false, true) => kernels::coded_sums::<false, true>(pairs),
        (false, false) => kernels::coded_sums::<false, false>(pairs),
    };
    let n_missing = file_length(n_missing);
    IntegerTested {
        n_present: file_length(pairs.len()) - n_missing,
        sum: i128::from(coded.dosage),
        squares: i128::from(coded.squares),
        n_zero: coded.n_zero - n_missing,
        n_two: 0,
    }
}

/// Add the sums over males.
pub(crate) fn count_males(
    sums: &mut IntegerSums,
    pairs: &[BytePair],
    set: &SampleSet,
    effect_is_first_allele: bool,
    missing: &[u32],
) {
    let dosage = |column: &u32| i128::from(dosage(pairs[index(*column)], effect_is_first_allele));
    let absent = missing.iter().filter(|column| set.is_male()[index(**column)]).count();
    sums.male_present = file_length(set.male_columns().len() - absent);
    sums.male_dosage = set.male_columns().iter().map(dosage).sum();
}

const fn dosage(pair: BytePair, effect_is_first_allele: bool) -> i16 {
    if effect_is_first_allele {
        kernels::dosage::<true>(pair)
    } else {
        kernels::dosage::<false>(pair)
    }
}

/// Count homozygotes; `missing` were neutralised by [`select`], `males` are the columns counted as haploid.
pub(crate) fn count_homozygotes(
    pairs: &[BytePair],
    effect_is_first_allele: bool,
    missing: &[u32],
    males: &[u32],
) -> Homozygotes {
    let max = MAX_VALUE.cast_signed();
    let mut counts = Homozygotes::default();
    for &pair in pairs {
        let dosage = dosage(pair, effect_is_first_allele);
        counts.reference += u64::from(2 * dosage < max);
        counts.effect += u64::from(2 * dosage >= 3 * max);
    }
    for &column in males {
        let dosage = dosage(pairs[index(column)], effect_is_first_allele);
        if 2 * dosage >= max && 2 * dosage < 3 * max {
            counts.reference += u64::from(dosage < max);
            counts.effect += u64::from(dosage >= max);
        }
    }
    // A missing genotype is stored as dosage 0.
    counts.reference -= file_length(missing.len());
    counts
}

/// Write the pairs as they are stored, the first byte below the second; the rest of the row is padding.
pub(crate) fn pack(pairs: &[BytePair], row: &mut [u16]) {
    let (words, padding) = row.split_at_mut(pairs.len());
    for (word, pair) in words.iter_mut().zip(pairs) {
        *word = u16::from_le_bytes(*pair);
    }
    padding.fill(0);
}

/// Pairs that [`pack`] wrote.
pub(crate) fn unpack(words: &[u16]) -> Vec<BytePair> {
    words.iter().map(|word| word.to_le_bytes()).collect()
}

/// Write the centred values of the set; `row` has at least one place a sample, the rest is padding.
pub(crate) fn write(
    pairs: &[BytePair],
    effect_is_first_allele: bool,
    coding: Coding,
    centre: &IntegerCentre,
    missing: &[u32],
    row: &mut [f32],
) {
    let (values, padding) = row.split_at_mut(pairs.len());
    let steps = i16::try_from(centre.steps).unwrap_or(0);
    match (coding, effect_is_first_allele, centre.flipped) {
        (Coding::Additive, true, false) => kernels::write::<true, false>(pairs, steps, values),
        (Coding::Additive, true, true) => kernels::write::<true, true>(pairs, steps, values),
        (Coding::Additive, false, false) => kernels::write::<false, false>(pairs, steps, values),
        (Coding::Additive, false, true) => kernels::write::<false, true>(pairs, steps, values),
        (Coding::Dominant, true, _) => kernels::write_coded::<true, true>(pairs, steps, values),
        (Coding::Dominant, false, _) => kernels::write_coded::<false, true>(pairs, steps, values),
        (Coding::Recessive, true, _) => kernels::write_coded::<true, false>(pairs, steps, values),
        (Coding::Recessive, false, _) => kernels::write_coded::<false, false>(pairs, steps, values),
    }
    for &column in missing {
        values[index(column)] = centre.missing_value;
    }
    padding.fill(0.0);
}
