//! The stored values of one sample, turned to the effect allele.
//!
//! Belongs here: the meaning of stored values (spec 4.4) and walking them sample by sample. The general path: any
//! bits, phased or not, haploid or diploid.

use crate::bits::BitReader;
use crate::block::{PackedBlock, is_missing, ploidy_of};
use crate::error::Fault;

/// What the stored values of a sample are probabilities of, in units of one stored step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Oriented {
    /// Unphased diploid: the homozygote of the effect allele, and the heterozygote.
    Unphased {
        /// P(two effect alleles).
        homozygous: u64,
        /// P(one effect allele).
        heterozygous: u64,
    },
    /// Phased diploid: the effect allele on either haplotype.
    Phased {
        /// P(effect allele on haplotype 1).
        first: u64,
        /// P(effect allele on haplotype 2).
        second: u64,
    },
    /// Haploid: the effect allele, counted twice on the diploid scale (spec section 5).
    Haploid {
        /// P(effect allele).
        carried: u64,
    },
}

impl Oriented {
    /// Expected count of the effect allele on the diploid scale, in stored steps.
    pub(crate) const fn dosage(self) -> u64 {
        match self {
            Self::Unphased {
                homozygous,
                heterozygous,
            } => 2 * homozygous + heterozygous,
            Self::Phased { first, second } => first + second,
            Self::Haploid { carried } => 2 * carried,
        }
    }
}

/// Visit every sample in file order; `None` where it is missing.
///
/// The caller has refused ploidies other than 1 and 2. Probabilities that sum to more than one by more than rounding
/// are a fault; a last probability below zero is taken as zero.
pub(crate) fn visit_samples(
    block: &PackedBlock<'_>,
    effect_is_first_allele: bool,
    mut visit: impl FnMut(usize, Option<Oriented>),
) -> Result<(), Fault> {
    let max_value = block.max_value();
    let mut reader = BitReader::new(block.data, block.bits);
    let orient = |value: u64| {
        if effect_is_first_allele {
            value
        } else {
            max_value - value
        }
    };
    for (sample, &byte) in block.ploidy.iter().enumerate() {
        let ploidy = if block.all_diploid { 2 } else { ploidy_of(byte) };
        if !block.all_present && is_missing(byte) {
            reader.skip_values(ploidy);
            visit(sample, None);
            continue;
        }
        let first = reader.next_value();
        let oriented = if ploidy == 1 {
            Oriented::Haploid { carried: orient(first) }
        } else if block.phased {
            Oriented::Phased {
                first: orient(first),
                second: orient(reader.next_value()),
            }
        } else {
            let heterozygous = reader.next_value();
            let last = max_value.saturating_sub(first + heterozygous);
            if first + heterozygous > max_value + 1 {
                return Err(excess(sample, first + heterozygous, max_value));
            }
            let homozygous = if effect_is_first_allele { first } else { last };
            Oriented::Unphased {
                homozygous,
                heterozygous,
            }
        };
        visit(sample, Some(oriented));
    }
    Ok(())
}

/// Probabilities that sum to more than one.
pub(crate) fn excess(sample: usize, sum: u64, max_value: u64) -> Fault {
    Fault::Damaged(format!(
        "the probabilities of sample {} sum to {sum}/{max_value}",
        sample + 1
    ))
}
