//! The general path in double precision: more than 16 bits, layout 1, and whole-file reads of dosages.

use crate::block::{Block, PackedBlock};
use crate::convert::{file_length, index, real, single};
use crate::error::Fault;
use crate::moments::MomentRow;
use crate::oriented::{Oriented, visit_samples};
use crate::sample_set::SampleSet;

/// Layout 1 stores probabilities in these steps.
const LAYOUT_ONE_STEPS: f64 = 32768.0;

/// Dosage and INFO term of every sample of one variant; NaN where missing.
#[derive(Debug, Default)]
pub(crate) struct RealDosage {
    dosage: Vec<f64>,
    info: Vec<f64>,
}

/// Flipping and centre of one variant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RealCentre {
    flipped: bool,
    centre: f64,
    missing_value: f32,
}

impl RealDosage {
    /// Expected count of the effect allele, one a sample.
    pub(crate) fn dosage(&self) -> &[f64] {
        &self.dosage
    }

    /// Decode all samples of a block.
    pub(crate) fn fill(&mut self, block: &Block<'_>, effect_is_first_allele: bool) -> Result<(), Fault> {
        self.dosage.clear();
        self.info.clear();
        match block {
            Block::Triples(triples) => {
                for triple in *triples {
                    let (dosage, info) = triple_terms(*triple, effect_is_first_allele).unwrap_or((f64::NAN, f64::NAN));
                    self.dosage.push(dosage);
                    self.info.push(info);
                }
                Ok(())
            }
            Block::Packed(packed) => self.fill_packed(packed, effect_is_first_allele),
        }
    }

    fn fill_packed(&mut self, block: &PackedBlock<'_>, effect_is_first_allele: bool) -> Result<(), Fault> {
        let max_value = real(block.max_value());
        visit_samples(block, effect_is_first_allele, |_, oriented| {
            let (dosage, info) = oriented.map_or((f64::NAN, f64::NAN), |oriented| packed_terms(oriented, max_value));
            self.dosage.push(dosage);
            self.info.push(info);
        })
    }

    /// Moments of a set; `missing` gets its missing columns.
    pub(crate) fn moments(
        &self,
        set: &SampleSet,
        counts_males: bool,
        missing: &mut Vec<u32>,
    ) -> (MomentRow, RealCentre) {
        missing.clear();
        let (mut n_present, mut sum, mut info_sum) = (0_u64, 0.0, 0.0);
        let (mut male_present, mut male_dosage_sum) = (0, 0.0);
        for ((column, &sample), &male) in (0_u32..).zip(set.indices()).zip(set.is_male()) {
            let dosage = self.dosage[index(sample)];
            if dosage.is_nan() {
                missing.push(column);
                continue;
            }
            n_present += 1;
            sum += dosage;
            info_sum += self.info[index(sample)];
            if counts_males && male {
                male_present += 1;
                male_dosage_sum += dosage;
            }
        }
        let mean = if n_present == 0 { 0.0 } else { sum / real(n_present) };
        let flipped = mean > 1.0;
        let counted_mean = if flipped { 2.0 - mean } else { mean };
        let centre = f64::from(single(counted_mean));
        let imputed = counted_mean - centre;
        let (mut squares, mut n_nonzero_present) = (0.0, 0);
        for counted in self.counted(set, flipped).filter(|counted| !counted.is_nan()) {
            squares += (counted - centre) * (counted - centre);
            n_nonzero_present += u64::from(counted != 0.0);
        }
        let row = MomentRow {
            n_present,
            dosage_sum: sum,
            info_sum,
            flipped,
            n_nonzero_present,
            unit: 1.0,
            centre,
            centred_square_sum: squares + real(file_length(missing.len())) * imputed * imputed,
            male_present,
            male_dosage_sum,
        };
        (
            row,
            RealCentre {
                flipped,
                centre,
                missing_value: single(imputed),
            },
        )
    }

