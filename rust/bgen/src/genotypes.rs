//! One variant of any legal kind: any ploidy, any number of alleles, phased or not.
//!
//! Belongs here: probabilities in the specification's order, and the check of every stored value. Does not belong
//! here: dosages of the engine, which are biallelic and fast (`byte_pairs`, `integer_dosage`, `real_dosage`).

use crate::allele_counts::AlleleCounter;
use crate::bits::BitReader;
use crate::block::{Block, PackedBlock, is_missing, ploidy_of, stored_values};
use crate::convert::real;
use crate::error::Fault;
use crate::oriented::excess;

/// Bits of a layout 1 probability.
const LAYOUT_ONE_BITS: u32 = 16;
/// Layout 1 stores probabilities in these steps.
const LAYOUT_ONE_STEPS: f64 = 32768.0;

/// Genotype probabilities of all samples of one variant, in file order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VariantGenotypes {
    /// Bits of a stored probability.
    pub bits: u32,
    /// Probabilities are of haplotypes.
    pub phased: bool,
    /// Number of alleles.
    pub n_alleles: u16,
    /// Ploidy of each sample.
    pub ploidy: Vec<u8>,
    /// Samples without a genotype.
    pub missing: Vec<bool>,
    /// Where each sample's entries of [`Self::probabilities`] begin, and the end of the last.
    pub offsets: Vec<u64>,
    /// Probabilities of each sample in the specification's order (section 4.4); none of a missing one.
    ///
    /// Unphased: of every genotype, those with fewer late alleles first. Phased: of every allele, haplotype by
    /// haplotype. The last of a sample or haplotype is what is left to one.
    pub probabilities: Vec<f64>,
}

impl VariantGenotypes {
    pub(crate) fn read(block: &Block<'_>) -> Result<Self, Fault> {
        match block {
            Block::Triples(triples) => Ok(Self::from_triples(triples)),
            Block::Packed(packed) => Self::from_packed(packed),
        }
    }

    fn from_triples(triples: &[[u8; 6]]) -> Self {
        let missing: Vec<bool> = triples.iter().map(|triple| *triple == [0; 6]).collect();
        let present = triples.iter().filter(|triple| **triple != [0; 6]);
        let probability = |bytes: &[u8; 2]| f64::from(u16::from_le_bytes(*bytes)) / LAYOUT_ONE_STEPS;
        let mut genotypes = Self {
            bits: LAYOUT_ONE_BITS,
            phased: false,
            n_alleles: 2,
            ploidy: vec![2; triples.len()],
            missing,
            offsets: vec![0],
            probabilities: present
                .flat_map(|triple| triple.as_chunks::<2>().0.iter().map(probability))
                .collect(),
        };
        let mut end = 0;
        for absent in &genotypes.missing {
            end += if *absent { 0 } else { 3 };
            genotypes.offsets.push(end);
        }
        genotypes
    }

    fn from_packed(block: &PackedBlock<'_>) -> Result<Self, Fault> {
        let max_value = real(block.max_value());
        let mut probabilities = Vec::new();
        visit_values(block, |value| probabilities.push(real(value) / max_value))?;
        let missing: Vec<bool> = block.ploidy.iter().map(|byte| is_missing(*byte)).collect();
        let ploidy: Vec<u8> = block.ploidy.iter().map(|byte| ploidy_of(*byte)).collect();
        let mut offsets = vec![0];
        let mut end = 0;
        for (&ploidy, absent) in ploidy.iter().zip(&missing) {
            if !absent {
                let groups = if block.phased { u64::from(ploidy) } else { 1 };
                end += stored_values(ploidy, block.n_alleles, block.phased) + groups;
            }
            offsets.push(end);
        }
        Ok(Self {
            bits: block.bits,
            phased: block.phased,
            n_alleles: block.n_alleles,
            ploidy,
            missing,
            offsets,
            probabilities,
        })
    }

    /// Expected number of each allele in each sample, sample by sample; NaN where missing.
    #[must_use]
    pub fn allele_counts(&self) -> Vec<f64> {
        let n_alleles = usize::from(self.n_alleles);
        let mut counts = vec![0.0; self.ploidy.len() * n_alleles];
        let mut counter = AlleleCounter::default();
        for (sample, counts) in counts.chunks_mut(n_alleles).enumerate() {
            if self.missing[sample] {
                counts.fill(f64::NAN);
            } else if self.phased {
                for haplotype in self.of_sample(sample).chunks(n_alleles) {
                    counts.iter_mut().zip(haplotype).for_each(|(count, p)| *count += p);
                }
            } else {
                counter.add(self.ploidy[sample], self.of_sample(sample), counts);
            }
        }
        counts
    }

    /// Probabilities of one sample.
    #[must_use]
    pub fn of_sample(&self, sample: usize) -> &[f64] {
        let place = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
        let range = place(self.offsets[sample])..place(self.offsets[sample + 1]);
        &self.probabilities[range]
    }
}

/// Hand over every probability of the samples present, in steps, the ones left to one included.
///
/// Probabilities that sum to more than one by more than rounding are a fault.
pub(crate) fn visit_values(block: &PackedBlock<'_>, mut visit: impl FnMut(u64)) -> Result<(), Fault> {
    let mut reader = BitReader::new(block.data, block.bits);
    let max_value = block.max_value();
    for (sample, &byte) in block.ploidy.iter().enumerate() {
        let ploidy = ploidy_of(byte);
        let stored = stored_values(ploidy, block.n_alleles, block.phased);
        if is_missing(byte) {
            reader.skip(stored);
            continue;
        }
        let (groups, of_group) = if block.phased {
            (ploidy, u64::from(block.n_alleles) - 1)
        } else {
            (1, stored)
        };
        for _ in 0..groups {
            let mut sum: u64 = 0;
            for _ in 0..of_group {
                let value = reader.next_value();
                sum = sum.saturating_add(value);
                visit(value);
            }
            if sum > max_value + 1 {
                return Err(excess(sample, sum, max_value));
            }
            visit(max_value.saturating_sub(sum));
        }
    }
    Ok(())
}
