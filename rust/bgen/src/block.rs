//! The uncompressed genotype block, checked in full before any value is read (spec 4.2 and section 6).

use crate::convert::{file_length, index};
use crate::error::Fault;
use crate::header::Layout;

/// Missing bit of a ploidy byte.
pub(crate) const MISSING: u8 = 0x80;
/// Ploidy bits of a ploidy byte.
const PLOIDY: u8 = 0x3f;
/// Largest ploidy of the format.
const MOST_PLOIDY: usize = 63;
/// The reserved bit of a ploidy byte.
const RESERVED: u8 = 0x40;

/// Genotype data of one variant.
#[derive(Debug)]
pub(crate) enum Block<'a> {
    /// Layout 1: three 16-bit probabilities a sample.
    Triples(&'a [[u8; 6]]),
    /// Layout 2.
    Packed(PackedBlock<'a>),
}

/// A layout 2 block whose length fits its samples, ploidies and bits exactly.
#[derive(Debug)]
pub(crate) struct PackedBlock<'a> {
    /// Number of alleles, at least one.
    pub(crate) n_alleles: u16,
    /// One byte a sample: ploidy, and [`MISSING`].
    pub(crate) ploidy: &'a [u8],
    /// Every sample is diploid.
    pub(crate) all_diploid: bool,
    /// No sample is missing.
    pub(crate) all_present: bool,
    /// Values are haplotype probabilities.
    pub(crate) phased: bool,
    /// Bits a value, 1 to 32.
    pub(crate) bits: u32,
    /// The packed values.
    pub(crate) data: &'a [u8],
}

/// What the rest of the file says about a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) layout: Layout,
    pub(crate) n_samples: u32,
    pub(crate) n_alleles: u16,
}

impl<'a> Block<'a> {
    /// Check and split the inflated `bytes`. With `trusted` the ploidy bytes are taken as diploid and present.
    pub(crate) fn parse(bytes: &'a [u8], shape: Shape, trusted: bool) -> Result<Self, Fault> {
        match shape.layout {
            Layout::One => parse_triples(bytes, shape.n_samples).map(Self::Triples),
            Layout::Two => PackedBlock::parse(bytes, shape, trusted).map(Self::Packed),
        }
    }
}

fn parse_triples(bytes: &[u8], n_samples: u32) -> Result<&[[u8; 6]], Fault> {
    let (triples, rest) = bytes.as_chunks::<6>();
    if triples.len() == index(n_samples) && rest.is_empty() {
        return Ok(triples);
    }
    Err(Fault::Damaged(format!(
        "{} bytes of genotype data for {n_samples} samples",
        bytes.len()
    )))
}

impl<'a> PackedBlock<'a> {
    /// Largest stored value.
    pub(crate) const fn max_value(&self) -> u64 {
        (1 << self.bits) - 1
    }

    /// True where the data are two bytes a sample: the fast path.
    pub(crate) const fn is_byte_pairs(&self) -> bool {
        self.n_alleles == 2 && self.bits == 8 && self.all_diploid && !self.phased
    }

    fn parse(bytes: &'a [u8], shape: Shape, trusted: bool) -> Result<Self, Fault> {
        let Shape {
            n_samples, n_alleles, ..
        } = shape;
        let short = || {
            Fault::Damaged(format!(
                "{} bytes of genotype data for {n_samples} samples",
                bytes.len()
            ))
        };
        let (start, rest) = bytes.split_first_chunk::<8>().ok_or_else(short)?;
        let [n0, n1, n2, n3, k0, k1, least_ploidy, most_ploidy] = *start;
        let count = u32::from_le_bytes([n0, n1, n2, n3]);
        if count != n_samples {
            return Err(Fault::Damaged(format!(
                "{count} samples in its genotype data, {n_samples} in the header"
            )));
        }
        let alleles = u16::from_le_bytes([k0, k1]);
        if alleles != n_alleles {
            return Err(Fault::Damaged(format!(
                "{alleles} alleles in its genotype data, {n_alleles} in its identifying data"
            )));
        }
        if least_ploidy > most_ploidy || most_ploidy > PLOIDY {
            return Err(Fault::Damaged(format!(
                "ploidy range {least_ploidy} to {most_ploidy} is impossible"
            )));
        }
        let (ploidy, rest) = rest.split_at_checked(index(n_samples)).ok_or_else(short)?;
        let (&[phased, bits], data) = rest.split_first_chunk::<2>().ok_or_else(short)?;
        if phased > 1 {
            return Err(Fault::Damaged(format!(
                "the phased flag is {phased}; 0 and 1 are possible"
            )));
        }
        if !(1..=32).contains(&bits) {
            return Err(Fault::Damaged(format!(
                "{bits} bits a probability; 1 to 32 are possible"
            )));
        }
        let trust = trusted && n_alleles == 2 && least_ploidy == 2 && most_ploidy == 2;
        let ploidies = if trust {
            Ploidies::PLAIN
        } else {
            Ploidies::survey(ploidy, least_ploidy, most_ploidy)?
        };
        let n_values = match ploidies.n_values {
            _ if n_alleles != 2 => general_values(ploidy, n_alleles, phased == 1),
            Some(n_values) => n_values,
            None => 2 * u64::from(n_samples),
        };
        let expected = n_values.saturating_mul(u64::from(bits)).div_ceil(8);
        if file_length(data.len()) != expected {
            let found = data.len();
            return Err(Fault::Damaged(format!(
                "{found} bytes of probabilities where {expected} are expected"
            )));
        }
        Ok(Self {
            n_alleles,
            ploidy,
            all_diploid: ploidies.all_diploid,
            all_present: ploidies.all_present,
            phased: phased == 1,
            bits: u32::from(bits),
            data,
        })
    }

