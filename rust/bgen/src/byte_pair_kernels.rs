#![allow(unsafe_code)] // Calls of functions compiled for AVX2, after asking the processor; each call has its proof.
//! The three innermost loops of the 8-bit path.
//!
//! Each is written once, without branches, in 16-bit integers, so that the compiler makes vector instructions of it;
//! on x86-64 it is compiled a second time for AVX2 and chosen at run time. Integer arithmetic is exact, so both give
//! the same bits (tested).

#![expect(
    clippy::inline_always,
    reason = "the body must be compiled inside the AVX2 function to gain from it"
)]

use crate::byte_pairs::BytePair;

/// Largest stored value.
pub(crate) const MAX_VALUE: u16 = 255;
/// Samples a block of 32-bit sums: even unchecked pairs, at most 765 squared each, cannot overflow.
const BLOCK: usize = 2048;

/// Plain sums over pairs, in steps of 1/255.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PairSums {
    /// P(two effect alleles).
    pub(crate) homozygous: u64,
    /// P(one effect allele).
    pub(crate) heterozygous: u64,
    /// Dosage squared.
    pub(crate) squares: u64,
    /// Samples of dosage 0.
    pub(crate) n_zero: u64,
    /// Samples of dosage 2.
    pub(crate) n_two: u64,
}

/// Sums over pairs of a dominant or recessive dosage, in steps of 1/255.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CodedSums {
    /// The dosage.
    pub(crate) dosage: u64,
    /// Its square.
    pub(crate) squares: u64,
    /// Samples of dosage 0.
    pub(crate) n_zero: u64,
}

/// Compile a function for AVX2 too, and choose when it is called.
macro_rules! for_avx2_too {
    ($name:ident, $portable:ident, $avx2:ident, <$($generic:ident),*>, ($($argument:ident: $type:ty),*) $(-> $result:ty)?) => {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2")]
        fn $avx2<$(const $generic: bool),*>($($argument: $type),*) $(-> $result)? {
            $portable::<$($generic),*>($($argument),*)
        }

        pub(crate) fn $name<$(const $generic: bool),*>($($argument: $type),*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            if std::arch::is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has just said that it has AVX2, the only feature the function needs.
                return unsafe { $avx2::<$($generic),*>($($argument),*) };
            }
            $portable::<$($generic),*>($($argument),*)
        }
    };
}

for_avx2_too!(largest_sum, portable_largest_sum, avx2_largest_sum, <>, (pairs: &[BytePair]) -> i16);
for_avx2_too!(
    sums, portable_sums, avx2_sums, <EFFECT_IS_FIRST>, (pairs: &[BytePair]) -> PairSums
);
for_avx2_too!(
    write, portable_write, avx2_write, <EFFECT_IS_FIRST, FLIPPED>, (pairs: &[BytePair], steps: i16, values: &mut [f32])
);

for_avx2_too!(
    coded_sums, portable_coded_sums, avx2_coded_sums, <EFFECT_IS_FIRST, DOMINANT>, (pairs: &[BytePair]) -> CodedSums
);
for_avx2_too!(
    write_coded, portable_write_coded, avx2_write_coded, <EFFECT_IS_FIRST, DOMINANT>,
    (pairs: &[BytePair], steps: i16, values: &mut [f32])
);
for_avx2_too!(
    write_dosage, portable_write_dosage, avx2_write_dosage, <>, (pairs: &[BytePair], dosages: &mut [f32])
);

/// P(11) and P(12) of a pair.
#[inline(always)]
const fn stored(pair: BytePair) -> (u16, u16) {
    // One 16-bit load instead of two of 8 bits.
    let word = u16::from_le_bytes(pair);
    (word & 0xff, word >> 8)
}

/// P(two effect alleles) and P(one).
#[inline(always)]
const fn oriented<const EFFECT_IS_FIRST: bool>(pair: BytePair) -> (u16, u16) {
    let (first, heterozygous) = stored(pair);
    let homozygous = if EFFECT_IS_FIRST {
        first
    } else {
        MAX_VALUE.saturating_sub(first + heterozygous)
    };
    (homozygous, heterozygous)
}

/// Dosage of the effect allele in steps, 0 to 765.
#[inline(always)]
pub(crate) const fn dosage<const EFFECT_IS_FIRST: bool>(pair: BytePair) -> i16 {
    let (homozygous, heterozygous) = oriented::<EFFECT_IS_FIRST>(pair);
    (2 * homozygous + heterozygous).cast_signed()
}

/// P(one effect allele) + P(two), or P(two), in steps, 0 to 510.
#[inline(always)]
const fn coded<const EFFECT_IS_FIRST: bool, const DOMINANT: bool>(pair: BytePair) -> i16 {
    let (homozygous, heterozygous) = oriented::<EFFECT_IS_FIRST>(pair);
    if DOMINANT {
        (homozygous + heterozygous).cast_signed()
    } else {
        homozygous.cast_signed()
    }
}

/// Largest sum of the two bytes of a pair.
#[inline(always)]
fn portable_largest_sum(pairs: &[BytePair]) -> i16 {
    pairs.iter().fold(0, |largest, &pair| {
        let (first, heterozygous) = stored(pair);
        largest.max((first + heterozygous).cast_signed())
    })
}

