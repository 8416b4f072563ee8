//! Random genotypes of every width, phase and haploid or diploid ploidy.

use proptest::prelude::*;

use super::Genotypes;

/// Samples of every generated variant.
pub(crate) const N_SAMPLES: usize = 37;

fn unphased_values(max_value: u64) -> impl Strategy<Value = Vec<u64>> {
    (0..=max_value)
        .prop_flat_map(move |first| (Just(first), 0..=max_value - first))
        .prop_map(|(a, b)| vec![a, b])
}

/// One sample's ploidy and stored values; extremes are as likely as all the rest.
fn sample(max_value: u64, phased: bool, with_haploid: bool) -> impl Strategy<Value = (u8, Vec<u64>)> {
    let certain = prop_oneof![Just(vec![max_value, 0]), Just(vec![0, max_value]), Just(vec![0, 0])];
    let diploid = if phased {
        prop::collection::vec(0..=max_value, 2).boxed()
    } else {
        prop_oneof![unphased_values(max_value), certain].boxed()
    };
    let diploid = diploid.prop_map(|values| (2, values));
    let haploid = (0..=max_value).prop_map(|value| (1, vec![value]));
    if with_haploid {
        prop_oneof![diploid, haploid].boxed()
    } else {
        diploid.boxed()
    }
}

/// One variant.
pub(crate) fn genotypes() -> impl Strategy<Value = Genotypes> {
    let bits = prop_oneof![Just(8_u8), Just(16_u8), 1_u8..=32];
    (bits, any::<bool>(), prop_oneof![Just(false), any::<bool>()]).prop_flat_map(|(bits, phased, with_haploid)| {
        let samples = prop::collection::vec(sample((1 << bits) - 1, phased, with_haploid), N_SAMPLES);
        let missing = prop_oneof![
            3 => Just(vec![false; N_SAMPLES]),
            3 => prop::collection::vec(prop::bool::weighted(0.2), N_SAMPLES),
            1 => Just(vec![true; N_SAMPLES]),
        ];
        (samples, missing).prop_map(move |(samples, missing)| {
            let (ploidy, values) = samples.into_iter().unzip();
            Genotypes {
                bits,
                phased,
                ploidy,
                missing,
                values,
            }
        })
    })
}
