//! The general path in double precision: more than 16 bits, layout 1, and whole-file reads of dosages.

use crate::block::{Block, PackedBlock};
use crate::coding::Coding;
use crate::convert::{file_length, index, real, single};
use crate::error::Fault;
use crate::genotype_sums::SumRow;
use crate::moments::{Homozygotes, TestedRow};
use crate::oriented::{Oriented, visit_samples};
use crate::sample_set::SampleSet;

/// Layout 1 stores probabilities in these steps.
const LAYOUT_ONE_STEPS: f64 = 32768.0;

/// Dosage, INFO term and coded dosage of every sample of one variant; NaN where missing.
#[derive(Debug, Default)]
pub(crate) struct RealDosage {
    dosage: Vec<f64>,
    info: Vec<f64>,
    /// Empty where values are additive.
    coded: Vec<f64>,
    /// What is tested in the set of the last call of [`RealDosage::moments`], one a column.
    tested: Vec<f64>,
}

/// Flipping and centre of one variant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RealCentre {
    flipped: bool,
    centre: f64,
    missing_value: f32,
}

/// How males count in a chunk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Males {
    /// Sums over males are wanted.
    pub(crate) counted: bool,
    /// Their dosages are halved.
    pub(crate) halved: bool,
}

impl RealDosage {
    /// Expected count of the effect allele, one a sample.
    pub(crate) fn dosage(&self) -> &[f64] {
        &self.dosage
    }

    /// Decode all samples of a block.
    pub(crate) fn fill(
        &mut self,
        block: &Block<'_>,
        effect_is_first_allele: bool,
        coding: Coding,
    ) -> Result<(), Fault> {
        self.dosage.clear();
        self.info.clear();
        self.coded.clear();
        let push = |[dosage, info, coded]: [f64; 3]| {
            self.dosage.push(dosage);
            self.info.push(info);
            if coding != Coding::Additive {
                self.coded.push(coded);
            }
        };
        match block {
            Block::Triples(triples) => {
                let terms = |triple: &[u8; 6]| triple_terms(*triple, effect_is_first_allele, coding);
                triples.iter().map(terms).for_each(push);
                Ok(())
            }
            Block::Packed(packed) => fill_packed(packed, effect_is_first_allele, coding, push),
        }
    }

    /// Additive dosage of a sample of a set, halved for males where that is asked.
    fn counted_dosage(&self, sample: u32, male: bool, males: Males) -> f64 {
        let dosage = self.dosage[index(sample)];
        if male && males.halved { dosage / 2.0 } else { dosage }
    }

    /// Sums of additive dosages of a set.
    pub(crate) fn sums(&self, set: &SampleSet, males: Males) -> SumRow {
        let mut sums = SumRow::default();
        for (&sample, &male) in set.indices().iter().zip(set.is_male()) {
            let dosage = self.counted_dosage(sample, male, males);
            if dosage.is_nan() {
                continue;
            }
            sums.n_present += 1;
            sums.dosage_sum += dosage;
            sums.info_sum += self.info[index(sample)];
            sums.square_sum += dosage * dosage;
            if males.counted && male {
                sums.male_present += 1;
                sums.male_dosage_sum += dosage;
            }
        }
        sums
    }

    /// Count homozygotes of a set.
    pub(crate) fn count_homozygotes(&self, set: &SampleSet, males: Males) -> Homozygotes {
        let mut counts = Homozygotes::default();
        for (&sample, &male) in set.indices().iter().zip(set.is_male()) {
            let dosage = self.counted_dosage(sample, male, males);
            let (least, most) = if males.counted && male { (1.0, 1.0) } else { (0.5, 1.5) };
            counts.reference += u64::from(dosage < least);
            counts.effect += u64::from(dosage >= most);
        }
        counts
    }