    /// Write the centred values of a set, then padding.
    pub(crate) fn write(&self, set: &SampleSet, centre: &RealCentre, missing: &[u32], row: &mut [f32]) {
        let (values, padding) = row.split_at_mut(set.len());
        for (value, counted) in values.iter_mut().zip(self.counted(set, centre.flipped)) {
            *value = single(counted - centre.centre);
        }
        for &column in missing {
            values[index(column)] = centre.missing_value;
        }
        padding.fill(0.0);
    }

    /// Flipped dosages of a set.
    fn counted<'a>(&'a self, set: &'a SampleSet, flipped: bool) -> impl Iterator<Item = f64> + 'a {
        let dosages = set.indices().iter().map(|&sample| self.dosage[index(sample)]);
        dosages.map(move |dosage| if flipped { 2.0 - dosage } else { dosage })
    }
}

/// P(11), P(12), P(22) of every sample, NaN where missing, appended to `probabilities`.
///
/// Phased samples have independent haplotypes; haploid ones are homozygous (spec section 5).
pub(crate) fn probabilities(block: &Block<'_>, probabilities: &mut Vec<f64>) -> Result<(), Fault> {
    match block {
        Block::Triples(triples) => {
            for triple in *triples {
                let absent = [f64::NAN; 3];
                probabilities.extend(triple_probabilities(*triple).unwrap_or(absent));
            }
            Ok(())
        }
        Block::Packed(packed) => {
            let max_value = real(packed.max_value());
            visit_samples(packed, true, |_, oriented| {
                probabilities.extend(oriented.map_or([f64::NAN; 3], |oriented| genotypes(oriented, max_value)));
            })
        }
    }
}

fn genotypes(oriented: Oriented, max_value: f64) -> [f64; 3] {
    match oriented {
        Oriented::Unphased {
            homozygous,
            heterozygous,
        } => {
            let (both, one) = (real(homozygous) / max_value, real(heterozygous) / max_value);
            [
                both,
                one,
                (max_value - real(homozygous + heterozygous)).max(0.0) / max_value,
            ]
        }
        Oriented::Phased { first, second } => {
            let (first, second) = (real(first) / max_value, real(second) / max_value);
            [
                first * second,
                first * (1.0 - second) + second * (1.0 - first),
                (1.0 - first) * (1.0 - second),
            ]
        }
        Oriented::Haploid { carried } => {
            let carried = real(carried) / max_value;
            [carried, 0.0, 1.0 - carried]
        }
    }
}

/// Dosage, and 4 P(two effect alleles) + P(one) - dosage squared.
fn packed_terms(oriented: Oriented, max_value: f64) -> (f64, f64) {
    let dosage = real(oriented.dosage()) / max_value;
    let info = match oriented {
        Oriented::Unphased {
            homozygous,
            heterozygous,
        } => real(4 * homozygous + heterozygous) / max_value - dosage * dosage,
        Oriented::Phased { first, second } => {
            let (first, second) = (real(first) / max_value, real(second) / max_value);
            first * (1.0 - first) + second * (1.0 - second)
        }
        Oriented::Haploid { carried } => {
            let carried = real(carried) / max_value;
            4.0 * carried * (1.0 - carried)
        }
    };
    (dosage, info)
}

fn triple_probabilities(triple: [u8; 6]) -> Option<[f64; 3]> {
    if triple == [0; 6] {
        return None;
    }
    let (values, _) = triple.as_chunks::<2>();
    let probability = |place: usize| f64::from(u16::from_le_bytes(values[place])) / LAYOUT_ONE_STEPS;
    Some([probability(0), probability(1), probability(2)])
}

fn triple_terms(triple: [u8; 6], effect_is_first_allele: bool) -> Option<(f64, f64)> {
    let [first, heterozygous, last] = triple_probabilities(triple)?;
    let homozygous = if effect_is_first_allele { first } else { last };
    let dosage = 2.0 * homozygous + heterozygous;
    Some((dosage, 4.0 * homozygous + heterozygous - dosage * dosage))
}