#[inline(always)]
fn portable_sums<const EFFECT_IS_FIRST: bool>(pairs: &[BytePair]) -> PairSums {
    let mut total = PairSums::default();
    for block in pairs.chunks(BLOCK) {
        let (mut homozygotes, mut heterozygotes, mut squares) = (0_u32, 0_u32, 0_i32);
        let (mut zeros, mut twos) = (0_u16, 0_u16);
        for &pair in block {
            let (homozygous, heterozygous) = oriented::<EFFECT_IS_FIRST>(pair);
            let dosage = (2 * homozygous + heterozygous).cast_signed();
            homozygotes += u32::from(homozygous);
            heterozygotes += u32::from(heterozygous);
            // Products of 16-bit numbers summed in 32 bits are one instruction.
            squares += i32::from(dosage) * i32::from(dosage);
            zeros += u16::from(dosage == 0);
            twos += u16::from(dosage == 2 * MAX_VALUE.cast_signed());
        }
        total.homozygous += u64::from(homozygotes);
        total.heterozygous += u64::from(heterozygotes);
        total.squares += u64::from(squares.unsigned_abs());
        total.n_zero += u64::from(zeros);
        total.n_two += u64::from(twos);
    }
    total
}

/// Flipped dosage minus `steps`, one value a pair.
#[inline(always)]
fn portable_write<const EFFECT_IS_FIRST: bool, const FLIPPED: bool>(
    pairs: &[BytePair],
    steps: i16,
    values: &mut [f32],
) {
    for (value, &pair) in values.iter_mut().zip(pairs) {
        let dosage = dosage::<EFFECT_IS_FIRST>(pair);
        let counted = if FLIPPED {
            2 * MAX_VALUE.cast_signed() - dosage
        } else {
            dosage
        };
        *value = f32::from(counted - steps);
    }
}

#[inline(always)]
fn portable_coded_sums<const EFFECT_IS_FIRST: bool, const DOMINANT: bool>(pairs: &[BytePair]) -> CodedSums {
    let mut total = CodedSums::default();
    for block in pairs.chunks(BLOCK) {
        let (mut dosages, mut squares, mut zeros) = (0_i32, 0_i32, 0_u16);
        for &pair in block {
            let dosage = coded::<EFFECT_IS_FIRST, DOMINANT>(pair);
            dosages += i32::from(dosage);
            squares += i32::from(dosage) * i32::from(dosage);
            zeros += u16::from(dosage == 0);
        }
        total.dosage += u64::from(dosages.unsigned_abs());
        total.squares += u64::from(squares.unsigned_abs());
        total.n_zero += u64::from(zeros);
    }
    total
}

/// Coded dosage minus `steps`, one value a pair.
#[inline(always)]
fn portable_write_coded<const EFFECT_IS_FIRST: bool, const DOMINANT: bool>(
    pairs: &[BytePair],
    steps: i16,
    values: &mut [f32],
) {
    for (value, &pair) in values.iter_mut().zip(pairs) {
        *value = f32::from(coded::<EFFECT_IS_FIRST, DOMINANT>(pair) - steps);
    }
}

/// Dosage of the first allele, one a pair, rounded once.
#[inline(always)]
fn portable_write_dosage(pairs: &[BytePair], dosages: &mut [f32]) {
    for (value, &pair) in dosages.iter_mut().zip(pairs) {
        *value = f32::from(dosage::<true>(pair)) / f32::from(MAX_VALUE);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{
        BLOCK, coded_sums, largest_sum, portable_coded_sums, portable_largest_sum, portable_sums, portable_write,
        portable_write_coded, portable_write_dosage, sums, write, write_coded, write_dosage,
    };

    fn compare<const EFFECT_IS_FIRST: bool, const FLIPPED: bool>(pairs: &[[u8; 2]], steps: i16) {
        let (mut chosen, mut portable) = (vec![f32::NAN; pairs.len()], vec![f32::NAN; pairs.len()]);
        write_coded::<EFFECT_IS_FIRST, FLIPPED>(pairs, steps, &mut chosen);
        portable_write_coded::<EFFECT_IS_FIRST, FLIPPED>(pairs, steps, &mut portable);
        assert_eq!(chosen, portable);
        assert_eq!(
            coded_sums::<EFFECT_IS_FIRST, FLIPPED>(pairs),
            portable_coded_sums::<EFFECT_IS_FIRST, FLIPPED>(pairs)
        );
        assert_eq!(sums::<EFFECT_IS_FIRST>(pairs), portable_sums::<EFFECT_IS_FIRST>(pairs));
        let (mut chosen, mut portable) = (vec![f32::NAN; pairs.len()], vec![f32::NAN; pairs.len()]);
        write::<EFFECT_IS_FIRST, FLIPPED>(pairs, steps, &mut chosen);
        portable_write::<EFFECT_IS_FIRST, FLIPPED>(pairs, steps, &mut portable);
        assert_eq!(chosen, portable);
    }

    proptest! {
        #[test]
        fn the_processors_own_code_gives_the_portable_results(
            pairs in prop::collection::vec(any::<[u8; 2]>(), 0..200),
            steps in 0_i16..=510,
        ) {
            prop_assert_eq!(largest_sum(&pairs), portable_largest_sum(&pairs));
            let (mut chosen, mut portable) = (vec![f32::NAN; pairs.len()], vec![f32::NAN; pairs.len()]);
            write_dosage(&pairs, &mut chosen);
            portable_write_dosage(&pairs, &mut portable);
            prop_assert_eq!(chosen, portable);
            compare::<true, false>(&pairs, steps);
            compare::<true, true>(&pairs, steps);
            compare::<false, false>(&pairs, steps);
            compare::<false, true>(&pairs, steps);
        }
    }

    #[test]
    fn the_largest_pairs_do_not_overflow_a_block() {
        let pairs = vec![[255, 255]; 3 * BLOCK + 1];
        let count = u64::try_from(pairs.len()).unwrap();
        assert_eq!(sums::<true>(&pairs).squares, count * 765 * 765);
        assert_eq!(largest_sum(&pairs), 510);
    }
}