    /// Moments of what is tested in a set; `missing` gets its missing columns.
    pub(crate) fn moments(
        &mut self,
        set: &SampleSet,
        males: Males,
        may_flip: bool,
        missing: &mut Vec<u32>,
    ) -> (TestedRow, RealCentre) {
        missing.clear();
        let mut tested = std::mem::take(&mut self.tested);
        tested.clear();
        let mut sum = 0.0;
        for ((column, &sample), &male) in (0_u32..).zip(set.indices()).zip(set.is_male()) {
            let value = if self.coded.is_empty() {
                self.counted_dosage(sample, male, males)
            } else {
                self.coded[index(sample)]
            };
            tested.push(value);
            if value.is_nan() {
                missing.push(column);
            } else {
                sum += value;
            }
        }
        self.tested = tested;
        let n_present = real(file_length(set.len() - missing.len()));
        let mean = if n_present == 0.0 { 0.0 } else { sum / n_present };
        let flipped = may_flip && mean > 1.0;
        let counted_mean = if flipped { 2.0 - mean } else { mean };
        let centre = f64::from(single(counted_mean));
        let imputed = counted_mean - centre;
        let (mut squares, mut n_nonzero_present) = (0.0, 0);
        for counted in self.flipped(flipped).filter(|counted| !counted.is_nan()) {
            squares += (counted - centre) * (counted - centre);
            n_nonzero_present += u64::from(counted != 0.0);
        }
        let row = TestedRow {
            tested_sum: sum,
            flipped,
            n_nonzero_present,
            unit: 1.0,
            centre,
            centred_square_sum: squares + real(file_length(missing.len())) * imputed * imputed,
        };
        let missing_value = single(imputed);
        (
            row,
            RealCentre {
                flipped,
                centre,
                missing_value,
            },
        )
    }

    /// Write the centred values of the set of the last call of [`Self::moments`], then padding.
    pub(crate) fn write(&self, centre: &RealCentre, missing: &[u32], row: &mut [f32]) {
        let (values, padding) = row.split_at_mut(self.tested.len());
        for (value, counted) in values.iter_mut().zip(self.flipped(centre.flipped)) {
            *value = single(counted - centre.centre);
        }
        for &column in missing {
            values[index(column)] = centre.missing_value;
        }
        padding.fill(0.0);
    }

    /// What is tested, of the other allele where `flipped`.
    fn flipped(&self, flipped: bool) -> impl Iterator<Item = f64> + '_ {
        self.tested
            .iter()
            .map(move |&dosage| if flipped { 2.0 - dosage } else { dosage })
    }
}

fn fill_packed(
    block: &PackedBlock<'_>,
    effect_is_first_allele: bool,
    coding: Coding,
    mut push: impl FnMut([f64; 3]),
) -> Result<(), Fault> {
    let max_value = real(block.max_value());
    visit_samples(block, effect_is_first_allele, |_, oriented| {
        push(oriented.map_or([f64::NAN; 3], |oriented| packed_terms(oriented, max_value, coding)));
    })
}

/// The tested dosage of a coding, of the probabilities of one and two effect alleles.
fn coded_dosage(coding: Coding, heterozygous: f64, homozygous: f64) -> f64 {
    match coding {
        Coding::Additive => 2.0 * homozygous + heterozygous,
        Coding::Dominant => homozygous + heterozygous,
        Coding::Recessive => homozygous,
    }
}

/// Dosage, 4 P(two effect alleles) + P(one) - dosage squared, and the coded dosage.
fn packed_terms(oriented: Oriented, max_value: f64, coding: Coding) -> [f64; 3] {
    let dosage = real(oriented.dosage()) / max_value;
    match oriented {
        Oriented::Unphased {
            homozygous,
            heterozygous,
        } => [
            dosage,
            real(4 * homozygous + heterozygous) / max_value - dosage * dosage,
            coded_dosage(coding, real(heterozygous), real(homozygous)) / max_value,
        ],
        Oriented::Phased { first, second } => {
            let (first, second) = (real(first) / max_value, real(second) / max_value);
            let homozygous = first * second;
            [
                dosage,
                first * (1.0 - first) + second * (1.0 - second),
                coded_dosage(coding, first + second - 2.0 * homozygous, homozygous),
            ]
        }
        Oriented::Haploid { carried } => {
            let carried = real(carried) / max_value;
            [
                dosage,
                4.0 * carried * (1.0 - carried),
                coded_dosage(coding, 0.0, carried),
            ]
        }
    }
}

fn triple_probabilities(triple: [u8; 6]) -> Option<[f64; 3]> {
    if triple == [0; 6] {
        return None;
    }
    let (values, _) = triple.as_chunks::<2>();
    let probability = |place: usize| f64::from(u16::from_le_bytes(values[place])) / LAYOUT_ONE_STEPS;
    Some([probability(0), probability(1), probability(2)])
}

fn triple_terms(triple: [u8; 6], effect_is_first_allele: bool, coding: Coding) -> [f64; 3] {
    let Some([first, heterozygous, last]) = triple_probabilities(triple) else {
        return [f64::NAN; 3];
    };
    let homozygous = if effect_is_first_allele { first } else { last };
    let dosage = 2.0 * homozygous + heterozygous;
    [
        dosage,
        4.0 * homozygous + heterozygous - dosage * dosage,
        coded_dosage(coding, heterozygous, homozygous),
    ]
}
