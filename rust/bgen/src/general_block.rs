//! Encoding of genotype blocks of any legal kind.

use crate::block::{MISSING, stored_values};
use crate::convert::file_length;
use crate::error::BgenError;
use crate::genotypes::VariantGenotypes;

/// Layout 1 stores probabilities in these steps.
const LAYOUT_ONE_STEPS: f64 = 32768.0;
/// How far the probabilities of a sample or haplotype may be from one.
const SUM_TOLERANCE: f64 = 1e-6;

impl VariantGenotypes {
    /// The uncompressed layout 2 block.
    ///
    /// # Errors
    ///
    /// [`BgenError::Request`] naming the sample whose probabilities are not what its ploidy asks for.
    pub(crate) fn block(&self) -> Result<Vec<u8>, BgenError> {
        self.check_lengths()?;
        self.check_sums()?;
        let mut block = Vec::new();
        block.extend(self.n_samples()?.to_le_bytes());
        block.extend(self.n_alleles.to_le_bytes());
        block.push(self.ploidy.iter().copied().min().unwrap_or(2));
        block.push(self.ploidy.iter().copied().max().unwrap_or(2));
        let flagged = |(ploidy, missing): (&u8, &bool)| if *missing { ploidy | MISSING } else { *ploidy };
        block.extend(self.ploidy.iter().zip(&self.missing).map(flagged));
        block.extend([u8::from(self.phased), u8::try_from(self.bits).unwrap_or(0)]);
        let mut packer = BitPacker {
            bytes: block,
            pending: 0,
            n_pending: 0,
            width: self.bits,
        };
        for sample in 0..self.ploidy.len() {
            let stored = stored_values(self.ploidy[sample], self.n_alleles, self.phased);
            if self.missing[sample] {
                (0..stored).for_each(|_| packer.push(0));
                continue;
            }
            for group in self.of_sample(sample).chunks(self.group_length(sample)) {
                let steps = rounded_steps(group, (1 << self.bits) - 1);
                steps[..group.len() - 1].iter().for_each(|step| packer.push(*step));
            }
        }
        Ok(packer.finish())
    }

    /// The uncompressed layout 1 block.
    ///
    /// # Errors
    ///
    /// [`BgenError::Request`] where a sample has no three probabilities below 2.
    pub(crate) fn triples(&self) -> Result<Vec<u8>, BgenError> {
        self.check_lengths()?;
        let diploid = self.ploidy.iter().all(|ploidy| *ploidy == 2);
        if self.n_alleles != 2 || self.phased || !diploid {
            return Err(BgenError::Request(
                "layout 1 holds two alleles, unphased and diploid, and nothing else".to_owned(),
            ));
        }
        let mut block = Vec::with_capacity(6 * self.ploidy.len());
        for sample in 0..self.ploidy.len() {
            if self.missing[sample] {
                block.extend([0; 6]);
            }
            for probability in self.of_sample(sample) {
                let steps = u16::try_from(nearest(probability * LAYOUT_ONE_STEPS)).ok();
                let steps = steps.filter(|_| *probability >= 0.0).ok_or_else(|| {
                    BgenError::Request(format!("sample {} has probability {probability}", sample + 1))
                })?;
                block.extend(steps.to_le_bytes());
            }
        }
        Ok(block)
    }

    fn n_samples(&self) -> Result<u32, BgenError> {
        u32::try_from(self.ploidy.len()).map_err(|_| BgenError::Request("too many samples".to_owned()))
    }

    /// Probabilities of a sample, or of one of its haplotypes.
    fn group_length(&self, sample: usize) -> usize {
        let length = if self.phased {
            usize::from(self.n_alleles)
        } else {
            self.of_sample(sample).len()
        };
        length.max(1)
    }

    fn check_lengths(&self) -> Result<(), BgenError> {
        let refuse = |problem: String| Err(BgenError::Request(problem));
        if !(1..=32).contains(&self.bits) {
            return refuse(format!("{} bits a probability; 1 to 32 are possible", self.bits));
        }
        if self.n_alleles == 0 {
            return refuse("a variant needs an allele".to_owned());
        }
        let n_samples = self.ploidy.len();
        let offsets = (self.offsets.len(), self.offsets.last().copied());
        if self.missing.len() != n_samples
            || offsets != (n_samples + 1, Some(file_length(self.probabilities.len())))
            || !self.offsets.is_sorted()
        {
            return refuse("ploidy, missing and probabilities are not of the same samples".to_owned());
        }
        for sample in 0..n_samples {
            let (number, ploidy) = (sample + 1, self.ploidy[sample]);
            if ploidy > 63 {
                return refuse(format!("sample {number} has ploidy {ploidy}; at most 63 is possible"));
            }
            let stored = stored_values(ploidy, self.n_alleles, self.phased);
            let groups = if self.phased { u64::from(ploidy) } else { 1 };
            let wanted = if self.missing[sample] {
                0
            } else {
                stored.saturating_add(groups)
            };
            let probabilities = self.of_sample(sample);
            if file_length(probabilities.len()) != wanted {
                let found = probabilities.len();
                return refuse(format!(
                    "sample {number} has {found} probabilities where {wanted} are needed"
                ));
            }
        }
        Ok(())
    }

    /// Layout 2 stores all but the last probability, so they must sum to one; layout 1 stores three of any sum.
    fn check_sums(&self) -> Result<(), BgenError> {
        for sample in 0..self.ploidy.len() {
            for group in self.of_sample(sample).chunks(self.group_length(sample)) {
                let sum: f64 = group.iter().sum();
                let sound = group.iter().all(|p| (0.0..=1.0).contains(p)) && (sum - 1.0).abs() <= SUM_TOLERANCE;
                if !sound {
                    return Err(BgenError::Request(format!(
                        "the probabilities of sample {} must lie in 0 to 1 and sum to 1",
                        sample + 1
                    )));
                }
            }
        }
        Ok(())
    }
}

/// Whole steps that sum to `max_value` exactly: rounded down, and the largest remainders up.
fn rounded_steps(probabilities: &[f64], max_value: u64) -> Vec<u64> {
    let scaled: Vec<f64> = probabilities
        .iter()
        .map(|p| p * crate::convert::real(max_value))
        .collect();
    let mut steps: Vec<u64> = scaled.iter().map(|value| nearest(value.floor())).collect();
    let mut order: Vec<usize> = (0..scaled.len()).collect();
    order.sort_by(|left, right| scaled[*right].fract().total_cmp(&scaled[*left].fract()));
    let total: u64 = steps.iter().sum();
    let short = usize::try_from(max_value.saturating_sub(total)).unwrap_or(0);
    for place in order.iter().cycle().take(short) {
        steps[*place] += 1;
    }
    steps
}

/// A double between 0 and 2^53 as the nearest whole number.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates, and callers pass values within the range"
)]
fn nearest(value: f64) -> u64 {
    value.round() as u64
}

/// Appends values of `width` bits, least significant bit first.
struct BitPacker {
    bytes: Vec<u8>,
    pending: u64,
    n_pending: u32,
    width: u32,
}

impl BitPacker {
    fn push(&mut self, value: u64) {
        self.pending |= value << self.n_pending;
        self.n_pending += self.width;
        while self.n_pending >= 8 {
            self.bytes.push(self.pending.to_le_bytes()[0]);
            self.pending >>= 8;
            self.n_pending -= 8;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        if self.n_pending > 0 {
            self.bytes.push(self.pending.to_le_bytes()[0]);
        }
        self.bytes
    }
}