    /// Refuse samples that have no place on the diploid scale.
    pub(crate) fn require_haploid_or_diploid(&self) -> Result<(), Fault> {
        if self.all_diploid {
            return Ok(());
        }
        let odd = |byte: &u8| !is_missing(*byte) && !matches!(ploidy_of(*byte), 1 | 2);
        match self.ploidy.iter().position(odd) {
            None => Ok(()),
            Some(sample) => {
                let ploidy = ploidy_of(self.ploidy[sample]);
                Err(Fault::Unsupported(format!(
                    "sample {} has ploidy {ploidy}; 1 and 2 have a dosage",
                    sample + 1
                )))
            }
        }
    }
}

/// Stored values of all samples together; saturates, and then fits no block.
fn general_values(ploidy: &[u8], n_alleles: u16, phased: bool) -> u64 {
    let mut of_ploidy = [0; MOST_PLOIDY + 1];
    for (count, ploidy) in of_ploidy.iter_mut().zip(0..) {
        *count = stored_values(ploidy, n_alleles, phased);
    }
    ploidy.iter().fold(0, |total, &byte| {
        of_ploidy[usize::from(ploidy_of(byte))].saturating_add(total)
    })
}

/// Stored values of one sample (spec 4.2): the last probability of a sample or haplotype is not stored.
pub(crate) fn stored_values(ploidy: u8, n_alleles: u16, phased: bool) -> u64 {
    let stored_alleles = u64::from(n_alleles) - 1;
    if phased {
        return u64::from(ploidy) * stored_alleles;
    }
    // Multisets of `ploidy` alleles: the binomial of ploidy + alleles - 1 over ploidy, one exact factor at a time.
    let mut genotypes: u128 = 1;
    for factor in 1..=u128::from(ploidy) {
        let Some(product) = genotypes.checked_mul(u128::from(stored_alleles) + factor) else {
            return u64::MAX;
        };
        genotypes = product / factor;
    }
    u64::try_from(genotypes - 1).unwrap_or(u64::MAX)
}

/// The ploidy in a ploidy byte.
pub(crate) const fn ploidy_of(byte: u8) -> u8 {
    byte & PLOIDY
}

/// The missing flag in a ploidy byte.
pub(crate) const fn is_missing(byte: u8) -> bool {
    byte & MISSING != 0
}

/// What the ploidy bytes say together.
struct Ploidies {
    all_diploid: bool,
    all_present: bool,
    /// Stored values; `None` for two a sample.
    n_values: Option<u64>,
}

impl Ploidies {
    const PLAIN: Self = Self {
        all_diploid: true,
        all_present: true,
        n_values: None,
    };

    /// With two alleles a sample of ploidy Z stores Z values, phased or not.
    fn survey(ploidy: &[u8], least: u8, most: u8) -> Result<Self, Fault> {
        // A fold without a branch: the compiler compares many bytes at once.
        let differing = ploidy.iter().fold(0, |bits, &byte| bits | (byte ^ 2));
        if differing == 0 && least <= 2 && most >= 2 {
            return Ok(Self::PLAIN);
        }
        let outside = |&byte: &u8| !(least..=most).contains(&ploidy_of(byte)) || byte & RESERVED != 0;
        if let Some(sample) = ploidy.iter().position(outside) {
            let byte = ploidy[sample];
            let number = sample + 1;
            return Err(Fault::Damaged(format!(
                "sample {number} has ploidy byte {byte:#04x}, outside ploidy {least} to {most}"
            )));
        }
        Ok(Self {
            all_diploid: differing & PLOIDY == 0,
            all_present: differing & MISSING == 0,
            n_values: Some(ploidy.iter().map(|&byte| u64::from(ploidy_of(byte))).sum()),
        })
    }
}
